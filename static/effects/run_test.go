package effects

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// watcher compares every step with what the facts say of it.
type watcher struct {
	f       *facts.File
	states  map[int32]map[string]string // of actors before the step
	first   map[int32]reflect.Type      // behaviour at the first look
	checked int
	unknown int
	wrong   map[string]bool
}

func (w *watcher) Step(x explore.Execution, event int32) []trace.Violation {
	tr := x.Trace()
	if event == 0 {
		w.states, w.first = map[int32]map[string]string{}, map[int32]reflect.Type{}
	}
	e := &tr.Events[event]
	if a := e.Step.Actor; e.Step.Kind == trace.Deliver && e.Step.Message >= 0 && tr.Messages[e.Step.Message].Kind == trace.User && w.states[a] != nil && a > 0 {
		w.judge(x, e, a)
	}
	for i := range tr.Actors {
		a := int32(i)
		if b := x.State(a); b != nil {
			if w.first[a] == nil {
				w.first[a] = reflect.TypeOf(b)
			}
			w.states[a] = fieldsOf(tr, b)
		}
	}
	return nil
}

func (w *watcher) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

func (w *watcher) bad(format string, args ...any) { w.wrong[fmt.Sprintf(format, args...)] = true }

// judge holds one step to its fact.
func (w *watcher) judge(x explore.Execution, e *trace.Event, a int32) {
	tr := x.Trace()
	msg := tr.Messages[e.Step.Message].Type.Name
	who := tr.Actors[a].Type.Name
	h := w.f.Of(who, msg)
	b := x.State(a)
	if h == nil || h.Unknown != "" || b == nil || reflect.TypeOf(b) != w.first[a] {
		w.unknown++
		return
	}
	w.checked++
	what := msg + " by " + who
	for name, now := range fieldsOf(tr, b) {
		if now != w.states[a][name] && !slices.ContainsFunc(h.Writes, func(p string) bool { return p == facts.WholeState || facts.Root(p) == name }) {
			w.bad("%s: field %s has changed, and the facts say %v", what, name, h.Writes)
		}
	}
	for _, m := range e.Sent {
		sent := &tr.Messages[m]
		if sent.Kind != trace.User && sent.Kind != trace.Answer || sent.Type.Name == "actor.Terminated" {
			continue
		}
		to := tr.Actors[sent.Receiver].Type.Name
		if !slices.ContainsFunc(h.Sends, func(s facts.Send) bool {
			return (s.Message == sent.Type.Name || s.Message == "?" || s.Message == facts.Same && sent.Type.Name == msg) &&
				(len(s.To) == 0 || slices.Contains(s.To, to))
		}) {
			w.bad("%s: sends %s to %s, and the facts say %v", what, sent.Type.Name, to, h.Sends)
		}
	}
	for what2, is := range map[string]struct{ did, said bool }{
		"creates actors":        {len(e.Created) > 0, len(h.Spawns) > 0},
		"stops":                 {len(e.Stopped) > 0 && len(e.Incidents) == 0, h.Stops},
		"changes its behaviour": {e.Changes, h.Becomes},
	} {
		if is.did && !is.said {
			w.bad("%s: %s, and the facts do not say so", what, what2)
		}
	}
}

// hold runs random executions of a program and gives what broke the facts.
func hold(t *testing.T, f *facts.File, sys *actor.System, model trace.Model, n int) *watcher {
	t.Helper()
	w := &watcher{f: f, wrong: map[string]bool{}}
	_, err := explore.Run(sys, sample.NewRandom(7), explore.Options{
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, Blocked: 10 * time.Second, Copy: true},
		Budget:     explore.Budget{Executions: n}, Check: w, Rerun: true, MaxSteps: 500})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A field that changed is in the write set, and everything that was sent, created, stopped or changed was announced: in
// random executions of every subject.
func TestSubjectsKeepToFacts(t *testing.T) {
	f := subjectFacts(t)
	checked, unknown := 0, 0
	for _, p := range programs {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO} {
			w := hold(t, f, p.make(), model, 30)
			for what := range w.wrong {
				t.Errorf("%s under %s: %s", p.name, model, what)
			}
			if w.checked == 0 {
				t.Errorf("%s: no step was checked", p.name)
			}
			checked, unknown = checked+w.checked, unknown+w.unknown
		}
	}
	t.Logf("%d steps kept to what is said of them; of %d nothing is said", checked, unknown)
	if unknown*4 > checked {
		t.Errorf("nothing is said about %d of %d steps: that is more than one of five", unknown, unknown+checked)
	}
}

// Facts with anything left out are found to be broken: else the test above could not fail.
func TestBrokenFactsShow(t *testing.T) {
	for name, spoil := range map[string]func(h *facts.Handler){
		"writes": func(h *facts.Handler) { h.Writes = nil },
		"sends":  func(h *facts.Handler) { h.Sends = nil },
		"spawns": func(h *facts.Handler) { h.Spawns = nil },
		"stops":  func(h *facts.Handler) { h.Stops = false },
		"receivers": func(h *facts.Handler) {
			h.Sends = slices.Clone(h.Sends)
			for i := range h.Sends {
				h.Sends[i].To = []string{"a.Stranger"}
			}
		},
	} {
		f := *subjectFacts(t)
		f.Handlers = slices.Clone(f.Handlers)
		for i := range f.Handlers {
			spoil(&f.Handlers[i])
		}
		n := 0
		for _, p := range programs {
			if len(hold(t, &f, p.make(), trace.Bag, 3).wrong) > 0 {
				n++
			}
		}
		t.Logf("without %s: %d of %d programs show it", name, n, len(programs))
		if n < 5 {
			t.Errorf("facts without %s are broken in %d programs, want more", name, n)
		}
	}
}
