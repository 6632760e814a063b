package exec_test

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds summaries of handlers to executions of the programs: each step that an actor takes satisfies the conditions of one path of its handler, which
// tells the state after the step, the messages, their receivers and the actors that are created.

// played are programs of native actors.
var played = []*actor.System{subjects.Bank(), subjects.Barber(2, 1), subjects.Chameneos(1), subjects.CheckErr(1), subjects.Fib(5), subjects.BoundedBuffer(2, 1), subjects.Gatling(3),
	subjects.Leader(3), subjects.LostSub(2, 2), subjects.Mergesort(4), subjects.Messenger(2), subjects.Philosophers(3), subjects.Pi(4), subjects.ProcReg(2, 1), subjects.Quicksort(6),
	subjects.Registry(), subjects.Regsim(4), subjects.ShortpathTriangle(), subjects.Spinsort(4), subjects.ThreadRing(5), subjects.TwoFlags(2), subjects.DHT()}

// player compares steps with paths.
type player struct {
	t        *testing.T
	program  *exec.Program
	summary  *summary.Program
	pkg      *types.Package
	handlers map[string]summary.Handler
	known    map[string]*summary.Summary

	states   map[int32]*node
	messages map[int32]*node
	snap     *snapshot

	judged, cut, skipped int
	why                  map[string]int
}

