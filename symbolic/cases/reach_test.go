package cases_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/trace"
)

// messages are those of the program by name.
var messages = map[string]reflect.Type{"Till.Open": reflect.TypeFor[Open](), "Till.Put": reflect.TypeFor[Put](), "Till.Take": reflect.TypeFor[Take](),
	"Till.Note": reflect.TypeFor[Note](), "Till.Seven": reflect.TypeFor[Seven](), "Till.Audit": reflect.TypeFor[Audit](), "Till.Part": reflect.TypeFor[*Part]()}

// build makes a value of the inputs of a chain.
func build(r *cases.Reached, name string, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	number := func(name string) (int64, string) {
		for _, in := range r.Inputs {
			if in.Var.Name == name {
				x := r.Model.Eval(in.Var)
				return x.Int(), x.Text
			}
		}
		return 0, ""
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(build(r, name+"."+t.Field(i).Name, t.Field(i).Type))
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(build(r, name, t.Elem()))
	case reflect.Slice:
		n, _ := number(name + "!len")
		for i := range int(n) {
			v.Set(reflect.Append(v, build(r, fmt.Sprintf("%s[%d]", name, i), t.Elem())))
		}
	case reflect.String:
		_, s := number(name)
		v.SetString(s)
	case reflect.Uint8:
		n, _ := number(name)
		v.SetUint(uint64(uint8(n)))
	default:
		n, _ := number(name)
		v.SetInt(n)
	}
	return v
}

// execute makes the actor of a chain and has it handle the messages for real. It gives what went wrong.
func execute(t *testing.T, c *cases.Case) string {
	t.Helper()
	r := c.Reached
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		made, err := NewTill(int(build(r, r.Start.Argument(0), reflect.TypeFor[int]()).Int()))
		if err != nil {
			t.Fatal(err)
		}
		ref := ctx.Spawn(made)
		for i, b := range r.Before {
			ctx.Send(ref, build(r, fmt.Sprintf("msg%d", i+1), messages[b.Name]).Interface())
		}
		ctx.Send(ref, build(r, "msg", messages[c.Target.Name]).Interface())
	})
	w := &watcher{}
	if _, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.FIFO}, Budget: explore.Budget{Executions: 1}, Check: w, Rerun: true}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(w.incidents, ", ")
}

// watcher notes what goes wrong in an execution.
type watcher struct{ incidents []string }

func (w *watcher) End(_ explore.Execution, _ bool, list []trace.Incident) []trace.Violation {
	for _, i := range list {
		w.incidents = append(w.incidents, fmt.Sprintf("%v: %s", i.Kind, i.Text))
	}
	return nil
}

func (w *watcher) Step(x explore.Execution, event int32) []trace.Violation {
	for _, i := range x.Trace().Events[event].Incidents {
		w.incidents = append(w.incidents, fmt.Sprintf("%v at event %d: %s", i.Kind, event, i.Text))
	}
	return nil
}

