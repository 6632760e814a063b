package system

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/trace"
)

// Start executes a driver symbolically, until its function has returned or waits, and tells what is there then. It
// fails with the place and the reason if the driver cannot be executed, or depends on what is not known.
func (p *Program) Start(ctx context.Context, d *Driver, c Config) (*Start, error) {
	c = c.defaults()
	if d.Ran != nil && d.GoAkt {
		return nil, fmt.Errorf("%s: what compiled programs of GoAkt have made is not read", p.place(d.Pos))
	}
	var runs []*starting
	found := p.explore(ctx, d, c, func() *world {
		t := &starting{start: &Start{Driver: d, Function: p.Exec().Function}}
		runs = append(runs, t)
		return &world{p: p, driver: d, task: t, model: trace.Bag}
	})
	if found.Defect != "" {
		return nil, fmt.Errorf("%s: it cannot be executed: %s", p.place(d.Pos), found.Defect)
	}
	if i := known(d, runs[:len(found.Paths)]); i >= 0 {
		s, ways := runs[i].start, len(found.Paths)
		if d.Ran != nil { // they are ways to the Config, and matter where they come to other ones
			ways = 1
			for _, t := range runs {
				if t.open && t.start.Unchecked == "" && !slices.Equal(t.start.Checks, s.Checks) {
					ways++
				}
			}
		}
		p.asked(ctx, s)
		s.Inexact = p.inexact(found.Paths[i], ways)
		return s, nil
	}
	return nil, fmt.Errorf("%s: %s", p.place(d.Pos), p.refused(found))
}

// known gives the first run of a driver that has come to its end, -1 if there is none. Of a driver that was run for
// real it gives the first whose Config is known, if there is one.
func known(d *Driver, runs []*starting) int {
	if i := slices.IndexFunc(runs, func(t *starting) bool { return t.open && t.start.Unchecked == "" }); i >= 0 &&
		d.Ran != nil {
		return i
	}
	return slices.IndexFunc(runs, func(t *starting) bool { return t.open })
}

// explore runs worlds of a driver.
func (p *Program) explore(ctx context.Context, d *Driver, c Config, world func() *world) *exec.Result {
	solver := p.solverOf(c)
	defer solver.Close()
	return p.Exec().Explore(ctx, p.store, solver, exec.Entry{Fn: d.Entry, Driver: func() exec.Driver { return world() }},
		c.exec())
}

// easySteps bounds one question of an execution that is one of many by chance, or one of those that are tried first, in
// the steps of package solve. There are others whose questions are easier.
const easySteps = 60

// solverOf gives the solver of an exploration.
func (p *Program) solverOf(c Config) solve.Solver {
	if !c.easy {
		return p.solver.Scope()
	}
	s, err := solve.New(p.store, solve.Config{Engine: solve.Embedded, Steps: easySteps})
	if err != nil {
		panic("system: " + err.Error()) // the embedded one is always there
	}
	return s
}

// refused says why no run of a driver came to its end.
func (p *Program) refused(found *exec.Result) string {
	for _, path := range found.Paths {
		switch path.Exit {
		case exec.Panic:
			return fmt.Sprintf("its execution panics at %s: %s", p.place(path.Pos), path.Why)
		case exec.Return:
		default:
			return fmt.Sprintf("its execution ends at %s: %s", p.place(path.Pos), path.Why)
		}
	}
	return "its execution does not make the system"
}

// inexact lists what an execution did not model.
func (p *Program) inexact(path *exec.Path, ways int) (list []string) {
	for _, m := range path.Marks {
		what := m.What
		if m.Pos.IsValid() {
			what = p.place(m.Pos) + ": " + what
		}
		list = append(list, what)
	}
	if ways > 1 {
		list = append(list, fmt.Sprintf("%s: the driver has %d ways to its end, of which this is the first",
			p.place(path.Pos), ways))
	}
	return list
}

// starting is the task of Start.
type starting struct {
	start *Start
	open  bool
}

func (t *starting) choose(*world, []trace.Step) int { return -1 }
func (t *starting) begins(*world, *handler)         {}
func (t *starting) escapes(x *exec.Failed) bool {
	t.start.Panics = append(t.start.Panics, x.Pos)
	return false
}
func (t *starting) ended(*world) {}

// opened tells what is there.
func (t *starting) opened(w *world) {
	s := t.start
	t.open = true
	for _, a := range w.actors[1:] {
		s.Actors = append(s.Actors, w.describe(a))
	}
	s.Sent, s.Visited, s.Lost = w.pending(), w.hooked, w.astray
	for _, c := range w.checks {
		s.Checks = append(s.Checks, c.Check)
	}
	s.Unchecked = w.unknown
	for _, m := range s.Sent {
		if m.To >= 0 && !m.Always && !slices.Contains(s.Receptionists, m.To) {
			s.Receptionists = append(s.Receptionists, m.To)
		}
	}
	if len(s.Receptionists) == 0 && (w.driver.Plain || w.driver.Ran != nil && w.marked) {
		// it hands the references on, as to what serves requests
		for i, a := range w.actors[1:] {
			if w.tr.Actors[a.index].Parent <= 0 {
				s.Receptionists = append(s.Receptionists, i)
			}
		}
	}
	slices.Sort(s.Receptionists)
	for _, to := range s.Receptionists {
		for _, m := range s.Sent {
			if m.To == to && !m.Always && m.Type != nil {
				s.shape(Shape{To: to, Type: m.Type, Sent: true})
			}
		}
	}
}