func TestTwinSubjects(t *testing.T) {
	p, err := summary.Load(load.Config{Dir: "../../subjects", Patterns: []string{"."}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	q := summary.New(p, store, newSolver(t, store))
	w := &player{t: t, program: q.Exec(), summary: q, handlers: map[string]summary.Handler{}, known: map[string]*summary.Summary{}, why: map[string]int{}}
	for _, pkg := range p.Packages {
		if pkg.Root {
			w.pkg = pkg.Types
		}
	}
	for _, h := range q.Handlers(t.Context()) {
		w.handlers[h.Actor+" "+h.Name()] = h
	}
	for _, sys := range played {
		_, err := explore.Run(sys, sample.NewRandom(3), explore.Options{
			Conditions: explore.Conditions{Model: trace.Bag, Horizon: time.Minute, Blocked: 10 * time.Second, Copy: true},
			Budget:     explore.Budget{Executions: 6}, Check: w, Rerun: true, MaxSteps: 300})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d steps are told by one path each, %d are in paths that are cut; of %d nothing is compared: %v", w.judged, w.cut, w.skipped, w.why)
	if w.judged < 500 || w.judged < 2*(w.cut+w.skipped) {
		t.Errorf("%d steps are compared, of %d: want 500 and two of three", w.judged, w.judged+w.cut+w.skipped)
	}
}

func (w *player) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

func (w *player) Step(x explore.Execution, event int32) []trace.Violation {
	tr := x.Trace()
	if event == 0 || w.states == nil {
		w.states, w.messages = map[int32]*node{}, map[int32]*node{}
		w.snap = &snapshot{pkg: w.pkg, ids: map[place]int{}}
	}
	e := &tr.Events[event]
	if a := e.Step.Actor; e.Step.Kind == trace.Deliver && e.Step.Message >= 0 && tr.Messages[e.Step.Message].Class == trace.User && w.states[a] != nil && !w.t.Failed() {
		w.judge(x, e)
	}
	for i := range tr.Actors {
		if b := x.State(int32(i)); b != nil {
			w.states[int32(i)] = w.snap.of(reflect.ValueOf(b))
		}
	}
	for i := range tr.Messages {
		if m := int32(i); w.messages[m] == nil && tr.Messages[i].Value != nil {
			w.messages[m] = w.snap.of(reflect.ValueOf(tr.Messages[i].Value))
		}
	}
	return nil
}

func (w *player) skip(why string) {
	w.skipped++
	w.why[why]++
}

// judge holds the paths of a handler to one step.
func (w *player) judge(x explore.Execution, e *trace.Event) {
	tr := x.Trace()
	m := &tr.Messages[e.Step.Message]
	name := tr.Actors[e.Step.Actor].Type.Name + " " + m.Type.Name
	h, ok := w.handlers[name]
	if !ok || x.State(e.Step.Actor) == nil || h.Fn.Signature.Recv() == nil {
		w.skip("no handler of that name")
		return
	}
	s := w.known[name]
	if s == nil {
		s = w.summary.Of(w.t.Context(), h, exec.Config{})
		w.known[name] = s
	}
	roots := map[string]*node{h.Fn.Params[0].Name(): w.states[e.Step.Actor], "msg": w.messages[e.Step.Message], "self": {ID: int(e.Step.Actor) + 1}, "sender": {ID: int(m.Sender) + 1}}
	var taken []*concrete
	for _, path := range s.Paths {
		c := &concrete{program: w.program, roots: roots, path: path, nodes: map[int]*node{}, model: &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}}
		if !c.fill(e) {
			w.skip("an answer, a choice, or a package variable")
			return
		}
		if c.holds() && !c.broken {
			taken = append(taken, c)
		}
	}
	w.compare(x, e, h, s, taken, name)
}

// fill gives the variables of the path their values. It reports false if there are some that are neither of the actor nor of the message.
func (c *concrete) fill(e *trace.Event) bool {
	for _, root := range c.roots {
		c.find(root)
	}
	for i, a := range e.Created {
		for _, ev := range c.path.Events {
			if ev.Op == "spawn" && ev.To.Name == fmt.Sprintf("spawn%d!ref", i+1) {
				c.model.Vars[ev.To] = term.WordValue(ev.To.Sort, uint64(a)+1)
			}
		}
	}
	for _, in := range c.path.Inputs {
		at := in.At
		for at.Up != nil {
			at = at.Up
		}
		if c.roots[at.Name] == nil {
			return false
		}
		c.model.Vars[in.Var] = c.value(in)
	}
	return true
}

// compare holds the path that is taken to the step.
func (w *player) compare(x explore.Execution, e *trace.Event, h summary.Handler, s *summary.Summary, taken []*concrete, name string) {
	tr := x.Trace()
	live := taken[:0]
	for _, c := range taken {
		if w.spawns(c) == len(e.Created) { // else a variable of a created actor has no value
			live = append(live, c)
		}
	}
	if len(live) == 0 && !s.Complete() {
		w.cut++
		return
	}
	if len(live) != 1 {
		w.t.Errorf("%s: %d paths hold, want one", name, len(live))
		return
	}
	c := live[0]
	switch path := c.path; {
	case path.Exit == exec.Cut:
		w.cut++
		return
	case !path.Exact() || dependsOnCapacity(path):
		w.skip("inexact")
		return
	}
	d := &dumper{concrete: c, seen: map[any]int{}}
	d.dump(c.path.Args[0], h.Fn.Params[0].Type())
	after := &realDumper{seen: map[place]int{}}
	after.dump(reflect.ValueOf(x.State(e.Step.Actor)))
	if c.broken {
		w.skip("a term could not be evaluated")
		return
	}
	if d.String() != after.String() {
		w.t.Errorf("%s: path %v tells the state\n%s\nthe execution\n%s", name, c.path.Decisions, d, after)
	}
	if told, was := w.told(c), w.sent(tr, e); told != was {
		w.t.Errorf("%s: path %v tells the messages\n%s\nthe execution\n%s", name, c.path.Decisions, told, was)
	}
	if panicked := len(e.Incidents) > 0 && e.Incidents[0].Kind == trace.Panic; panicked != (c.path.Exit == exec.Panic) {
		w.t.Errorf("%s: path %v ends by %v, the execution has the incidents %v", name, c.path.Decisions, c.path.Exit, e.Incidents)
	}
	w.judged++
}

func (w *player) spawns(c *concrete) (n int) {
	for _, e := range c.path.Events {
		if e.Op == "spawn" {
			n++
		}
	}
	return n
}

// told writes the messages of a path, and sent those of a step.
func (w *player) told(c *concrete) string {
	var b strings.Builder
	for _, e := range c.path.Events {
		if (e.Op == "send" || e.Op == "respond") && !e.Lost {
			d := &dumper{concrete: c, seen: map[any]int{}}
			d.dump(e.Msg, types.NewInterfaceType(nil, nil))
			fmt.Fprintf(&b, "to %d: %s\n", c.eval(e.To).Uint(), d)
		}
	}
	return b.String()
}

func (w *player) sent(tr *trace.Trace, e *trace.Event) string {
	var b strings.Builder
	for _, i := range e.Sent {
		if m := &tr.Messages[i]; m.Class == trace.User || m.Class == trace.Answer {
			d := &realDumper{seen: map[place]int{}}
			d.dump(reflect.ValueOf(&m.Value).Elem())
			fmt.Fprintf(&b, "to %d: %s\n", m.Receiver+1, d)
		}
	}
	return b.String()
}
