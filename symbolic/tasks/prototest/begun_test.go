package prototest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file compares what is there when the actors of a program were started: read from the compiled program, and
// executed symbolically.

// identities of memory depend on when it was made.
var identities = regexp.MustCompile(`int16\(-?\d{4,}\)`)

var references = regexp.MustCompile(`ref (an identity|int16\(\d+\))`)

// described writes a start.
func described(s *system.Start) string {
	var b strings.Builder
	for i, a := range s.Actors {
		fmt.Fprintf(&b, "%d %s: %s by %v, fresh %v, %v\n", i, a.Name, a.Type, a.Fn, a.Fresh, a.State)
	}
	for _, m := range s.Sent {
		fmt.Fprintf(&b, "%d to %d: %v %v, always %v\n", m.From, m.To, m.Type, m.Flat, m.Always)
	}
	return identities.ReplaceAllString(b.String(), "an identity")
}

func TestTwinBegun(t *testing.T) {
	l, p := wholeProgram(t)
	compared := 0
	for _, pkg := range l.Packages {
		for name, make := range whole {
			fn := pkg.SSA.Func(name)
			if fn == nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				d := p.DriversOf(fn)[0]
				first, err := p.Start(t.Context(), d, system.Config{})
				if err != nil {
					t.Fatal(err)
				}
				want, open := p.Begin(t.Context(), first, system.Config{})
				state := concrete.Start(t, make(), explore.Conditions{})
				if on := d.RanBegun(state); (on == nil) != (want == nil) {
					t.Fatalf("run for real %v, executed symbolically %v: %s", state.Begun, want, open)
				} else if on != nil {
					got, err := p.Start(t.Context(), on, system.Config{})
					if err != nil {
						t.Fatal(err)
					}
					if len(got.Inexact) > 1 || open != "" {
						t.Log("not all was read:", got.Inexact, open)
						return
					}
					a, b := described(got), described(want)
					if strings.HasPrefix(name, "wholeDeadlock") {
						// it makes references of names: what they refer to is known when somebody sends to them
						a, b = references.ReplaceAllString(a, "ref"), references.ReplaceAllString(b, "ref")
					}
					if a != b {
						t.Errorf("run for real\n%s\nexecuted symbolically\n%s", a, b)
					}
					compared++
				}
			})
		}
	}
	if compared < 21 {
		t.Errorf("of %d programs %d were compared, want 21", len(whole), compared)
	}
}

// lender knows what it has read when it began.
type lender struct{ known int }

func (l *lender) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Started); ok {
		data, err := os.ReadFile("go.mod")
		if err != nil {
			panic(err)
		}
		l.known = len(strings.Fields(string(data)[:6]))
	}
}

func readsWhenItBegins() explore.System {
	return protoactor.System(func(*explore.T) {
		s := actor.NewActorSystem()
		s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &lender{} })), 1)
	})
}

// TestBegunOpen: of an actor that reads a file when it begins, the execution of that says that it leaves something
// open, and the compiled program has what was read.
func TestBegunOpen(t *testing.T) {
	l, p := wholeProgram(t)
	for _, pkg := range l.Packages {
		fn := pkg.SSA.Func("readsWhenItBegins")
		if fn == nil {
			continue
		}
		d := p.DriversOf(fn)[0]
		first, err := p.Start(t.Context(), d, system.Config{})
		if err != nil || len(first.Inexact) > 0 {
			t.Fatalf("the driver itself leaves nothing open: %v, %+v", err, first)
		}
		if _, open := p.Begin(t.Context(), first, system.Config{}); !strings.HasSuffix(open, ": os.ReadFile") {
			t.Errorf("open is %q, want os.ReadFile", open)
		}
		s, err := p.Start(t.Context(), d.RanBegun(concrete.Start(t, readsWhenItBegins(), explore.Conditions{})), system.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Actors[0].State); !strings.Contains(got, "{l.known 1}") || len(s.Inexact) != 1 {
			t.Errorf("it holds %s, want 1; open %v, want what comes before alone", got, s.Inexact)
		}
		return
	}
	t.Fatal("there is no such driver")
}
