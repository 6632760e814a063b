package prototest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/bank"
	"github.com/rehearse-go/rehearse/examples/barber"
	"github.com/rehearse-go/rehearse/examples/boxoffice"
	"github.com/rehearse-go/rehearse/examples/chameneos"
	"github.com/rehearse-go/rehearse/examples/deadlock"
	"github.com/rehearse-go/rehearse/examples/failover"
	"github.com/rehearse-go/rehearse/examples/gatling"
	"github.com/rehearse-go/rehearse/examples/lostsub"
	"github.com/rehearse-go/rehearse/examples/messenger"
	"github.com/rehearse-go/rehearse/examples/metering"
	"github.com/rehearse-go/rehearse/examples/overdraft"
	"github.com/rehearse-go/rehearse/examples/pi"
	"github.com/rehearse-go/rehearse/examples/procreg"
	"github.com/rehearse-go/rehearse/examples/quicksort"
	"github.com/rehearse-go/rehearse/examples/restart"
	"github.com/rehearse-go/rehearse/examples/retry"
	"github.com/rehearse-go/rehearse/examples/server"
	"github.com/rehearse-go/rehearse/examples/threadring"
	"github.com/rehearse-go/rehearse/examples/timeout"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// played are the examples: each as it is and with its mistake mended.
var played = []struct {
	name  string
	start func(fixed bool) error
}{
	{"barber", func(fixed bool) error {
		s, err := barber.Open(newSystem(), barber.Config{Seats: 2, Customers: []string{"ann", "bob"}, Fixed: fixed})
		return then(err, func() { s.Morning() })
	}},
	{"boxoffice", func(fixed bool) error {
		return boxoffice.Run(boxoffice.Config{Fixed: fixed}, func(h http.Handler) error {
			for _, guest := range []string{"ann", "bob"} {
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/seats/12a?guest="+guest, nil))
			}
			return nil
		})
	}},
	{"chameneos", func(fixed bool) error {
		chameneos.New(newSystem(), 3, 3, &chameneos.Tally{}).Open()
		return nil
	}},
	{"deadlock", func(fixed bool) error {
		o, err := deadlock.Open(newSystem(), deadlock.Config{Stock: map[string]int{"lamp": 3}, Fixed: fixed})
		return then(err, func() { o.Place("order-1", "lamp", 2); o.Truck("lamp", 10) })
	}},
	{"failover", func(fixed bool) error {
		app := failover.New(newSystem(), failover.Config{Desk: &failover.Desk{}, Fixed: fixed})
		app.Open()
		app.Query("price")
		return nil
	}},
	{"gatling", func(fixed bool) error {
		s, err := gatling.New(newSystem(), gatling.Config{Actions: []string{"login", "search"}, Proxies: 2, Fixed: fixed})
		return then(err, func() { s.Run() })
	}},
	{"lostsub", func(fixed bool) error {
		service := lostsub.Start(lostsub.Config{Fixed: fixed})
		service.Open(service.NewBoard(&lostsub.Screen{}), "ACME")
		service.Report("ACME", 1234)
		return nil
	}},
	{"messenger", func(fixed bool) error {
		s, err := messenger.Start(newSystem(), messenger.Config{Users: []string{"ada", "ben"}, Fixed: fixed})
		return then(err, func() {
			s.Enter("ben")
			s.Enter("ada", messenger.Say{To: "ben", Text: "coffee?"})
			s.Leave("ben")
		})
	}},
	{"metering", func(fixed bool) error {
		town, err := metering.New(newSystem(), metering.Config{Meters: 2, Fixed: fixed})
		return then(err, func() { town.Day(2) })
	}},
	{"overdraft", func(fixed bool) error {
		b, err := overdraft.Open(overdraft.Config{Opening: 100, Limit: 75, Clients: []string{"branch", "online"}, Fixed: fixed})
		if err == nil {
			err = errors.Join(b.Pay("branch", 60), b.Pay("online", 80))
		}
		return err
	}},
	{"pi", func(fixed bool) error {
		c, err := pi.New(newSystem(), 3, &pi.Result{})
		return then(err, func() { c.Start() })
	}},
	{"procreg", func(fixed bool) error {
		n, err := procreg.Start(newSystem(), procreg.Config{Name: "db", Workers: 2, Fixed: fixed})
		return then(err, func() { n.Begin() })
	}},
	{"quicksort", func(fixed bool) error {
		quicksort.New(newSystem(), &quicksort.Result{}).Sort([]int{81, 28, 47, 38})
		return nil
	}},
	{"restart", func(fixed bool) error {
		s, err := restart.Open(newSystem(), restart.Config{Fixed: fixed})
		return then(err, func() { s.Buy("tea", 500); s.Mail(25) })
	}},
	{"retry", func(fixed bool) error {
		k, err := retry.Open(retry.Config{Fixed: fixed})
		return then(err, func() { k.Load("card-1", 2500) })
	}},
	{"server", func(fixed bool) error {
		p, err := server.New(newSystem(), server.Config{Fixed: fixed})
		return then(err, func() { p.Start() })
	}},
	{"threadring", func(fixed bool) error {
		r, err := threadring.New(newSystem(), threadring.Config{Nodes: 3, Fixed: fixed})
		return then(err, func() { r.Start(3) })
	}},
	{"timeout", func(fixed bool) error {
		s, err := timeout.Open(timeout.Config{Fixed: fixed})
		return then(err, func() { s.Place("order-1", 2500) })
	}},
}

