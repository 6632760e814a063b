package prototest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/barber"
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
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes programs of protoactor-go for real and symbolically, in the default order, and compares all that
// happens.

// whole are the programs. Their functions are read as drivers, too.
var whole = map[string]func() explore.System{
	"wholeFamily": wholeFamily, "wholeRestarts": wholeRestarts, "wholeBrittle": wholeBrittle, "wholeFutures": wholeFutures, "wholeIdle": wholeIdle, "wholeBatch": wholeBatch,
	"wholeBarber":        wholeBarber,
	"wholeChameneos":     wholeChameneos,
	"wholeDeadlock":      wholeDeadlock,
	"wholeDeadlockFixed": wholeDeadlockFixed,
	"wholeFailover":      wholeFailover,
	"wholeGatling":       wholeGatling,
	"wholeGatlingFixed":  wholeGatlingFixed,
	"wholeLostSub":       wholeLostSub,
	"wholeMessenger":     wholeMessenger,
	"wholeMetering":      wholeMetering,
	"wholeOverdraft":     wholeOverdraft,
	"wholePi":            wholePi,
	"wholeProcReg":       wholeProcReg,
	"wholeQuicksort":     wholeQuicksort,
	"wholeRestart":       wholeRestart,
	"wholeRetry":         wholeRetry,
	"wholeServer":        wholeServer,
	"wholeThreadRing":    wholeThreadRing,
	"wholeTimeout":       wholeTimeout,
}

