package concrete

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// Player holds summaries of handlers to executions of their program. What an actor does with a message has to satisfy
// the conditions of one path of its handler. That path tells the state afterwards, the messages, their receivers, the
// actors that are created, and whether the handler panics.
//
// It is a check of an exploration, which never finds anything: what differs is in Different, and after the first
// difference nothing is compared.
type Player struct {
	Judged, Cut int            // calls of handlers that are told by one path; that are in paths that are cut
	Skipped     map[string]int // calls of which nothing is compared, by reason
	Handlers    map[string]int // how often each was judged
	Different   []string

	// a message has the sender that its envelope names, or none, as in protoactor-go; else the actor that has sent it
	Envelopes bool

	program  *load.Program
	summary  *summary.Program
	handlers map[string]summary.Handler
	known    map[summary.Handler]*summary.Summary

	live     *live
	values   map[int32]any // of actors
	states   map[int32]*Node
	messages map[int32]*Node
	senders  map[int32]int // by envelope
	calls    map[int32]*call
}

// call is a run of a handler, which may take several steps.
type call struct {
	summary.Handler
	message  int32
	state    any // the actor, or the behaviour that handles the message
	roots    map[string]*Node
	answers  int
	sent     []int32
	created  []int32
	dead     []string // types of messages that are to nobody, such as answers that come too late
	panicked bool
}

// NewPlayer prepares the summaries of a program's handlers. The solver is one of the store.
func NewPlayer(ctx context.Context, p *load.Program, store *term.Store, solver solve.Solver) *Player {
	q := summary.New(p, store, solver)
	w := &Player{program: p, summary: q, handlers: map[string]summary.Handler{},
		known:   map[summary.Handler]*summary.Summary{},
		Skipped: map[string]int{}, Handlers: map[string]int{}}
	for _, h := range q.Handlers(ctx) {
		w.handlers[h.Actor+" "+h.Name()] = h
	}
	return w
}

// All gives the number of calls that were met.
func (w *Player) All() int {
	n := w.Judged + w.Cut
	for _, k := range w.Skipped {
		n += k
	}
	return n
}

// End implements the check of an exploration.
func (w *Player) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

// Step looks at what a step has done.
func (w *Player) Step(x explore.Execution, event int32) []trace.Violation {
	tr := x.Trace()
	if event == 0 || w.live == nil {
		w.live = newLive(x.(explore.Inspector), w.program.SSA)
		w.values, w.states, w.messages, w.senders, w.calls = map[int32]any{}, map[int32]*Node{}, map[int32]*Node{}, map[int32]int{}, map[int32]*call{}
	}
	if len(w.Different) == 0 {
		w.step(tr, &tr.Events[event])
	}
	for i := range tr.Actors {
		if v := x.State(int32(i)); v != nil {
			w.values[int32(i)], w.states[int32(i)] = v, w.live.node(reflect.ValueOf(v))
		}
	}
	x.Pending(func(m int32) {
		if v := tr.Messages[m].Value; v != nil {
			w.messages[m] = w.live.node(reflect.ValueOf(&tr.Messages[m].Value).Elem())
		}
		if _, known := w.senders[m]; !known {
			w.senders[m] = w.sender(m, &tr.Messages[m])
		}
	})
	return nil
}

// sender numbers who a message says has sent it. A future stands for the actor that asks.
func (w *Player) sender(m int32, msg *trace.Message) int {
	att := reflect.ValueOf(w.live.Attached(m))
	if !att.IsValid() || att.Kind() != reflect.Struct {
		return 0
	}
	from := att.FieldByName("sender")
	if !from.IsValid() {
		return 0
	}
	id, _ := w.live.reference(from)
	if id >= outsiders {
		w.live.owners[id] = int(msg.Sender) + 1
	}
	return id
}

func (w *Player) skip(why string) { w.Skipped[why]++ }

// step follows the calls of handlers.
func (w *Player) step(tr *trace.Trace, e *trace.Event) {
	a := e.Step.Actor
	switch {
	case e.Step.Kind == trace.Advance || e.Step.Kind == trace.Timer: // whoever waits may go on, in the middle of this step
		for range w.calls {
			w.skip("time passes while it waits")
		}
		clear(w.calls)
		return
	case e.Step.Message < 0:
		return
	case e.Step.Kind == trace.Deliver:
		if w.calls[a] != nil {
			w.skip("it gives its actor up")
		}
		delete(w.calls, a)
		if c := w.begin(tr, e); c != nil {
			w.calls[a] = c
		}
	case w.calls[a] != nil && e.Step.Kind == trace.Reply:
		w.calls[a].answered(w.messages[e.Step.Message])
	}
	c := w.calls[a]
	if c == nil {
		return
	}
	c.sent, c.created = append(c.sent, e.Sent...), append(c.created, e.Created...)
	for _, i := range e.Incidents {
		c.panicked = c.panicked || i.Kind == trace.Panic
		if i.Kind == trace.DeadLetter {
			c.dead = append(c.dead, i.Type)
		}
	}
	if e.Completed || c.panicked {
		delete(w.calls, a)
		w.judge(tr, a, c)
	}
}

// answered notes an answer that the handler has waited for.
func (c *call) answered(n *Node) {
	c.answers++
	c.roots[fmt.Sprint("answer", c.answers)] = n
	c.roots[fmt.Sprintf("answer%d.error", c.answers)] = &Node{}
}

// begin notes what a handler begins with, nil if nothing is known of it.
func (w *Player) begin(tr *trace.Trace, e *trace.Event) *call {
	a := e.Step.Actor
	m := &tr.Messages[e.Step.Message]
	// the framework handles it, and calls the actor with others
	if m.Kind == trace.System && !m.Starts || m.Value == nil ||
		w.states[a] == nil || w.messages[e.Step.Message] == nil {
		return nil
	}
	h, ok := w.handler(actorName(tr, a, w.values[a]), m)
	if !ok || h.Fn.Signature.Recv() == nil {
		w.skip("a function that is an actor")
		return nil
	}
	msg := w.messages[e.Step.Message]
	if h.Message != nil {
		msg = msg.E[0]
	}
	c := &call{Handler: h, message: e.Step.Message, state: w.values[a],
		roots: map[string]*Node{h.Fn.Params[0].Name(): w.states[a], "msg": msg, "self": {ID: int(a) + 1},
			"sender": {ID: int(m.Sender) + 1}, "parent": {ID: int(tr.Actors[a].Parent) + 1}}}
	if w.Envelopes {
		c.roots["sender"].ID = w.senders[e.Step.Message]
	}
	return c
}

// handler finds the handler of a message.
func (w *Player) handler(actor string, m *trace.Message) (h summary.Handler, ok bool) {
	for _, name := range []string{reflect.TypeOf(m.Value).String(), m.Type.Name, "any other"} {
		if h, ok = w.handlers[actor+" "+name]; ok {
			return h, true
		}
	}
	return h, false
}

// actorName names the type that handles a message: native actors may have become another one.
func actorName(tr *trace.Trace, a int32, state any) string {
	if t := reflect.TypeOf(state); t.Kind() != reflect.Func {
		return strings.TrimPrefix(t.String(), "*")
	}
	return tr.Actors[a].Type.Name
}

// of gives the summary of a handler.
func (w *Player) of(h summary.Handler) *summary.Summary {
	if w.known[h] == nil {
		w.known[h] = w.summary.Of(context.Background(), h, exec.Config{})
	}
	return w.known[h]
}
