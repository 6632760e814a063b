package system

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file begins executions in a state that the compiled driver has come to, in place of executing the driver.
//
//	ran.go       actors and messages
//	ranvalue.go  what they hold
//	rantypes.go  types and functions by their names in the compiled program
//
//	differs: nothing of the driver is executed that comes behind the state: what it does when somebody answers it, and
//	         what it has registered for the end
//	assumes: no time has passed

// RanAs gives a driver whose executions begin in a state that its compiled code has come to: one that was told of the
// driver's place.
func (d *Driver) RanAs(s *startstate.State) *Driver {
	ran := *d
	ran.Ran = s
	return &ran
}

// RanBegun gives a driver whose executions begin where its compiled code has started all actors, nil where none was to
// be started, or that was not told.
func (d *Driver) RanBegun(s *startstate.State) *Driver {
	if s.Begun == nil || s.Begun.Err != "" {
		return nil
	}
	on := d.RanAs(s.Begun)
	on.Begun = true
	return on
}

// Made reports whether a state is of the system that is made at the place of a driver.
func (p *Program) Made(d *Driver, s *startstate.State) bool {
	want := p.load.Fset.Position(d.Pos)
	return slices.ContainsFunc(s.Made,
		func(at startstate.Place) bool { return at.Line == want.Line && at.File == want.Filename })
}

// Elsewhere gives the driver of a state whose system is made in the function of another driver, at a place that Drivers
// does not know: by a function value. It is nil if the state is none of that function's, or one of those that are
// known.
func (p *Program) Elsewhere(d *Driver, s *startstate.State) *Driver {
	for _, known := range p.DriversOf(d.Entry) {
		if p.Made(known, s) {
			return nil
		}
	}
	for _, at := range s.Made {
		for _, fn := range literals(d.Entry) {
			if c := p.dynamicCall(fn, at); c != nil {
				other := &Driver{Entry: d.Entry, Pos: c.Pos(), Proto: d.Proto}
				return other.RanAs(s)
			}
		}
	}
	return nil
}

// dynamicCall gives the call of a function value at a place, nil if there is none.
func (p *Program) dynamicCall(fn *ssa.Function, at startstate.Place) ssa.Instruction {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok && in.Pos().IsValid() && c.Common().StaticCallee() == nil {
				if pos := p.load.Fset.Position(in.Pos()); pos.Line == at.Line && pos.Filename == at.File {
					return in
				}
			}
		}
	}
	return nil
}

