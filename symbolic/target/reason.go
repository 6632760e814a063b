package target

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file says why an exhausted search is no proof that there is no way. A handler does what is not modelled, or a
// bound of its exploration has cut something. Only what may run counts: the flow graph excludes paths that no actor of
// the start, and none that is created, may take.
//
//	assumes: what the flow graph leaves out cannot run as long as nothing is doubtful of what may run

// doubts collects reasons.
type doubts struct {
	e      *Engine
	list   []string
	runs   map[*route]bool
	shared []cell // that may be written behind pointers
}

// doubts gives the reasons why ways may be missing.
func (e *Engine) doubts() []string {
	d := &doubts{e: e, runs: e.flow.runs()}
	for _, a := range e.start.Actors {
		if a.Fn == nil {
			d.add("nothing is known of what handles the messages of %s", a.Name)
		}
		if a.Under > 0 {
			d.add("%s has behaviours to go back to, which are not looked at", a.Name)
		}
	}
	var routes []*route
	for _, fn := range e.lib.fns {
		for _, h := range e.lib.handlers[fn] {
			if e.flow.handled(h) {
				d.handler(h)
			}
			for _, r := range h.routes {
				if d.runs[r] {
					routes = append(routes, r)
					d.writes(r)
				}
			}
		}
	}
	for _, r := range routes {
		d.route(r)
	}
	return d.list
}

// add notes a reason, once.
func (d *doubts) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(d.list, text) {
		d.list = append(d.list, text)
	}
}

// at notes a reason with its place, once.
func (d *doubts) at(pos token.Pos, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if pos.IsValid() {
		text = d.e.loaded.Position(pos) + ": " + text
	}
	d.add("%s", text)
}

// modelled are the operations of events of which the search knows all that they may lead to. Of some it knows more than
// that: a stop, a cancelled timer and a call exclude ways, values and orders, and give none that the search does not
// see. What they exclude is left to the execution of a plan. Messages of the framework that come of a stop or a watch
// may come at any time.
var modelled = map[string]bool{"send": true, "request": true, "forward": true, "respond": true, "spawn": true,
	"unhandled": true, "choose": true, "fail": true, "become": true,
	"unbecome": true, "stop": true, "watch": true, "unwatch": true, "timeout": true, "timer": true, "cancel": true,
	"call": true, "ask": true, "await": true, exec.HookPanics: true}

// beyond says what of GoAkt is not followed, by operation.
var beyond = map[string]string{"call": "what supervision does where nobody answers is not followed",
	"stop": "the end of an actor is not followed", "spawn": "whether the name of an actor is in use is not followed",
	"timer": "timers are not followed"}

// handler notes what the exploration of a handler has left out. What a bound has cut may be what no actor here can do:
// then it is not missed.
func (d *doubts) handler(h *handler) {
	if h.sum.Defect != "" {
		d.at(h.fn.Pos(), "%s", h.sum.Defect)
	}
	for _, why := range slices.Sorted(maps.Keys(h.sum.Cuts)) {
		known, may := 0, false
		for _, r := range h.routes {
			if r.path.Exit == exec.Cut && r.path.Why == why {
				known++
				may = may || d.runs[r]
			}
		}
		if may || known < h.sum.Cuts[why] {
			d.at(h.fn.Pos(), "%s of %s: cut: %s", h.fn.Name(), typeText(h.msg), why)
		}
	}
}

// route notes what a path does that may lead to ways that the search does not see.
func (d *doubts) route(r *route) {
	for _, m := range r.path.Marks {
		if m.Kind == exec.Havoc {
			d.at(m.Pos, "%s", m.What)
		}
	}
	for i := range r.path.Events {
		ev := &r.path.Events[i]
		if why := beyond[ev.Op]; why != "" && d.e.goakt() {
			d.at(ev.Pos, "%s", why)
		}
		if d.e.goakt() && ev.Type != nil && typeText(ev.Type) == "*actor.PoisonPill" {
			d.at(ev.Pos, "%s", beyond["stop"])
		}
		switch {
		case ev.Op == "timer" && d.e.lib.special[ev.Pos] == "Repeatedly":
			d.at(ev.Pos, "a timer that fires more than once is not followed")
		case !modelled[ev.Op]:
			d.at(ev.Pos, "%s is not followed", ev.Op)
		case ev.Type == nil && ev.Op == "respond" && !d.e.proto() && !d.e.flow.plain(r): // an answer
		case ev.Type == nil && roles[ev.Op] == message && !ev.Lost:
			d.at(ev.Pos, "a message whose type is not known")
		case roles[ev.Op] == spawn && r.passes() && d.e.handles(ev) == nil:
			d.at(ev.Pos, "nothing is known of the actor that is created")
		case roles[ev.Op] == spawn && r.passes() && !d.e.proto() && !ev.Hooked && hasHook(ev.Type):
			d.at(ev.Pos, "what the start hook of a new actor does is not followed, since its source was not read")
		case ev.Op == "become" && (!d.e.proto() || d.e.goakt()) && d.e.handles(ev) == nil,
			ev.Op == "unbecome" && d.e.goakt(): // it goes back to the first, or only one back
			d.at(ev.Pos, "which behaviour %s goes on with", ev.Op)
		}
	}
	d.reads(r)
}

// panics says where something may come after a panic, which the search does not follow: what protoactor-go's
// supervision does. A panic that is the target itself does not count: the first one has none before it.
func (e *Engine) panics() []string {
	d := &doubts{e: e}
	for _, r := range e.flow.panicking() {
		if !r.reaches(e.target) || !e.last(r) {
			d.at(r.path.Pos, "what comes after a panic is not followed")
		}
	}
	return d.list
}

// panicking gives the routes that some actor may take and that panic where the search does not follow what becomes of
// it, in their order.
func (f *flow) panicking() (list []*route) {
	runs := f.runs()
	for _, r := range f.e.lib.routes {
		if runs[r] && r.path.Exit == exec.Panic && !r.broken {
			list = append(list, r)
		}
	}
	return list
}

// hasHook reports whether a native actor of a type has a start hook.
func hasHook(t types.Type) bool {
	if t == nil {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, "Start")
	fn, ok := m.(*types.Func)
	return ok && starts(fn.Signature())
}

// starts reports whether a method of the name Start is a start hook by its signature.
func starts(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 0 &&
		model.TypeName(sig.Params().At(0).Type()) == "actor.Context"
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
