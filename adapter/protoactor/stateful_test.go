package protoactor_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/trace"
)

// ledger is an actor as applications write them: nothing of it is exported, it holds a map, a reference and aliases.
type ledger struct {
	accounts map[string]*holding
	richest  *holding // one of accounts
	auditor  *actor.PID
	audit    func(int) // nil unless the test sets it
}

type holding struct {
	owner   string
	balance int
}

type (
	deposit struct {
		owner  string
		amount int
	}
	report struct{ richest string }
)

func (l *ledger) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(deposit)
	if !ok {
		return
	}
	a := l.accounts[m.owner]
	if a == nil {
		a = &holding{owner: m.owner}
		l.accounts[m.owner] = a
	}
	a.balance += m.amount
	if l.richest == nil || l.richest.balance < a.balance {
		l.richest = a
	}
	if a.balance >= 2 {
		ctx.Send(l.auditor, report{l.richest.owner})
	}
}

// auditor remembers only the last report. That ann overtakes bob must not happen.
type auditor struct {
	t    *explore.T
	last string
}

func (a *auditor) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(report); ok {
		if a.last == "bob" && m.richest == "ann" {
			a.t.Error("ann has overtaken bob")
		}
		a.last = m.richest
	}
}

// clerk passes deposits on.
type clerk struct{ book *actor.PID }

func (a *clerk) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(deposit); ok {
		ctx.Send(a.book, m)
	}
}

// banking has clerks deposit at a ledger.
func banking(audit func(int)) func(*explore.T) {
	return func(t *explore.T) {
		var clerks []*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pid := spawned(s, "auditor", &auditor{t: t})
			book := spawned(s, "ledger", &ledger{accounts: map[string]*holding{}, auditor: pid, audit: audit})
			for range 3 {
				clerks = append(clerks, spawned(s, "", &clerk{book}))
			}
		})
		for i, pid := range clerks {
			s.Root.Send(pid, []deposit{{"ann", 1}, {"bob", 2}, {"ann", 2}}[i])
		}
	}
}

func spawned(s *actor.ActorSystem, name string, a actor.Actor) *actor.PID {
	props := actor.PropsFromProducer(func() actor.Actor { return a })
	if name == "" {
		return s.Root.Spawn(props)
	}
	pid, err := s.Root.SpawnNamed(props, name)
	if err != nil {
		panic(err)
	}
	return pid
}

// exploredAll gives the final states and the violations that a strategy finds.
func exploredAll(t *testing.T, program func(*explore.T), model trace.Model, s explore.Strategy) (out explore.Outcome, finals, violations []string) {
	t.Helper()
	ends, kinds := map[string]bool{}, map[string]bool{}
	final := func(s check.State) error {
		var parts []string
		s.Actors(func(name, _ string, value any) bool {
			switch a := value.(type) {
			case *auditor:
				parts = append(parts, "last "+a.last)
			case *ledger:
				for _, owner := range slices.Sorted(maps.Keys(a.accounts)) {
					parts = append(parts, fmt.Sprint(*a.accounts[owner]))
				}
				parts = append(parts, "richest "+a.richest.owner)
			}
			return true
		})
		ends[strings.Join(parts, ", ")] = true
		return nil
	}
	out, err := explore.Run(protoactor.System(program), s, explore.Options{
		Conditions: explore.Conditions{Model: model, Blocked: 5 * time.Second},
		Check:      &check.Checker{Final: final},
		Found: func(f explore.Found) bool {
			for _, v := range f.Violations {
				kinds[v.Key()] = true
			}
			return true
		}})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete && !out.ForOneSeed { // final loops over a map, whose keys it sorts
		t.Fatalf("not complete: %+v", out)
	}
	return out, slices.Sorted(maps.Keys(ends)), slices.Sorted(maps.Keys(kinds))
}

// States of unmodified actors are compared by reflection: stateful finds what naive finds, in fewer executions.
func TestStateful(t *testing.T) {
	models := []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.MailboxSerial}
	if os.Getenv("REHEARSE_TOY") != "" {
		models = append(models, trace.Mailbox) // 52,794 executions of naive
	}
	for _, model := range models {
		all, finals, violations := exploredAll(t, banking(nil), model, search.NewNaive())
		if len(finals)+len(violations) < 2 {
			t.Fatalf("%v: naive finds %q and %q: the comparison says little", model, finals, violations)
		}
		for _, options := range []string{"", "generic", "bfs"} {
			o, _ := stateful.Parse(options)
			got, f, v := exploredAll(t, banking(nil), model, stateful.New(o))
			if !slices.Equal(f, finals) || !slices.Equal(v, violations) {
				t.Errorf("%v, %q: finds %q and %q, naive %q and %q", model, options, f, v, finals, violations)
			}
			if got.States == 0 || got.Executions >= all.Executions {
				t.Errorf("%v, %q: %d states, %d executions, naive has %d", model, options, got.States, got.Executions, all.Executions)
			}
			t.Logf("%v, %q: %d states, %d executions and %d cut, naive has %d", model, options, got.States, got.Executions, got.Blocked, all.Executions)
		}
	}
}

// What cannot be compared is refused, by its name.
func TestStatefulRefuses(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program func(*explore.T)
		want    []string
	}{
		{"a function", banking(func(int) {}), []string{"the state of actor ledger cannot be compared", "protoactor_test.ledger.audit (func)", "naive"}},
		{"an actor made of a function", func(t *explore.T) {
			var pid *actor.PID
			s := world(t, func(s *actor.ActorSystem) { pid = start(s, "sink", func(actor.Context) {}) })
			s.Root.Send(pid, told{1})
		}, []string{"actor sink", "actor.ReceiveFunc (func)"}},
		{"a wait for a channel", func(t *explore.T) {
			var pid *actor.PID
			s := world(t, func(s *actor.ActorSystem) { pid = spawned(s, "waiter", &waiter{make(chan int)}) })
			s.Root.Send(pid, told{1})
			s.Root.Send(pid, told{2})
		}, []string{"actor waiter", "protoactor_test.waiter.c (chan)"}},
	} {
		_, err := explore.Run(protoactor.System(tt.program), stateful.New(stateful.Options{}), explore.Options{
			Conditions: explore.Conditions{Model: trace.Mailbox, Blocked: 5 * time.Second}})
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not tell %q", tt.name, err, want)
			}
		}
	}
}

// waiter holds a channel.
type waiter struct{ c chan int }

func (w *waiter) Receive(actor.Context) {}
