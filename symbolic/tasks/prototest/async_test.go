package prototest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/timeout"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes programs of protoactor-go whose timers fire at any time, for real and symbolically, in the same
// orders. What may be next is compared at every choice.

// timed are the programs. Their functions are read as drivers, too.
var timed = map[string]func() explore.System{
	"timedOrders": timedOrders, "timedPatient": timedPatient, "timedFutures": timedFutures, "timedBlocked": timedBlocked, "wholeIdle": wholeIdle, "wholeFutures": wholeFutures, "wholeRetry": wholeRetry, "wholeFailover": wholeFailover, "wholeRestart": wholeRestart, "wholeFamily": wholeFamily, "wholeBrittle": wholeBrittle, "wholeBatch": wholeBatch,
}

func timedOrders() explore.System {
	return protoactor.System(func(t *explore.T) {
		shop, err := timeout.Open(timeout.Config{Books: timeout.NewBooks(), Fixed: true})
		must(t, err)
		shop.Place("order-1", 2500)
	})
}

// timedPatient sets a timeout between two sends, and sets it anew.
func timedPatient() explore.System {
	return protoactor.System(func(*explore.T) {
		s := actor.NewActorSystem()
		peer := s.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
		patient := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case string:
				ctx.Send(peer, 1)
				ctx.SetReceiveTimeout(time.Second)
				ctx.Send(peer, 2)
			case *actor.ReceiveTimeout:
				ctx.Send(peer, 3)
			}
		}))
		s.Root.Send(patient, "wait")
		s.Root.Send(patient, 7)
	})
}

// answersTexts is an actor that answers texts with a number.
func answersTexts(ctx actor.Context) {
	if _, ok := ctx.Message().(string); ok {
		ctx.Respond(1)
	}
}

// timedFutures goes on when an answer has come, or has not.
func timedFutures() explore.System {
	return protoactor.System(func(*explore.T) {
		s := actor.NewActorSystem()
		peer := s.Root.Spawn(actor.PropsFromFunc(answersTexts))
		asks := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(bool); ok {
				f := ctx.RequestFuture(peer, "how many", time.Second)
				ctx.ReenterAfter(f, func(_ any, err error) {
					if err != nil {
						ctx.Send(peer, 2)
					}
				})
			}
		}))
		s.Root.Send(asks, true)
	})
}

// timedBlocked waits for an answer in its middle.
func timedBlocked() explore.System {
	return protoactor.System(func(*explore.T) {
		s := actor.NewActorSystem()
		peer := s.Root.Spawn(actor.PropsFromFunc(answersTexts))
		asks := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(bool); ok {
				if _, err := ctx.RequestFuture(peer, "how many", time.Second).Result(); err != nil {
					ctx.Send(peer, 2)
				}
			}
		}))
		s.Root.Send(asks, true)
	})
}

// recorder executes a program in seeded orders, and notes what it chooses from.
type recorder struct {
	chance *rand.Rand
	left   int
	now    *timedRun
	runs   []*timedRun
}

// timedRun is one execution of a compiled program, with the steps that could be taken at every choice.
type timedRun struct {
	steps [][]trace.Step
	taken []trace.ID
	tr    *trace.Trace
}

func (*recorder) Name() string   { return "recorder" }
func (*recorder) Complete() bool { return false }

func (r *recorder) Start() bool {
	r.left--
	r.now = &timedRun{}
	return r.left >= 0
}

func (r *recorder) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	i := r.chance.IntN(len(enabled))
	r.now.steps, r.now.taken = append(r.now.steps, slices.Clone(enabled)), append(r.now.taken, enabled[i].ID)
	return explore.Choice{Index: i}
}

func (r *recorder) Learn(tr *trace.Trace, _ bool) {
	r.now.tr = tr.Clone()
	r.runs = append(r.runs, r.now)
}

// ids gives the identities of steps, sorted.
func ids(steps []trace.Step) (list []trace.ID) {
	for _, s := range steps {
		list = append(list, s.ID)
	}
	slices.SortFunc(list, func(a, b trace.ID) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) })
	return list
}

// timedRuns is in how many orders each program is executed under each model.
func timedRuns() int {
	if os.Getenv("REHEARSE_TOY") != "" {
		return 40
	}
	return 2
}

func TestTwinAsync(t *testing.T) {
	l, p := wholeProgram(t)
	for _, pkg := range l.Packages {
		for name, make := range timed {
			fn := pkg.SSA.Func(name)
			if fn == nil {
				continue
			}
			for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
				t.Run(fmt.Sprintf("%s/%v", name, model), func(t *testing.T) {
					r := &recorder{chance: rand.New(rand.NewPCG(1, uint64(model))), left: timedRuns()}
					_, err := explore.Run(make(), r, explore.Options{Conditions: explore.Conditions{Model: model, Timers: trace.Async, Horizon: time.Minute}})
					if err != nil || len(r.runs) < timedRuns() {
						t.Fatalf("%d executions, want %d: %v", len(r.runs), timedRuns(), err)
					}
					for _, run := range r.runs {
						if err := followed(t, p, p.DriversOf(fn)[0], model, run); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// followed executes a program symbolically in the order of an execution for real.
func followed(t *testing.T, p *system.Program, d *system.Driver, model trace.Model, run *timedRun) error {
	at := 0
	var differs error
	pick := func(steps []trace.Step) int {
		switch {
		case at == len(run.taken):
			differs = fmt.Errorf("choice %d: %d steps, want the end", at, len(steps))
			return -1
		case !slices.Equal(ids(steps), ids(run.steps[at])):
			differs = fmt.Errorf("choice %d: %v, want %v", at, steps, run.steps[at])
			return -1
		}
		at++
		return trace.Find(steps, run.taken[at-1])
	}
	got, path, err := p.RunIn(t.Context(), d, model, pick, system.Config{Async: true})
	switch {
	case err != nil:
		return err
	case differs != nil:
		return differs
	case !path.Exact() && run.tr.Omitted == "":
		return fmt.Errorf("it is not exact: %+v", path.Marks)
	case path.Exact() && run.tr.Omitted != "":
		return fmt.Errorf("it is exact, but for real: %s", run.tr.Omitted)
	}
	return concrete.SameEvents(got, run.tr)
}