// TestReached: failures whose state can come about are found with the way to it, which fails for real in the same way.
// Others are not.
func TestReached(t *testing.T) {
	p := more(t)
	found, err := p.Select(`^Till\.`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range found {
		s := of(t, p, target, cases.Config{})
		judged(t, s)
		for _, c := range s.Cases {
			if !c.Verdict.Fails() {
				continue
			}
			way := "assumed"
			if r := c.Reached; r != nil {
				way = r.Start.Fn.Name()
				for _, b := range r.Before {
					way += " " + b.Name
				}
				way += ": " + execute(t, c)
			}
			got = append(got, fmt.Sprintf("%s %v: %s", target.Name, c.Verdict, way))
		}
	}
	want := []string{
		"Till.Audit failed: NewTill Till.Put: assertion at event 2: 1",
		"Till.Level panicked: assumed",
		"Till.Never panicked: assumed",
		"Till.Note panicked: NewTill Till.Note Till.Note: panic at event 3: three notes",
		"Till.Part panicked: NewTill Till.Part Till.Part: panic at event 3: parts",
		"Till.Seven panicked: NewTill Till.Open Till.Put: panic at event 3: seven",
		"Till.Take panicked: NewTill Till.Open: panic at event 2: short",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNotReached: with fewer messages before, and with what is assumed of these, a state does not come about.
func TestNotReached(t *testing.T) {
	p := more(t)
	for _, tt := range []struct {
		config  cases.Config
		reached bool
	}{
		{cases.Config{}, true},
		{cases.Config{Before: 1}, false},
		{cases.Config{Before: -1}, false},
		{cases.Config{Chains: 1}, false},
		{cases.Config{Assume: []string{"Put.N < 5"}}, false},
		{cases.Config{Assume: []string{"Put.N < 5"}, Before: 3}, true},
		{cases.Config{Numbers: &cases.Range{Least: 0, Most: 6}}, false},
	} {
		for _, c := range suite(t, p, "Till.Seven", tt.config).Cases {
			if c.Why == "panic" && (c.Reached != nil) != tt.reached {
				t.Errorf("%+v: reached %v, since %s", tt.config, c.Reached != nil, c.StateAssumed)
			}
		}
	}
}

// TestReachedProto: actors of protoactor-go, too. A board that nobody knows is subscribed first, or after another one.
func TestReachedProto(t *testing.T) {
	p := read(t, "../../examples/lostsub")
	var got []string
	for _, c := range suite(t, p, "feed.Publish", cases.Config{Elements: 2}).Cases {
		if r := c.Reached; r != nil {
			way := r.Start.Fn.Name()
			for _, b := range r.Before {
				way += " " + b.Name
			}
			got = append(got, fmt.Sprintf("%s: %s", c.Why, way))
		}
	}
	want := []string{"send to a nil reference: newFeed feed.Subscribe", "send to a nil reference: newFeed feed.Subscribe feed.Subscribe"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// waiting is an actor whose handler waits for one of its own.
const waiting = `package apet

import "github.com/rehearse-go/rehearse/actor"

type (
	Slow  struct{ base, left int }
	Begin struct{ N int }
	Add   struct{ N int }
	Tick  struct{}
)

func NewSlow(base int) *Slow { return &Slow{base: base} }

func (s *Slow) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case Add:
		s.left += m.N
	case Tick:
		s.left++
		ctx.Reply(s.left)
	case Begin:
		v, _ := ctx.Await(ctx.Ask(ctx.Self(), Tick{}))
		if v == 6 && m.N == s.base-1 {
			panic("six")
		}
		if s.base == 3 && v == -1 {
			ctx.T().Errorf("%d", s.left)
		}
		ctx.Reply(0)
	}
}
`

// TestReachedByTasks: the way to the state of a handler that waits, and what is restricted of it.
func TestReachedByTasks(t *testing.T) {
	p := more(t)
	for _, tt := range []struct {
		assume []string
		want   string
	}{
		{nil, "panicked -1 Slow.Add 5 from 0, failed 0 Slow.Add -2 from 3"},
		{[]string{"Begin.N == 9"}, "panicked 9 Slow.Add 5 from 10, failed 9 Slow.Add -2 from 3"},
		{[]string{"Add.N > 0"}, "panicked -1 Slow.Add 5 from 0, failed assumed"},
		{[]string{"Add.N > 2 && Add.N < 5"}, "panicked assumed, failed assumed"},
	} {
		s := suite(t, p, "Slow.Begin", cases.Config{Assume: tt.assume})
		var got []string
		for _, c := range s.Cases {
			if !c.Verdict.Fails() {
				continue
			}
			way := c.Verdict.String() + " assumed"
			if r := c.Reached; r != nil && len(r.Before) == 1 {
				number := func(name string) reflect.Value { return build(r, name, reflect.TypeFor[int]()) }
				way = fmt.Sprintf("%v %v %s %v from %v", c.Verdict, number("msg.N"), r.Before[0].Name, number("msg1.N"), number(r.Start.Argument(0)))
			}
			got = append(got, way)
		}
		if got := strings.Join(got, ", "); got != tt.want || !s.Tasks {
			t.Errorf("%v: got %q by tasks %v, want %q", tt.assume, got, s.Tasks, tt.want)
		}
	}
}

// TestTypesInTasks: types in the conditions of tasks are those of the program.
func TestTypesInTasks(t *testing.T) {
	text, _, list := reported(t, read(t, "../../examples/server"), "client.start", cases.Config{})
	if !strings.Contains(text, "answer1.(int)") || strings.Contains(text, "answer1 == nil") {
		t.Errorf("the conditions of answers are not on types:\n%s", text)
	}
	if len(list) != 1 || len(list[0].Cases) == 0 || !slices.ContainsFunc(list[0].Cases, func(c cases.CaseReport) bool { return len(c.Answers) > 0 }) {
		t.Error("there is no case with an answer")
	}
}

// TestReachedLate: when the time is over before any chain was tried, that is the reason. Chains without messages need
// none of what other handlers write.
func TestReachedLate(t *testing.T) {
	p := more(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, target := range p.Targets() {
		if target.Name != "Till.Seven" {
			continue
		}
		s, err := p.Suite(t.Context(), target, cases.Config{Before: -1})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		p.ReachAgain(ctx, s)
		for _, c := range s.Cases {
			if want := "the time was over before a way to it was found: 0 chains tried"; c.Verdict.Fails() && c.StateAssumed != want {
				t.Errorf("assumed, since %q: want %q", c.StateAssumed, want)
			}
		}
	}
}