// shape adds a shape, if it is not there.
func (s *Start) shape(shape Shape) {
	if !slices.ContainsFunc(s.Shapes,
		func(o Shape) bool { return o.To == shape.To && types.Identical(o.Type, shape.Type) }) {
		s.Shapes = append(s.Shapes, shape)
	}
}

// Receive has messages from outside go to these actors of a start alone, by their indices: those that the driver sends
// to them, and those that they ask for.
func (p *Program) Receive(ctx context.Context, s *Start, to []int) {
	s.Receptionists = to
	s.Shapes = slices.DeleteFunc(s.Shapes, func(x Shape) bool { return !slices.Contains(to, x.To) })
	p.asked(ctx, s)
}

// asked adds the shapes of messages for which receptionists ask, if the driver's package can make them.
func (p *Program) asked(ctx context.Context, s *Start) {
	p.handlersOnce(ctx)
	for _, to := range s.Receptionists {
		for _, h := range p.handlers {
			if h.Fn == s.Actors[to].Fn && h.Message != nil && nameable(h.Message, s.Driver.Entry.Pkg.Pkg) {
				s.shape(Shape{To: to, Type: h.Message})
			}
		}
	}
	slices.SortStableFunc(s.Shapes, func(a, b Shape) int { return a.To - b.To })
}

func (p *Program) handlersOnce(ctx context.Context) {
	if p.handlers == nil {
		p.handlers = p.summaries.Handlers(context.WithoutCancel(ctx)) // half of the list would be kept
	}
}

// nameable reports whether a package can make messages of a type. Those of frameworks nobody sends.
func nameable(t types.Type, in *types.Package) bool {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return true
	}
	switch n.Obj().Pkg().Path() {
	case model.NativePath, model.ProtoactorPath:
		return false
	}
	return n.Obj().Exported() || n.Obj().Pkg() == in
}

// describe tells of an actor.
func (w *world) describe(a *agent) *Actor {
	d := &Actor{Name: w.tr.ActorName(a.index), Type: w.tr.Actors[a.index].Type.Name, Ref: a.ref}
	d.State, d.Fn = w.state(a)
	d.Under, d.Timed = len(a.previous), a.idle != nil
	if face, ok := w.m.Held(a.value).(exec.Face); ok && face.Type != nil && model.ActorFunc(face.Type) == "" {
		d.Recv = face.Type
	}
	w.pool.Each(func(i int32) {
		d.Fresh = d.Fresh || w.letters[i].kind == startedKind && w.tr.Messages[i].Receiver == a.index
	})
	return d
}

// pending lists what the driver has sent, and what other actors have sent that is not handled.
func (w *world) pending() (list []Message) {
	w.given = nil
	for _, p := range w.sent {
		p.From = -1
		list, w.given = append(list, p.Message), append(w.given, -1)
	}
	add := func(i int32, timer bool) {
		msg, x := &w.tr.Messages[i], &w.letters[i]
		if msg.Kind == trace.System || x.msg == nil || msg.Receiver == 0 {
			return
		}
		m := Message{From: int(msg.Sender) - 1, To: int(msg.Receiver) - 1, Type: w.typed(x.msg), Msg: x.msg, Always: true,
			Timer: timer}
		if f, ok := w.m.Held(x.msg).(exec.Face); ok && f.Type != nil {
			m.Flat = w.m.Flatten("msg", f.Val)
		}
		list, w.given = append(list, m), append(w.given, i)
	}
	w.pool.Each(func(i int32) { add(i, false) })
	for _, t := range w.timers {
		if t.state == timerSet || t.state == timerDue {
			add(t.message, true)
		}
	}
	return list
}

// defaults fills in what is not set.
func (c Config) defaults() Config {
	for _, d := range []struct {
		field *int
		value int
	}{{&c.Fill, 40}, {&c.Paths, 200}, {&c.Loops, 3}, {&c.Elements, 3}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	return c
}

// exec gives the bounds of a run of a whole program, of which one execution has many handlers.
func (c Config) exec() exec.Config {
	return exec.Config{Loops: c.Loops, Elements: c.Elements, Paths: c.Paths, Work: c.Work, Chance: c.chance, Calls: 60,
		Turns: 10000, Instructions: 2_000_000, Queries: 200_000}
}

func (*starting) idle(*world) bool { return false }
