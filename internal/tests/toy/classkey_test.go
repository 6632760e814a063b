package toy

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// pairs lists the dependent pairs of steps in the order in which they happened, as D1 to D6 of ClassKey say word by
// word: what an equivalence class of executions is by definition.
func pairs(model trace.Model, tr *trace.Trace) string {
	var list []string
	for i := range tr.Events {
		list = append(list, tr.Events[i].Step.ID.String())
		for j := range i {
			if depend(model, tr, j, i) {
				list = append(list, tr.Events[j].Step.ID.String()+"<"+tr.Events[i].Step.ID.String())
			}
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func depend(model trace.Model, tr *trace.Trace, i, j int) bool {
	x, y := &tr.Events[i], &tr.Events[j]
	if x.Step.Kind == trace.Advance || y.Step.Kind == trace.Advance { // D6
		return true
	}
	if x.Step.Kind != trace.Timer && y.Step.Kind != trace.Timer && x.Step.Actor == y.Step.Actor { // D1
		return true
	}
	return touches(model, tr, x, y) || touches(model, tr, y, x)
}

// touches says the same of x and y one way round.
func touches(model trace.Model, tr *trace.Trace, x, y *trace.Event) bool {
	queues := model.Queues()
	for _, m := range arriving(model, tr, x) {
		msg := &tr.Messages[m]
		for _, o := range arriving(model, tr, y) {
			same := tr.Messages[o].Receiver == msg.Receiver
			systems := tr.Messages[o].Kind == trace.System || msg.Kind == trace.System
			if same && queues && !systems { // D2
				return true
			}
			if same && tr.Messages[o].Kind == trace.System && msg.Kind == trace.System { // D3
				return true
			}
		}
		if msg.Kind == trace.System && y.Step.Kind != trace.Timer && y.Step.Actor == msg.Receiver { // D3
			return true
		}
		if msg.Kind == trace.User && slices.Contains(y.Stopped, msg.Receiver) { // D4
			return true
		}
	}
	if x.Step.Kind == trace.Timer { // D5
		return slices.Contains(y.Cancelled, x.Step.Message) || slices.Contains(y.Sent, x.Step.Message)
	}
	return false
}

// arriving gives the user, system and timeout messages that reach their receivers in an event.
func arriving(model trace.Model, tr *trace.Trace, ev *trace.Event) []int32 {
	ms := ev.Sent
	if model == trace.Mailbox || ev.Step.Kind == trace.Timer {
		if ms = nil; ev.Released >= 0 {
			ms = []int32{ev.Released}
		}
	}
	return slices.DeleteFunc(slices.Clone(ms), func(m int32) bool {
		c := tr.Messages[m].Kind
		return c == trace.Answer || c == trace.Timeout && ev.Step.Kind != trace.Timer
	})
}

// someFaults are injected into the programs of every third seed.
func someFaults(t *testing.T, seed uint64) trace.Faults {
	t.Helper()
	if seed%3 != 0 {
		return trace.Faults{}
	}
	f, err := trace.ParseFaults("all:2")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Two executions have the same key iff they have the same steps and order those that depend on each other alike.
func TestClassKeyIsTheDefinition(t *testing.T) {
	for _, model := range Models {
		classes := 0
		for seed := range uint64(150) {
			p := Random(seed, Full)
			cond := explore.Conditions{Model: model, Timers: TimerModes[seed%2], Faults: someFaults(t, seed)}
			s := NewSystem(p)
			byKey, byPairs := map[string]string{}, map[string]string{}
			s.Ended = func(string) {
				key, def := ClassKey(model, &s.x.tr), pairs(model, &s.x.tr)
				if old, known := byKey[key]; known && old != def {
					t.Fatalf("seed %d under %s: two executions with one key are not equivalent\n%s", seed, model, p)
				}
				if old, known := byPairs[def]; known && old != key {
					t.Fatalf("seed %d under %s: two equivalent executions have different keys\n%s", seed, model, p)
				}
				byKey[key], byPairs[def] = def, key
			}
			o := explore.Options{Conditions: cond, Budget: explore.Budget{Executions: 100}}
			if _, err := explore.Run(s, search.NewNaive(), o); err != nil {
				t.Fatal(err)
			}
			classes += len(byKey)
		}
		if classes < 400 {
			t.Errorf("%s: only %d classes", model, classes)
		}
	}
}

// A strategy that leaves out an execution of a class, or one that executes a class twice, is told so.
func TestCompareFindsFaults(t *testing.T) {
	for _, c := range []struct {
		what   string
		make   func() explore.Strategy
		demand Demand
		want   string
	}{
		{"naive visits classes more than once", naive, Exact, "executions: "},
		{"lazy misses classes", func() explore.Strategy { return &lazy{Naive: search.NewNaive()} }, Cover, "classes: "},
	} {
		_, err := Compare(c.make, CompareOptions{Demand: c.demand, Programs: 50, Limit: 100})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// lazy leaves out every fifth execution of naive.
type lazy struct {
	*search.Naive
	skipped int
}

func (l *lazy) Start() bool {
	if l.skipped++; l.skipped%5 == 0 {
		return l.Naive.Start() && l.Naive.Start()
	}
	return l.Naive.Start()
}
