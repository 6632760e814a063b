package system

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes the function that makes the system until it does, and what the test function does beside sending:
// set-up, and functions for the end.

// ourModule is the beginning of the paths of Rehearse's packages.
var ourModule = strings.TrimSuffix(model.NativePath, "actor")

// oursT begins the names of the methods of what stands in for testing.T.
const oursT = "(*github.com/rehearse-go/rehearse/explore.T)."

// enter executes the entry up to the place where it makes the system. The function that drives the actors is the body
// from then on. A driver that uses the framework directly is the body itself.
func (w *world) enter() {
	fn := w.driver.Entry
	if w.driver.Plain || w.driver.Ran != nil {
		if _, starts := w.task.(*starting); !w.driver.Plain && w.p.judges() && (starts || w.judging) {
			w.readsConfig(fn)
		}
		w.body = &exec.Func{Fn: fn}
		return
	}
	entry := w.m.Start(func() { w.m.Call(fn, w.arguments(fn.Signature)...) })
	ended := w.m.Resume(entry)
	if w.body == nil {
		w.m.End("it does not come to the place at which the system is made")
	}
	if !ended && w.p.judges() {
		w.unknown = w.m.Attempt(func() { w.m.Resume(entry) })
	}
}

// arguments makes what the framework for tests hands to a function.
func (w *world) arguments(sig *types.Signature) (args []exec.Value) {
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Pointer); ok {
			args = append(args, w.m.Opaque(v.Type()))
		} else {
			args = append(args, w.m.Input(v.Name(), v.Type()))
		}
	}
	return args
}

// Outer is exec.Caller.
func (w *world) Outer(m *exec.Machine, fn *types.Func, args []exec.Value) (exec.Value, bool) {
	if v, ok := w.library(fn, args); ok {
		return v, true
	}
	if w.begun {
		if v, ok := w.looks(fn, args); ok {
			return v, true
		}
	}
	row, _ := w.m.Row(fn)
	switch {
	case row.Op == model.Driver && !w.begun:
		return w.makes(fn, args), true
	case !w.begun:
		return w.before(fn, args)
	case w.running == nil:
		return nil, false
	}
	if name, ok := strings.CutPrefix(w.m.FullName(fn), oursT); ok {
		return w.ofTest(name, args)
	}
	w.acts++
	return w.frame.outer(fn, args)
}

// makes looks at a place where a system is made. If it is the driver's, the entry is left there.
func (w *world) makes(fn *types.Func, args []exec.Value) exec.Value {
	f, ok := w.m.Held(args[0]).(exec.Func)
	if ok && f.Fn != nil && w.m.At(w.driver.Entry) == w.driver.Pos {
		if w.passed == w.driver.Nth {
			w.body, w.made = &f, w.m.Opaque(fn.Signature().Results().At(0).Type())
			w.passed++
			w.m.Suspend()
			return w.made
		}
		w.passed++
	}
	return w.m.Opaque(fn.Signature().Results().At(0).Type())
}

// before does what a test does before it makes the system: parts of tests are executed.
func (w *world) before(fn *types.Func, args []exec.Value) (exec.Value, bool) {
	switch name := w.m.FullName(fn); {
	case w.made != nil && w.checked(name, args):
		w.m.Suspend() // for good
	case name == "(*testing.T).Run":
		f, ok := w.m.Held(args[2]).(exec.Func)
		if !ok || f.Fn == nil {
			return nil, false
		}
		w.m.CallValue(f, w.arguments(f.Fn.Signature)...)
		return w.store.Bool(true), true
	case strings.HasPrefix(name, "(*testing.common)."), strings.HasPrefix(name, "(*testing.T)."), fn.Pkg() != nil &&
		strings.HasPrefix(fn.Pkg().Path()+"/", ourModule):
		if fails(fn.Name()) {
			return nil, false
		}
		return w.m.Give(fn.Signature(), func(_ int, t types.Type) exec.Value { return w.m.Zero(t) }), true
	}
	return nil, false
}

// fails reports whether a method of a test ends it.
func fails(name string) bool {
	return strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "FailNow") || strings.HasPrefix(name, "Skip")
}

// ofTest does what a method of the test's T does.
func (w *world) ofTest(name string, args []exec.Value) (exec.Value, bool) {
	switch name {
	case "SetUp":
		w.setUp(args[1])
	case "AtEnd":
		w.atEnd = append(w.atEnd, args[1])
	case "Cleanup", "Log", "Logf", "Helper":
	case "Name":
		return w.store.Text(w.driver.Entry.Name()), true
	default:
		return nil, false
	}
	return nil, true
}

// setUp runs a function and delivers all messages in the order of sending until there is none: explore.Host.SetUp.
func (w *world) setUp(f exec.Value) {
	for _, e := range w.tr.Events[w.tr.Explored:] {
		if e.Step.Kind != trace.Start || w.phase == settingUp {
			w.m.End("SetUp comes too late")
		}
	}
	w.phase = settingUp
	for _, p := range w.sent {
		w.posts(p)
	}
	w.sent = nil
	w.pool.ReleaseAll(w.deadOnArrival)
	w.notDue()
	w.m.CallValue(f)
	h := w.actors[0].cur
	if h.wait = waitSetUp; w.driver.Proto || w.pool.Oldest(w) >= 0 {
		w.park(h)
		return
	}
	h.wait = waitNothing
	w.beginEvent(w.nextPart())
	w.endSetUp()
	w.tr.Events[w.event].Auto = true
	w.runner = w.actors[0]
}

// nextPart is the start of the next part of the test function. Number 2 is what it does at the end.
func (w *world) nextPart() trace.Step {
	w.parts++
	if w.parts > 1 {
		return trace.StartStep(w.parts + 1)
	}
	return trace.StartStep(1)
}

// endSetUp begins the explored part, with the present event.
func (w *world) endSetUp() {
	w.phase = exploring
	w.visited = len(w.m.Path().Blocks)
	w.tr.Explored = int(w.event)
	w.tr.Events[w.event].Auto = true
	w.pool.Rest()
	if w.async {
		for _, t := range w.timers {
			w.due(t)
		}
	}
}

// nextOfSetUp gives the next step of set-up: the oldest message, or the driver's next part.
func (w *world) nextOfSetUp() (trace.Step, bool) {
	if msg := w.pool.Oldest(w); msg >= 0 {
		if len(w.tr.Events) > maxSetUp {
			w.m.Cut("set-up takes more than %d steps", maxSetUp)
		}
		return w.tr.DeliveryOf(msg), true
	}
	if h := w.actors[0].cur; h != nil && h.wait == waitSetUp {
		return w.nextPart(), true
	}
	if w.driver.Proto && w.advance() {
		return w.nextOfSetUp()
	}
	w.m.End("the test function waits inside of SetUp, and no message is left to deliver")
	return trace.Step{}, false
}

// maxSetUp bounds the steps of a set-up.
const maxSetUp = 1000