// then does what comes after a start that went well.
func then(err error, do func()) error {
	if err == nil {
		do()
	}
	return err
}

// day is the example of native actors.
func day(fixed bool) explore.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var s actor.Ref
		if fixed {
			s = ctx.SpawnNamed("server", &bank.OrderedServer{Server: bank.Server{Balance: 100}})
		} else {
			s = ctx.SpawnNamed("server", &bank.Server{Balance: 100})
		}
		c := ctx.SpawnNamed("client", &bank.Client{Server: s, Balance: 100})
		ctx.Send(c, bank.Deposit{Amount: 50})
		ctx.Send(c, bank.Withdraw{Amount: 120})
	})
}

// TestTwinExamples holds summaries of the examples' handlers to executions of the examples.
func TestTwinExamples(t *testing.T) {
	p, err := summary.Load(load.Config{Dir: "../../../examples", Patterns: []string{"./..."}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	w := concrete.NewPlayer(t.Context(), p, store, solver)
	for _, fixed := range []bool{false, true} {
		play(t, w, "bank", day(fixed))
		w.Envelopes = true
		for _, example := range played {
			play(t, w, example.name, protoactor.System(func(t *explore.T) {
				if err := example.start(fixed); err != nil {
					t.Fatal(err)
				}
			}))
		}
		w.Envelopes = false
	}
	t.Logf("%d calls of %d handlers are told by one path each, %d are in paths that are cut; of these nothing is compared: %v", w.Judged, len(w.Handlers), w.Cut, w.Skipped)
	if 10*w.Judged < 9*w.All() || len(w.Handlers) < 140 {
		t.Errorf("%d calls of %d handlers are compared, of %d: want 9 of 10, of 140 handlers", w.Judged, len(w.Handlers), w.All())
	}
}

// play executes a program a few times.
func play(t *testing.T, w *concrete.Player, name string, sys explore.System) {
	t.Helper()
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		_, err := explore.Run(sys, sample.NewRandom(3), explore.Options{
			Conditions: explore.Conditions{Model: trace.Bag, Timers: timers, Horizon: time.Minute, Blocked: 10 * time.Second},
			Budget:     explore.Budget{Executions: 5}, Check: w, Rerun: true, MaxSteps: 300})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, d := range w.Different {
		t.Errorf("%s: %s", name, d)
	}
	w.Different = nil
}
