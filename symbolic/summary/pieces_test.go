package summary_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/subjects/apet"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// TestPiecesNative: a handler is told up to the wait, and from there on, on a state that other messages may have
// changed.
func TestPiecesNative(t *testing.T) {
	got := summaries(t, "../../subjects", `package subjects

import "github.com/rehearse-go/rehearse/actor"

type zzPay struct{ n int }

type zz struct {
	peer    actor.Ref
	balance int
}

func (z *zz) Receive(ctx *actor.Context, msg any) {
	if m, ok := msg.(zzPay); ok && z.balance >= m.n {
		old := z.balance
		z.balance--
		ctx.AwaitUntil(func() bool { return true })
		if z.balance < m.n {
			panic("overdrawn")
		}
		z.balance -= m.n + old
	}
}
`)
	same(t, after(got, "until it waits"), piecesNative)
}

// TestPiecesProtoactor: what a continuation does is told, too, with what it captures of the handler.
func TestPiecesProtoactor(t *testing.T) {
	got := summaries(t, "../../examples/threadring", `package threadring

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

type zzPay struct{ n int }

type zz struct {
	peer    *actor.PID
	balance int
}

func (z *zz) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(zzPay); ok {
		old := z.balance
		f := ctx.RequestFuture(z.peer, m, time.Second)
		z.balance = 0
		ctx.ReenterAfter(f, func(res any, err error) {
			if err == nil {
				z.balance += old
			}
		})
	}
}
`)
	same(t, after(got, "after wait 1"), piecesProto)
}

// after gives what is printed from a piece on.
func after(text, piece string) string {
	if i := strings.Index(text, "  "+piece); i >= 0 {
		return text[i+len("  "):]
	}
	return "no such piece in\n" + text
}

const piecesNative = `
  until it waits: 2 paths, exact, complete
  path 1
    if z.balance >= msg.n
    z.balance = z.balance - 1
    waits
  path 2
    if z.balance < msg.n
    return
  after wait 1: 2 paths, exact, complete
  path 1
    if z.balance >= msg.n
    if later1.z.balance < msg.n
    panic: panic("overdrawn")
  path 2
    if z.balance >= msg.n
    if later1.z.balance >= msg.n
    z.balance = later1.z.balance - msg.n - z.balance
    return
`

const piecesProto = `
  after wait 1: 2 paths, exact, complete
  path 1
    if z.peer != nil
    if answer1.error == nil
    z.balance = later1.z.balance + z.balance
    return
  path 2
    if z.peer != nil
    if answer1.error != nil
    return
`

// piecesOf gives the pieces of a handler of a native program of subjects/apet.
func piecesOf(t *testing.T, message string) []*summary.Piece {
	t.Helper()
	p, err := summary.Load(load.Config{Dir: "../../subjects/apet", Patterns: []string{"."}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store, solver := embedded(t)
	q := summary.New(p, store, solver)
	for _, h := range q.Handlers(t.Context()) {
		if h.Message != nil && h.Name() == message {
			return q.Of(t.Context(), h, exec.Config{}).Pieces
		}
	}
	t.Fatalf("no handler of %s", message)
	return nil
}

// met gives what the paths of a piece say of inputs: the state in the end and the reply, empty if they meet none.
func met(t *testing.T, piece *summary.Piece, inputs map[string]int) (told []string) {
	t.Helper()
	for _, path := range piece.Paths {
		m := &term.Model{Vars: map[*term.Term]term.Value{}}
		for _, in := range path.Inputs {
			m.Vars[in.Var] = term.WordValue(in.Var.Sort, uint64(inputs[in.Var.Name]))
		}
		holds := true
		for _, c := range path.PC {
			holds = holds && m.Evaluator().Holds(c.Term)
		}
		if !holds {
			continue
		}
		s := path.Exit.String()
		for _, out := range path.Out {
			s += fmt.Sprintf(" %s=%d", out.Name, m.Eval(out.Term).Int())
		}
		for _, e := range path.Events {
			s += fmt.Sprintf(" %s %d", e.Op, m.Eval(e.Flat[0].Term).Int())
		}
		told = append(told, s)
	}
	return told
}

// lastly delivers messages in the order of sending, and has tasks go on when nothing else is left.
type lastly struct{ started bool }

func (*lastly) Name() string             { return "lastly" }
func (*lastly) Learn(*trace.Trace, bool) {}
func (*lastly) Complete() bool           { return false }
func (s *lastly) Start() (first bool)    { first, s.started = !s.started, true; return first }
func (s *lastly) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	best := 0
	for i, e := range enabled {
		b, late := enabled[best], e.Kind == trace.Resume
		if waits := b.Kind == trace.Resume; waits && !late || waits == late && e.Message < b.Message {
			best = i
		}
	}
	return explore.Choice{Index: best}
}

// TestPiecesRun: a native program, executed, does what the pieces say: up to the wait, and from the state that other
// messages have left.
func TestPiecesRun(t *testing.T) {
	pieces := piecesOf(t, "apet.RunPruning")
	if len(pieces) != 2 {
		t.Fatalf("%d pieces, want 2", len(pieces))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	replies := 0
	for range 50 {
		b, c, later := rng.IntN(9)-4, rng.IntN(9)-4, rng.IntN(9)-4
		tested := &apet.Pruning{B: b, C: c}
		var reply any
		sys := actor.New(func(t *explore.T, ctx *actor.Context) {
			var ref actor.Ref
			t.SetUp(func() { ref = ctx.Spawn(tested) })
			f := ctx.Ask(ref, apet.RunPruning{})
			ctx.Send(ref, apet.SetB{N: later})
			reply, _ = ctx.Await(f)
		})
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: 1}, Rerun: true}
		if _, err := explore.Run(sys, &lastly{}, o); err != nil {
			t.Fatal(err)
		}
		inputs := map[string]int{"p!ref": 1, "p.B": b, "p.C": c, "sender!ref": 2}
		if got := met(t, pieces[0], inputs); !slices.Equal(got, []string{"waits p.B=-1 p.C=40"}) {
			t.Fatalf("until it waits: %q", got)
		}
		inputs["later1.p.B"], inputs["later1.p.C"] = later, 40
		got := met(t, pieces[1], inputs)
		switch {
		case reply == nil && len(got) == 0:
		case reply != nil && slices.Equal(got, []string{fmt.Sprint("return respond ", reply)}) && tested.B == later && tested.C == 40:
			replies++
		default:
			t.Fatalf("replies %v, with the state %+v; the piece says %q", reply, tested, got)
		}
	}
	if replies < 10 || replies > 40 {
		t.Errorf("%d of 50 executions reply", replies)
	}
}
