package system

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes the functions by which a driver's Config judges executions: Invariants after each step, Final at
// the end.
//
//	source:     Step and End of internal/check, which explore/run.go calls; State there, as far as it tells of actors
//	differs:    some of what State tells as text may be any text, and is marked: looks.go
//	invariants: I1 the first check that fails ends the execution
//	checked by: check_test.go: the naive exploration of compiled programs; symbolic/target/judges_test.go: random
//	            programs against brute force

// judge is a function of the driver's Config that judges executions.
type judge struct {
	Check
	holds exec.Value
}

// judgement is what a world knows of the driver's Config.
type judgement struct {
	made    exec.Value // the system, as the entry has it
	checks  []judge
	levels  check.Levels
	unknown string // why they are not known

	captured bool   // by one of a driver that was run for real
	judging  bool   // the invariants are asked after each step
	broken   *judge // that has failed
	spoilt   bool   // something else has gone wrong, with which the execution ends
	looked   int    // events of the path that were judged
}

// ours is the path of the package of Check and Explore, and stateType the type that what judges is given.
var (
	ours      = strings.TrimSuffix(ourModule, "/")
	stateType = ourModule + "internal/check.State"
)

// IsCheck reports whether a function may be one of Config.Invariants, or Config.Final: it takes a State, and gives an
// error.
func IsCheck(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 1 &&
		types.TypeString(types.Unalias(sig.Params().At(0).Type()), nil) == stateType &&
		types.Identical(sig.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}

// judges reports whether the program has a function that may judge executions.
func (p *Program) judges() bool {
	if p.judging == nil {
		has := slices.ContainsFunc(p.load.Functions(), func(fn *ssa.Function) bool { return IsCheck(fn.Signature) })
		p.judging = &has
	}
	return *p.judging
}

// checked takes the checks of the Config with which a function of ours is called, if it is called with the system that
// the driver makes.
func (w *world) checked(name string, args []exec.Value) bool {
	if name != ours+".Check" && name != ours+".Explore" || len(args) < 2 {
		return false
	}
	sys, ok := w.m.Held(args[len(args)-1]).(exec.Face)
	if !ok || w.m.Held(sys.Val) != w.made {
		return false
	}
	config, ok := w.m.Held(args[len(args)-2]).(*exec.Struct)
	if !ok {
		w.unknown = "the Config is not known"
		return true
	}
	for _, of := range w.m.Elements(w.field(config, "Invariants")) {
		inv, ok := w.m.Held(of).(*exec.Struct)
		if !ok {
			w.unknown = "an invariant is not known"
			return true
		}
		name, _ := w.m.Text(w.field(inv, "Name"))
		w.judgedBy(w.field(inv, "Holds"), Check{Name: name})
	}
	w.judgedBy(w.field(config, "Final"), Check{Final: true})
	if !w.weighs(w.field(config, "Checks")) {
		w.unknown = "how serious the Config takes violations"
	}
	return true
}

// readsConfig executes the entry of a driver that was run for real, for its Config alone. What the functions capture
// may be another thing by then, and is marked.
func (w *world) readsConfig(fn *ssa.Function) {
	entry := w.m.Start(func() { w.m.Call(fn, w.arguments(fn.Signature)...) })
	w.unknown = w.m.Attempt(func() {
		if ended := w.m.Resume(entry); !ended {
			w.m.Resume(entry)
		}
	})
	if w.made == nil && w.unknown == "" {
		w.unknown = "the test does not come to the place at which the system is made"
	}
	if w.unknown != "" && w.judging { // another outcome of what the test decides has led to the Config
		w.m.End(noConfig)
	}
	w.captured = slices.ContainsFunc(w.checks,
		func(c judge) bool { f, ok := c.holds.(exec.Func); return ok && len(f.Free) > 0 })
}

// noConfig is why a run ends that does not come to the Config of a driver that was run for real.
const noConfig = "the Config is not known on this way through the test"

// weighs notes how serious violations are. It reports whether all of that is known.
func (w *world) weighs(levels exec.Value) bool {
	keys, vals, known := w.m.Entries(levels)
	w.levels = check.Levels{}
	for i := range keys {
		kind, ok := keys[i].(*term.Term)
		level, is := vals[i].(*term.Term)
		if !ok || !is || !kind.Const() || !level.Const() {
			return false
		}
		w.levels[trace.ViolationKind(kind.Val)] = check.Level(level.Val)
	}
	return known
}

// wrong reports whether a violation of a kind ends the execution.
func (w *world) wrong(k trace.ViolationKind) bool { return w.levels.Of(k) == check.Error }

// field gives a field of a struct by its name.
func (w *world) field(s *exec.Struct, name string) exec.Value {
	t := s.Type.Underlying().(*types.Struct)
	for i := range t.NumFields() {
		if t.Field(i).Name() == name {
			return s.Fields[i]
		}
	}
	panic("system: no field " + name + " in " + s.Type.String())
}

// judgedBy notes a function that judges.
func (w *world) judgedBy(v exec.Value, c Check) {
	f, ok := w.m.Held(v).(exec.Func)
	switch {
	case ok && f.Fn != nil:
		c.Fn = f.Fn
		w.checks = append(w.checks, judge{c, f})
	case !ok || f.Kind != "":
		w.unknown = "a function of the Config is not known"
	}
}

// breaks judges a step that is over, and reports whether the execution ends with it. A message reached nobody, a
// handler has failed a check, or an invariant does not hold. An answer to a message from outside is none of these: the
// test asks for it where it is lost.
func (w *world) breaks() bool {
	if !w.judging {
		return false
	}
	for _, e := range w.m.Path().Events[w.looked:] {
		w.spoilt = w.spoilt || e.Op == deadLetter && (e.Kind != unasked || w.replay) && w.wrong(trace.DeadLetter) ||
			e.Op == "fail" && w.wrong(trace.Assertion)
	}
	w.looked = len(w.m.Path().Events)
	if w.spoilt {
		return true
	}
	if !w.asksAll(false) || !w.wrong(trace.Assertion) {
		w.broken = nil
		return false
	}
	return true
}

// asksAll asks the invariants, or the final check, in their order, and reports whether one fails.
func (w *world) asksAll(final bool) bool {
	for i := range w.checks {
		if c := &w.checks[i]; c.Final == final && w.fails(c) {
			w.broken = c
			return true
		}
	}
	return false
}

// fails asks one, between steps. One that panics has failed.
func (w *world) fails(c *judge) bool {
	var result exec.Value
	ended := false
	state := w.m.Opaque(c.Fn.Signature.Params().At(0).Type())
	task := w.m.Start(func() { result = w.m.CallValue(c.holds, state) })
	if w.m.Catch(func() { ended = w.m.Resume(task) }) != nil {
		return true
	}
	if !ended {
		w.m.End("a function of the Config waits")
	}
	return !w.m.NilFace(result)
}

// concludes judges an execution that has come to its natural end: a deadlock, or a message that nobody takes, is what
// is found then, whatever the final check says.
func (w *world) concludes() {
	if !w.judging || !w.natural || w.broken != nil || w.spoilt {
		return
	}
	stuck := w.wrong(trace.Deadlock) &&
		slices.ContainsFunc(w.actors, func(a *agent) bool { return a.cur != nil && a.cur.wait != waitNothing })
	w.pool.Each(func(i int32) {
		msg, kind := &w.tr.Messages[i], trace.Orphan
		if w.actors[msg.Receiver].stopped {
			kind = trace.OrphanDead
		}
		stuck = stuck || msg.Kind == trace.User && w.wrong(kind)
	})
	if !stuck && w.asksAll(true) && !w.wrong(trace.Environment) {
		w.broken = nil
	}
}

// showsActors calls a function for each actor that has not stopped, until it gives false.
func (w *world) showsActors(f exec.Value) {
	for _, a := range w.actors[1:] {
		if a.stopped {
			continue
		}
		name, typ := w.store.Text(w.tr.ActorName(a.index)), w.store.Text(w.tr.Actors[a.index].Type.Name)
		if !w.m.True(w.m.CallValue(f, name, typ, w.shown(a))) {
			return
		}
	}
}

// shown gives an actor's own value as an interface: the behaviour, or of a native actor that goes on with a mere
// function the one before.
func (w *world) shown(a *agent) exec.Value {
	v := w.m.Held(a.value)
	if w.mere(v) && len(a.previous) > 0 && !w.driver.Proto {
		v = w.m.Held(a.previous[0])
	}
	if f, ok := v.(exec.Func); ok {
		path, name := model.NativePath, "Func"
		if w.driver.Proto {
			path, name = model.ProtoactorPath, "ReceiveFunc"
		}
		return exec.Face{Type: w.p.frameworkType(path, name), Val: f}
	}
	return v
}

// mere reports whether a behaviour is a function without a value of its own.
func (w *world) mere(v exec.Value) bool {
	switch v := v.(type) {
	case exec.Func:
		return true
	case exec.Face:
		return v.Type != nil && model.ActorFunc(v.Type) != ""
	}
	return false
}

// fails reports whether an execution has failed the check that a goal names.
func (g *Goal) fails(w *world) bool {
	return g.Check != nil && g.Panic && w.broken != nil && w.broken.Fn == g.Check &&
		(g.Block == nil || slices.Contains(w.m.Path().Blocks, g.Block))
}

// looksAtChecks reports whether one of some goals is about functions that judge.
func looksAtChecks(goals []Goal) bool {
	return slices.ContainsFunc(goals, func(g Goal) bool { return g.Check != nil })
}
