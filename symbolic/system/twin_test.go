package system

import (
	"fmt"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes programs for real and symbolically, in the default order, and compares all that happens.

// real are programs that make no choice of their own. Their functions are read as drivers, too.
var real = map[string]func() *actor.System{
	"twinBank": twinBank, "twinBarber": twinBarber, "twinBuffer": twinBuffer, "twinChameneos": twinChameneos, "twinCheckErr": twinCheckErr, "twinDHT": twinDHT,
	"twinFib": twinFib, "twinFibDirect": twinFibDirect, "twinFibTasks": twinFibTasks, "twinGatling": twinGatling, "twinFlush": twinFlush, "twinLeader": twinLeader,
	"twinLostSub": twinLostSub, "twinMergesort": twinMergesort, "twinMessenger": twinMessenger, "twinPhilosophers": twinPhilosophers, "twinPi": twinPi, "twinPiTasks": twinPiTasks,
	"twinPipesort": twinPipesort, "twinProcReg": twinProcReg, "twinPSort": twinPSort, "twinQuicksort": twinQuicksort, "twinRegistry": twinRegistry, "twinRegsim": twinRegsim,
	"twinRegSimTasks": twinRegSimTasks, "twinServer": twinServer, "twinShortpath": twinShortpath, "twinSortTasks": twinSortTasks, "twinSpinsort": twinSpinsort,
	"twinThreadRing": twinThreadRing, "twinTwoFlags": twinTwoFlags, "twinCopies": twinCopies, "twinPanics": twinPanics,
}

func twinBank() *actor.System         { return subjects.Bank() }
func twinBarber() *actor.System       { return subjects.Barber(1, 2) }
func twinBuffer() *actor.System       { return subjects.BoundedBuffer(2, 1) }
func twinChameneos() *actor.System    { return subjects.Chameneos(2) }
func twinCheckErr() *actor.System     { return subjects.CheckErr(2) }
func twinDHT() *actor.System          { return subjects.DHT() }
func twinFib() *actor.System          { return subjects.Fib(4) }
func twinFibDirect() *actor.System    { return subjects.FibDirect(4) }
func twinFibTasks() *actor.System     { return subjects.FibTasks(4) }
func twinGatling() *actor.System      { return subjects.Gatling(2) }
func twinFlush() *actor.System        { return subjects.FlushDeep(2, 2) }
func twinLeader() *actor.System       { return subjects.Leader(3) }
func twinLostSub() *actor.System      { return subjects.LostSub(2, 2) }
func twinMergesort() *actor.System    { return subjects.Mergesort(4) }
func twinMessenger() *actor.System    { return subjects.Messenger(3) }
func twinPhilosophers() *actor.System { return subjects.Philosophers(2) }
func twinPi() *actor.System           { return subjects.Pi(3) }
func twinPiTasks() *actor.System      { return subjects.PiTasks(3) }
func twinPipesort() *actor.System     { return subjects.Pipesort(3) }
func twinProcReg() *actor.System      { return subjects.ProcReg(2, 1) }
func twinPSort() *actor.System        { return subjects.PSort(4, 2) }
func twinQuicksort() *actor.System    { return subjects.Quicksort(4) }
func twinRegistry() *actor.System     { return subjects.Registry() }
func twinRegsim() *actor.System       { return subjects.Regsim(3) }
func twinRegSimTasks() *actor.System  { return subjects.RegSimTasks(3, 1) }
func twinServer() *actor.System       { return subjects.Server(false) }
func twinShortpath() *actor.System    { return subjects.ShortpathTriangle() }
func twinSortTasks() *actor.System    { return subjects.SortTasks(3, 1, 2) }
func twinSpinsort() *actor.System     { return subjects.Spinsort(3) }
func twinThreadRing() *actor.System   { return subjects.ThreadRing(3) }
func twinTwoFlags() *actor.System     { return subjects.TwoFlags(2) }

// parcel has memory that its sender changes afterwards.
type parcel struct {
	list  []int
	names map[string]*int
	back  bool
}

// twinCopies sends what it changes: who gets it has a copy, and sends back what is in it as the number of messages.
func twinCopies() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		n := 1
		p := &parcel{list: []int{1, 2}, names: map[string]*int{"n": &n}}
		p.names["m"] = p.names["n"]
		to := ctx.SpawnNamed("to", actor.Func(func(ctx *actor.Context, msg any) {
			m := msg.(*parcel)
			if m.back {
				return
			}
			*m.names["m"]++
			for range m.list[0] + *m.names["n"] {
				ctx.Send(ctx.Self(), &parcel{back: true})
			}
		}))
		ctx.Send(to, p)
		p.list[0], n = 3, 4
		ctx.Send(to, p)
	})
}

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// function finds a function of this package's tests.
func function(t *testing.T, p *Program, name string) *ssa.Function {
	t.Helper()
	for _, pkg := range p.load.Packages {
		if fn := pkg.SSA.Func(name); fn != nil {
			return fn
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

func TestTwinNative(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	for name, make := range real {
		for _, model := range models {
			t.Run(fmt.Sprintf("%s/%v", name, model), func(t *testing.T) {
				want := executed(t, make(), model)
				ds := p.DriversOf(function(t, p, name))
				if len(ds) != 1 {
					t.Fatalf("%d drivers, want 1", len(ds))
				}
				got, path, err := p.Run(t.Context(), ds[0], model, Config{})
				if err != nil || !path.Exact() {
					t.Fatalf("it was not executed: %v, %+v", err, path)
				}
				if err := concrete.SameEvents(got, want); err != nil {
					t.Fatal(err)
				}
				if got.Explored != want.Explored {
					t.Fatalf("explored from event %d, want %d", got.Explored, want.Explored)
				}
			})
		}
	}
}

// executed gives what happens for real.
func executed(t *testing.T, s explore.System, model trace.Model) (tr *trace.Trace) {
	t.Helper()
	_, err := explore.Run(s, &sample.DefaultOrder{}, explore.Options{Conditions: explore.Conditions{Model: model, Copy: true},
		After: func(_ *explore.Counters, x *trace.Trace) { tr = x.Clone() }})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
