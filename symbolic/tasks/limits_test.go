package tasks_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// odd is a source beside the paper's programs: one actor with a message for each thing that may end a task, or that the
// scheduler does not know.
const odd = `package apet

import "github.com/rehearse-go/rehearse/actor"

type Odd struct {
	A, B, C int
	M       map[int]int
	Peer    actor.Ref
}

type (
	Panics  struct{ N int }
	Silent  struct{}
	Tells   struct{ N int }
	Asks    struct{}
	Becomes struct{}
	Starts  struct{}
	Blocks  struct{}
	Looks   struct{}
	Late    struct{ N int }
	Waits   struct{}
	SetA    struct{ N int }
	SetM    struct{ N int }
	Both    struct{ N int }
	Twice   struct{}
)

type hooked struct{}

func (*hooked) Start(*actor.Context)        {}
func (*hooked) Receive(*actor.Context, any) {}

func (o *Odd) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Panics:
		if msg.N == 7 {
			panic("seven")
		}
		ctx.Reply(msg.N)
	case Silent:
	case Tells:
		ctx.Send(o.Peer, Late{msg.N + 1})
		ctx.Reply(0)
	case Asks:
		ctx.Ask(o.Peer, Silent{})
	case Becomes:
		ctx.Become(o)
	case Starts:
		ctx.Spawn(&hooked{})
	case Blocks:
		r, _ := ctx.Call(ctx.Self(), Silent{})
		ctx.Reply(r)
	case Looks:
		f := ctx.Ask(ctx.Self(), Panics{1})
		if f.Ready() {
			ctx.Reply(1)
		}
	case Waits:
		o.C = 0
		ctx.AwaitUntil(func() bool { return o.A > 0 })
		o.C = 2
		ctx.Reply(len(o.M) + o.B)
	case SetA:
		o.A = msg.N
	case SetM:
		o.M[msg.N] = 1
	case Both:
		o.both(msg.N)
		o.C = 1
	case Twice:
		ctx.Reply(1)
		ctx.Reply(2)
	}
}

func (o *Odd) both(n int) { o.A = n; o.B = n }
`

// loadedOdd reads it once.
var loadedOdd = sync.OnceValues(func() (*load.Program, error) {
	file, err := filepath.Abs("../../subjects/apet/odd.go")
	if err != nil {
		return nil, err
	}
	return summary.Load(load.Config{Dir: "../../subjects/apet", Patterns: []string{"."}, NoTests: true, Overlay: map[string][]byte{file: []byte(odd)}})
})

// TestLimits: how a case ends, and the reasons of what has no case.
func TestLimits(t *testing.T) {
	p := prepared(t, loadedOdd)
	for _, tt := range []struct{ message, want string }{
		{"Panics", "[panic: panic returned] cuts [] stuck 0"},
		{"Silent", "[no reply] cuts [] stuck 0"},
		{"Tells", "[returned] cuts [] stuck 0"},
		{"Asks", "[] cuts [a request to an actor outside of the run] stuck 0"},
		{"Becomes", "[] cuts [an operation of a framework] stuck 0"},
		{"Starts", "[] cuts [an actor with the method Start] stuck 0"},
		{"Blocks", "[] cuts [] stuck 1"},
	} {
		r, err := p.Cases(t.Context(), "apet.Odd", "apet."+tt.message, tasks.Config{})
		if err != nil {
			t.Fatal(err)
		}
		verdicts, cuts := []string{}, []string{}
		for _, c := range r.Cases {
			verdicts = append(verdicts, c.Verdict)
		}
		for _, why := range slices.Sorted(maps.Keys(r.Cuts)) {
			why, _, _ = strings.Cut(why, " that the scheduler")
			cuts = append(cuts, why)
		}
		if got := fmt.Sprintf("%s cuts %s stuck %d", verdicts, cuts, r.Stuck); got != tt.want || r.Defect != "" {
			t.Errorf("%s: %s, want %s; %s", tt.message, got, tt.want, r.Defect)
		}
	}
}

// TestSent: a message to an actor outside of the run is told, the first reply is the result, and a condition on what is
// not modelled is marked.
func TestSent(t *testing.T) {
	p := prepared(t, loadedOdd)
	r, err := p.Cases(t.Context(), "apet.Odd", "apet.Tells", tasks.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if sent := r.Cases[0].Sent; len(sent) != 1 || sent[0].To.String() != "ref(o.Peer)" || told(sent[0].Fields) != "msg.N=msg.N + 1" {
		t.Errorf("sends %v", sent)
	}
	r, err = p.Cases(t.Context(), "apet.Odd", "apet.Twice", tasks.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Cases[0].Instance.Result["result.(int)"]; got.Int() != 1 {
		t.Errorf("the result is %v, want the first reply", got)
	}
	r, err = p.Cases(t.Context(), "apet.Odd", "apet.Looks", tasks.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Cases {
		if len(c.Marks) == 0 {
			t.Errorf("%v is told as sure, though it is not known when the future is ready", c.Constraints)
		}
	}
}

// TestPool: which tasks may be in the queue. A guard's reads count for pruning 3; C is not read after the wait, and B
// is written by a call alone.
func TestPool(t *testing.T) {
	p := prepared(t, loadedOdd)
	for pruning, want := range map[int]string{1: "[apet.Both apet.SetA apet.SetM]", 2: "[apet.Both apet.SetA apet.SetM]", 3: "[apet.SetA]"} {
		r, err := p.Cases(t.Context(), "apet.Odd", "apet.Waits", tasks.Config{Queue: 1, Pruning: pruning})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Pool); got != want {
			t.Errorf("pruning %d: %s, want %s", pruning, got, want)
		}
	}
}