// restores makes what the compiled driver has made. It runs in the place of the driver.
func (w *world) restores() {
	s := w.driver.Ran
	r := &restorer{world: w, state: s, names: w.p.namesOf(w.driver), memory: map[int]exec.Value{}}
	w.m.Began(r.variable)
	for _, what := range append(slices.Clone(s.Unread), firstLine(s.Err), chosen[s.Chose]) {
		if what != "" {
			w.unread(what)
		}
	}
	if w.driver.Begun {
		w.unread("what happens before all actors are started")
	}
	if w.captured {
		w.unread("what functions of the Config capture")
	}
	if s.SetUp {
		w.phase = settingUp
		r.part(true)
		w.beginEvent(w.nextPart())
		w.endSetUp()
		w.runner = w.actors[0]
	}
	r.part(false)
	for i := range s.Actors { // when all are there
		r.actor(&s.Actors[i], w.actors[i+1])
	}
	for i := range s.Messages {
		r.message(&s.Messages[i], i)
	}
	if s.Waits != "" {
		w.unread("what the driver does when it does not wait any more for " + s.Waits)
		w.park(w.actors[0].cur)
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

var chosen = map[bool]string{true: "what the driver does with other values that it chooses than the first"}

// Guesses reports whether a way depends on what was not read of a driver that was run for real: there it may be
// otherwise.
func (w *Way) Guesses() bool {
	return slices.ContainsFunc(w.Path.PC, func(c exec.Cond) bool {
		return !c.Given && slices.ContainsFunc(term.Vars(c.Term),
			func(v *term.Term) bool { return strings.HasPrefix(v.Name, unreadInput) })
	})
}

// unreadInput begins the names of inputs that stand for what was not read.
const unreadInput = "unread"

// unread notes that something of the state is not known.
func (w *world) unread(what string) {
	w.marked = true
	w.m.Mark(exec.Env, "%s", what)
}

// part creates the actors of set-up, or the others.
func (r *restorer) part(early bool) {
	for i := range r.state.Actors {
		if s := &r.state.Actors[i]; s.Early == early {
			r.tr.AddActor(r.tr.TypeNamed(s.Type), s.Name, int32(s.Parent)+1, r.event)
			r.newAgent()
		}
	}
}

// restorer makes values, actors and messages of a state.
type restorer struct {
	*world
	state  *startstate.State
	names  *compiled
	memory map[int]exec.Value // what was made of startstate.State.Memory
	count  int                // of inputs
}

// actor makes an actor.
func (r *restorer) actor(s *startstate.Actor, a *agent) {
	name := r.tr.ActorName(a.index)
	if a.id = s.ID; r.driver.Proto {
		parent := r.actors[s.Parent+1]
		a.parent = parent.index
		if !s.Stopped {
			parent.children = append(parent.children, a.index)
		}
	}
	if s.Stopped {
		a.stopped = true
		r.pool.Stop(a.index)
		a.value = exec.Face{}
		return
	}
	if s.Unread != "" {
		r.unread(fmt.Sprintf("of %s: %s", name, s.Unread))
	}
	a.value = r.value(&s.Behaves, anyType, name)
	for i := range s.Before {
		a.previous = append(a.previous, r.value(&s.Before[i], anyType, name))
	}
	for _, to := range s.Watched {
		a.watchers = append(a.watchers, watcher{int32(to) + 1})
	}
}

// message makes a message.
func (r *restorer) message(s *startstate.Message, n int) {
	from, to := r.actors[s.From+1], int32(s.To)+1
	if s.Early {
		defer func(now int32) { r.event = now }(r.event)
		r.event = 0
	}
	switch {
	case s.Class == "system" && s.Type == "actor.Started" && r.driver.Proto:
		i := r.world.message(from, to, trace.System, s.Type, letter{kind: startedKind, msg: r.proto().own("Started")})
		r.tr.Messages[i].Starts = true
		r.reaches(i, s.Early)
		return
	case s.Class != "user":
		r.unread(fmt.Sprintf("a message of the framework to %s: %s (%s)", r.tr.ActorName(to), s.Type, s.Class))
		return
	}
	x := letter{msg: r.value(&s.Value, anyType, fmt.Sprintf("message %d to %s", n+1, r.tr.ActorName(to)))}
	if r.driver.Proto {
		x.sender = r.replies(s)
	} else if s.Call {
		x.call = &call{asker: int32(s.From) + 1, callee: to, request: -1, answer: -1, state: callGivenUp}
		r.calls = append(r.calls, x.call)
	}
	if s.From < 0 && !s.Early && r.notes() {
		r.note(to, x.msg, x.sender, x.call)
		return
	}
	r.reaches(r.world.message(from, to, trace.User, s.Type, x), s.Early)
}

// reaches puts a message on its way: one of set-up has been released.
func (r *restorer) reaches(i int32, early bool) {
	if early {
		r.pool.Post(i)
	} else {
		r.dispatch(i)
	}
}

// replies gives who gets the answer to a message.
func (r *restorer) replies(s *startstate.Message) *term.Term {
	switch {
	case s.Call: // by a future, for whose answer somebody waits
		c := &call{number: len(r.calls) + 1, asker: int32(s.From) + 1, request: -1, answer: -1}
		r.calls = append(r.calls, c)
		return r.proto().futureRef(c)
	case s.Reply.Kind == startstate.Actor_:
		return r.actors[s.Reply.Index+1].ref
	case s.Reply.Kind == startstate.Unread:
		r.unread(s.Reply.Text)
	}
	return r.m.Known(0)
}
