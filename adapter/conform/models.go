package conform

import (
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// models are all delivery models.
var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// Messages of the suite.
type (
	told struct{ n int }
	ask  struct{ n int }
	tick struct{}
	boom struct{}

	// hello and query carry the name of their sender.
	hello struct{ from string }
	query struct{ from string }
)

// script says what each actor does, in order, when it is told. An actor that is asked answers.
type script struct {
	name   string
	actors []string
	does   map[string][]move
	told   []string             // by the test, in this order
	halts  bool                 // actors are halted
	large  bool                 // under Mailbox, which is explored with REHEARSE_TOY only; of slow frameworks from 2 on
	long   bool                 // under Mailbox, which -short leaves out, and slow frameworks
	counts map[trace.Model]size // goldens
}

// move is one thing that an actor does: tell, ask and wait for the answer, or halt.
type move struct {
	call, halt bool
	to         string
}

func tell(to string) move { return move{to: to} }
func call(to string) move { return move{call: true, to: to} }
func halt(to string) move { return move{halt: true, to: to} }

// size is how many executions, classes and different ends a script has.
type size struct{ executions, classes, ends int }

// scripts are chosen so that the models differ.
var scripts = []script{
	// a and b send to c and d crosswise: parallel handlers allow what no sequence of handlers does.
	{name: "crossing", actors: []string{"a", "b", "c", "d"}, told: []string{"a", "b"}, long: true,
		does: map[string][]move{"a": {tell("c"), tell("d")}, "b": {tell("d"), tell("c")}},
		counts: map[trace.Model]size{
			trace.Bag:           {80, 4, 80},
			trace.FIFO:          {80, 4, 80},
			trace.Causal:        {80, 4, 80},
			trace.Mailbox:       {2072, 3, 62},
			trace.MailboxSerial: {32, 2, 32},
		}},
	// What a sends to c itself and what b sends to c because of a are ordered by cause only.
	{name: "triangle", actors: []string{"a", "b", "c"}, told: []string{"a", "b"}, long: true,
		does: map[string][]move{"a": {tell("c"), tell("b"), tell("c")}, "b": {tell("c")}},
		counts: map[trace.Model]size{
			trace.Bag:           {252, 48, 86},
			trace.FIFO:          {86, 12, 86},
			trace.Causal:        {72, 8, 72},
			trace.Mailbox:       {3992, 8, 72},
			trace.MailboxSerial: {16, 2, 16},
		}},
	// a and b call s, to which a has sent something before; what they do next depends on the answer.
	{name: "calls", actors: []string{"a", "b", "s"}, told: []string{"a", "b"}, large: true,
		does: map[string][]move{"a": {tell("s"), call("s"), tell("b")}, "b": {call("s"), tell("s")}},
		counts: map[trace.Model]size{
			trace.Bag:           {1225, 60, 1009},
			trace.FIFO:          {107, 7, 107},
			trace.Causal:        {107, 7, 107},
			trace.Mailbox:       {17145, 7, 107},
			trace.MailboxSerial: {47, 3, 47},
		}},
	// d halts a and then sends to b, both maybe after a has taken its message and before it sends. So mailbox has two
	// orders more than bag, in which the halt overtakes what its handler sent before.
	{name: "halted", actors: []string{"a", "b", "d"}, told: []string{"d"}, halts: true,
		does: map[string][]move{"d": {tell("a"), halt("a"), tell("b")}, "a": {tell("b")}},
		counts: map[trace.Model]size{
			trace.Bag:           {2, 1, 1},
			trace.FIFO:          {2, 1, 1},
			trace.Causal:        {2, 1, 1},
			trace.Mailbox:       {27, 4, 3},
			trace.MailboxSerial: {2, 1, 1},
		}},
}

// play plays the script.
func (p *script) play(j *features.Journal) func(*explore.T, Stage) {
	return func(t *explore.T, s Stage) {
		at := map[string]any{}
		t.SetUp(func() {
			for _, name := range p.actors {
				at[name] = s.Spawn(name, func() Actor {
					return Receive(func(s Stage, message any) {
						switch m := message.(type) {
						case query:
							j.Note("%s?%s", name, m.from)
							s.Respond(told{})
						case hello:
							j.Note("%s<%s", name, m.from)
							p.act(s, name, at, j)
						}
					})
				})
			}
		})
		for _, name := range p.told {
			s.Tell(at[name], hello{"driver"})
		}
	}
}

// act does what an actor does when it is told.
func (p *script) act(s Stage, name string, at map[string]any, j *features.Journal) {
	for _, m := range p.does[name] {
		switch {
		case m.halt:
			s.(Halter).Halt(at[m.to])
		case m.call:
			_, err := s.Call(at[m.to], query{name}, callTime)
			j.Note("%s! %v", name, err)
		default:
			s.Tell(at[m.to], hello{name})
		}
	}
}

// Under every delivery model a script has the executions that it has on native actors: as many, and of as many classes.
// The orders of receipt are the same, each as often. An optimal strategy executes each class once.
func (f *Framework) testModels(t *testing.T) {
	for _, p := range scripts {
		if p.halts && !f.has(Halt) {
			continue
		}
		for _, model := range models {
			if testing.Short() && model != trace.FIFO && model != trace.Mailbox { // these have all hand-overs
				continue
			}
			scale := features.Scale(t)
			left := p.large && (scale == 0 || f.Slow && scale < 2) || p.long && (testing.Short() || f.Slow && scale == 0)
			if left && model == trace.Mailbox {
				continue
			}
			t.Run(p.name+"/"+model.String(), func(t *testing.T) { f.compareScript(t, &p, model) })
		}
	}
}

func (f *Framework) compareScript(t *testing.T, p *script, model trace.Model) {
	var j features.Journal
	want, native := count(t, nativeSystem(p.play(&j)), &j, model)
	got, s := count(t, f.System(p.play(&j)), &j, model)
	few, err := (&agree.Program{System: f.System(p.play(&j)), Conditions: explore.Conditions{Model: model},
		State: j.String, Before: j.Reset}).Show("optimal")
	if err != nil || !few.Exhausted {
		t.Fatalf("optimal: %v, %v: want it to be complete", few, err)
	}
	if f.difference(t) != nil {
		if orders := slices.Sorted(maps.Keys(got)); !slices.Equal(orders, slices.Sorted(maps.Keys(want))) {
			t.Errorf("the orders are %q, on native actors %v", orders, want)
		}
		if s == native {
			t.Errorf("there is no difference any more: %v", s)
		}
		return
	}
	if s != native || s != p.counts[model] {
		t.Errorf("executions, classes and ends: %v, on native actors %v, want %v", s, native, p.counts[model])
	}
	if !maps.Equal(got, want) {
		t.Errorf("executions by journal:\n%v\non native actors\n%v", got, want)
	}
	if few.Executions != s.classes || len(few.Classes) != s.classes {
		t.Errorf("optimal: %v: want one execution of each of %d classes", few, s.classes)
	}
}

// count executes everything, and counts executions by their journals.
func count(t *testing.T, sys explore.System, j *features.Journal, model trace.Model) (map[string]int, size) {
	t.Helper()
	p := agree.Program{System: sys, Conditions: explore.Conditions{Model: model}, Before: j.Reset, Limit: 50_000}
	journals := map[string]int{}
	p.State = func() string {
		journals[j.String()]++
		return ""
	}
	s, err := p.Show("naive")
	if err != nil || !s.Exhausted {
		t.Fatalf("%v, %v: want all executions", s, err)
	}
	return journals, size{s.Executions, len(s.Classes), len(journals)}
}
