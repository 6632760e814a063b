package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// event is what a reader of the file needs.
type event struct {
	Event   int
	Kind    string
	ID      string
	Actor   string
	Parent  *int
	Message *struct{ ID, From, To, Type string }
	Sent    []struct{ ID string }
	Created []struct{ Name string }
	Clock   map[string]int
}

func encodeTrace(t *testing.T, tr *trace.Trace) []event {
	t.Helper()
	var b bytes.Buffer
	if err := trace.EncodeTrace(&b, tr); err != nil {
		t.Fatal(err)
	}
	var events []event
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		events = append(events, e)
	}
	if len(events) != len(tr.Events) {
		t.Fatalf("%d lines for %d events", len(events), len(tr.Events))
	}
	return events
}

// The clocks order two events iff a chain of sends, creations and steps of one actor leads from one to the other. The
// chains are found in the file alone, by brute force.
func TestTraceClocks(t *testing.T) {
	ordered, concurrent := 0, 0
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		for seed := range uint64(100) {
			o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 2}}
			o.After = func(_ *explore.Counters, tr *trace.Trace) {
				events := encodeTrace(t, tr)
				reach := reachability(events)
				for x := range events {
					for y := range events {
						if leq(events[x].Clock, events[y].Clock) != reach[x][y] {
							t.Fatalf("%s, seed %d: events %d and %d: clocks %v, %v; a chain: %v", model, seed, x, y,
								events[x].Clock, events[y].Clock, reach[x][y])
						}
						if reach[x][y] {
							ordered++
						} else if !reach[y][x] {
							concurrent++
						}
					}
				}
			}
			if _, err := explore.Run(toy.NewSystem(toy.Random(seed, toy.All)), sample.NewRandom(seed), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ordered == 0 || concurrent == 0 {
		t.Errorf("%d pairs ordered, %d concurrent: the comparison says little", ordered, concurrent)
	}
}

func reachability(events []event) [][]bool {
	reach := make([][]bool, len(events))
	for x := range events {
		reach[x] = make([]bool, len(events))
		for y := x; y < len(events); y++ {
			e := events[y]
			reach[x][y] = x == y || events[x].Actor == e.Actor || e.Parent != nil && *e.Parent == x ||
				slices.ContainsFunc(events[x].Created, func(c struct{ Name string }) bool { return c.Name == e.Actor })
		}
	}
	for k := range events {
		for x := range events {
			for y := range events {
				reach[x][y] = reach[x][y] || reach[x][k] && reach[k][y]
			}
		}
	}
	return reach
}

func leq(x, y map[string]int) bool {
	for a, n := range x {
		if n > y[a] {
			return false
		}
	}
	return true
}

// A parent is the event that made the message available: under mailbox its release, which may be later than its
// sending.
func TestTraceParents(t *testing.T) {
	released := 0
	for seed := range uint64(50) {
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: 1}}
		o.After = func(_ *explore.Counters, tr *trace.Trace) {
			for i, e := range encodeTrace(t, tr) {
				if e.Message == nil {
					continue
				}
				if *e.Parent >= i {
					t.Fatalf("event %d has parent %d", i, *e.Parent)
				}
				if tr.Events[*e.Parent].Step.Kind == trace.Send {
					if id := tr.Messages[tr.Events[*e.Parent].Released].ID.String(); id != e.Message.ID {
						t.Fatalf("event %d delivers %s, its parent released %s", i, e.Message.ID, id)
					}
					released++
				}
			}
		}
		if _, err := explore.Run(toy.NewSystem(toy.Random(seed, toy.All)), sample.NewRandom(seed), o); err != nil {
			t.Fatal(err)
		}
	}
	if released == 0 {
		t.Error("no delivery followed a release")
	}
}

// Nothing before an advance of the clock is concurrent with anything after it, and names that look alike are told
// apart.
func TestTraceAdvance(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	a := tr.AddActor(tr.TypeNamed("x.A"), "A", 0, start)
	b := tr.AddActor(tr.TypeNamed("x.B"), "A", 0, start)
	tr.AddActor(tr.TypeNamed("x.C"), "A#1", 0, start)
	m := tr.AddMessage(tr.TypeNamed("x.M"), trace.User, 0, a, start, nil)
	n := tr.AddMessage(tr.TypeNamed("x.M"), trace.User, 0, b, start, nil)
	tr.Begin(tr.DeliveryOf(m))
	tr.Begin(trace.AdvanceStep(0))
	tr.Begin(tr.DeliveryOf(n))
	events := encodeTrace(t, &tr)
	if !leq(events[1].Clock, events[3].Clock) {
		t.Errorf("clocks %v and %v are not ordered across the advance", events[1].Clock, events[3].Clock)
	}
	names := map[string]bool{}
	for _, c := range events[0].Created {
		names[c.Name] = true
	}
	if len(names) != 3 {
		t.Errorf("three actors are called %v", names)
	}
	if err := trace.EncodeTrace(brokenPipe{}, &tr); err == nil || !strings.Contains(err.Error(), "event 0") {
		t.Errorf("error %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