func must(t *explore.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func wholeBarber() explore.System {
	return protoactor.System(func(t *explore.T) {
		shop, err := barber.Open(actor.NewActorSystem(), barber.Config{Seats: 2, Customers: []string{"ann", "bob"}, Book: &barber.Book{}})
		must(t, err)
		shop.Morning()
	})
}

func wholeChameneos() explore.System {
	return protoactor.System(func(t *explore.T) {
		var tally chameneos.Tally
		p := chameneos.New(actor.NewActorSystem(), 3, 2, &tally)
		p.Open()
	})
}

func wholeDeadlock() explore.System {
	return protoactor.System(func(t *explore.T) {
		office, err := deadlock.Open(actor.NewActorSystem(), deadlock.Config{Stock: map[string]int{"lamp": 3}, Book: &deadlock.Book{}})
		must(t, err)
		office.Place("order-1", "lamp", 2)
		office.Truck("lamp", 10)
	})
}

func wholeDeadlockFixed() explore.System {
	return protoactor.System(func(t *explore.T) {
		office, err := deadlock.Open(actor.NewActorSystem(), deadlock.Config{Stock: map[string]int{"lamp": 3}, Book: &deadlock.Book{}, Fixed: true})
		must(t, err)
		office.Place("order-1", "lamp", 2)
		office.Truck("lamp", 10)
	})
}

func wholeFailover() explore.System {
	return protoactor.System(func(t *explore.T) {
		app := failover.New(actor.NewActorSystem(), failover.Config{Desk: &failover.Desk{}})
		app.Open()
		app.Query("price")
	})
}

func wholeGatling() explore.System {
	return protoactor.System(func(t *explore.T) {
		simulation, err := gatling.New(actor.NewActorSystem(), gatling.Config{Actions: []string{"login", "search"}, Log: &gatling.Log{}, Proxies: 2})
		must(t, err)
		simulation.Run()
	})
}

func wholeGatlingFixed() explore.System {
	return protoactor.System(func(t *explore.T) {
		simulation, err := gatling.New(actor.NewActorSystem(), gatling.Config{Actions: []string{"login", "search"}, Log: &gatling.Log{}, Fixed: true})
		must(t, err)
		simulation.Run()
	})
}

func wholeLostSub() explore.System {
	return protoactor.System(func(t *explore.T) {
		service := lostsub.Start(lostsub.Config{})
		board := service.NewBoard(&lostsub.Screen{})
		service.Open(board, "ACME")
		service.Report("ACME", 1234)
	})
}

func wholeMessenger() explore.System {
	return protoactor.System(func(t *explore.T) {
		service, err := messenger.Start(actor.NewActorSystem(), messenger.Config{Users: []string{"ada", "ben"}, Log: &messenger.Log{}})
		must(t, err)
		service.Enter("ben")
		service.Enter("ada", messenger.Say{To: "ben", Text: "coffee?"})
		service.Leave("ben")
	})
}

func wholeMetering() explore.System {
	return protoactor.System(func(t *explore.T) {
		town, err := metering.New(actor.NewActorSystem(), metering.Config{Meters: 2, Desk: &metering.Desk{}})
		must(t, err)
		town.Day(1)
	})
}

func wholeOverdraft() explore.System {
	return protoactor.System(func(t *explore.T) {
		bank, err := overdraft.Open(overdraft.Config{Opening: 100, Limit: 75, Clients: []string{"branch", "online"}})
		must(t, err)
		must(t, bank.Pay("branch", 60))
		must(t, bank.Pay("online", 80))
	})
}

func wholePi() explore.System {
	return protoactor.System(func(t *explore.T) {
		var result pi.Result
		c, err := pi.New(actor.NewActorSystem(), 2, &result)
		must(t, err)
		c.Start()
	})
}

func wholeProcReg() explore.System {
	return protoactor.System(func(t *explore.T) {
		node, err := procreg.Start(actor.NewActorSystem(), procreg.Config{Name: "db", Workers: 2, View: &procreg.View{}})
		must(t, err)
		node.Begin()
	})
}

func wholeQuicksort() explore.System {
	return protoactor.System(func(t *explore.T) {
		var result quicksort.Result
		tree := quicksort.New(actor.NewActorSystem(), &result)
		tree.Sort([]int{3, 1, 4, 2})
	})
}

func wholeRestart() explore.System {
	return protoactor.System(func(t *explore.T) {
		shop, err := restart.Open(actor.NewActorSystem(), restart.Config{Till: &restart.Till{}})
		must(t, err)
		shop.Buy("tea", 500)
	})
}

func wholeRetry() explore.System {
	return protoactor.System(func(t *explore.T) {
		kiosk, err := retry.Open(retry.Config{Books: retry.NewBooks()})
		must(t, err)
		kiosk.Load("card-1", 2500)
	})
}

func wholeServer() explore.System {
	return protoactor.System(func(t *explore.T) {
		var r server.Reads
		pair, err := server.New(actor.NewActorSystem(), server.Config{Reads: &r})
		must(t, err)
		pair.Start()
	})
}

func wholeThreadRing() explore.System {
	return protoactor.System(func(t *explore.T) {
		ring, err := threadring.New(actor.NewActorSystem(), threadring.Config{Nodes: 3, Fixed: true})
		must(t, err)
		ring.Start(3)
	})
}

func wholeTimeout() explore.System {
	return protoactor.System(func(t *explore.T) {
		shop, err := timeout.Open(timeout.Config{Books: timeout.NewBooks()})
		must(t, err)
		shop.Place("order-1", 2500)
	})
}

// readWhole reads this package and the examples, once.
var readWhole = sync.OnceValues(func() (*load.Program, error) {
	return summary.Load(load.Config{Dir: ".", Patterns: []string{".", "github.com/rehearse-go/rehearse/examples/..."}})
})

func wholeProgram(t *testing.T) (*load.Program, *system.Program) {
	t.Helper()
	l, err := readWhole()
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	return l, system.New(l, store, solver)
}

// TestTwinWhole compares the steps, what they send and whom they create.
func TestTwinWhole(t *testing.T) {
	l, p := wholeProgram(t)
	for _, pkg := range l.Packages {
		for name, make := range whole {
			fn := pkg.SSA.Func(name)
			if fn == nil {
				continue
			}
			for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
				t.Run(fmt.Sprintf("%s/%v", name, model), func(t *testing.T) {
					want := executedWhole(t, make(), model)
					ds := p.DriversOf(fn)
					if len(ds) != 1 {
						t.Fatalf("%d drivers, want 1", len(ds))
					}
					got, path, err := p.Run(t.Context(), ds[0], model, system.Config{})
					if err != nil || !path.Exact() {
						t.Fatalf("it was not executed: %v, %+v", err, path)
					}
					if err := concrete.SameEvents(got, want); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}

func executedWhole(t *testing.T, s explore.System, model trace.Model) (tr *trace.Trace) {
	t.Helper()
	_, err := explore.Run(s, &sample.DefaultOrder{}, explore.Options{Conditions: explore.Conditions{Model: model, Horizon: time.Minute},
		After: func(_ *explore.Counters, x *trace.Trace) { tr = x.Clone() }})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
