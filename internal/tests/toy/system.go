package toy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// System executes a program. It keeps its memory from execution to execution.
type System struct {
	Program *Program
	// Ended is told the final state of each execution that came to its natural end; nil drops it.
	Ended func(state string)

	x        execution
	kinds    []*trace.Type // by actor type
	messages []*trace.Type // by message type
	answer   *trace.Type
	kill     *trace.Type
	end      *trace.Type
	values   [][Modulus]any // envelopes by message type and value: boxing one allocates
}

// NewSystem makes the system of a program.
func NewSystem(p *Program) *System {
	s := &System{Program: p}
	s.x.sys = s
	s.answer, s.kill, s.end = s.x.tr.TypeNamed("toy.Answer"), s.x.tr.TypeNamed("toy.Stop"), s.x.tr.TypeNamed("toy.End")
	for k, beh := range p.Kinds {
		s.kinds = append(s.kinds, s.x.tr.TypeNamed(fmt.Sprintf("toy.K%d", k)))
		for m := len(s.messages); m < len(beh); m++ {
			s.messages = append(s.messages, s.x.tr.TypeNamed(fmt.Sprintf("toy.M%d", m)))
			var row [Modulus]any
			for v := range row {
				row[v] = envelope{m, v}
			}
			s.values = append(s.values, row)
		}
	}
	return s
}

// DefaultModel is bag.
func (*System) DefaultModel() trace.Model { return trace.Bag }

// execution is an execution while it runs.
type execution struct {
	sys     *System
	cond    explore.Conditions
	d       explore.Driver
	tr      trace.Trace
	pool    delivery.Pool
	actors  []actor
	extra   []extra  // of the messages
	before  []actor  // of the events: their actor as it stood before
	timers  []timer  // in the order of setting
	lost    []int32  // messages that reached a stopped actor
	now     int      // the clock
	advance int      // advances so far
	event   int32    // the current one
	told    int32    // events that Observe was told of
	first   trace.ID // what the current step is to release first
	running int32
	over    bool // a Choose was told to end here
	steps   []trace.Step
	options []trace.Step
	asker   delivery.FaultAsker
	next    trace.Step // the fault to be brought about, if its kind is Fault
}

// actor is an actor while it runs.
type actor struct {
	kind     int   // -1 for the driver
	parent   int32 // -1 for the driver
	place    int   // among its parent's children, from 1
	children int
	state    registers
	at       int // the register that the handler at hand, or the last one, works on
	stopped  bool
	ops      []Op  // still to do in the handler
	caller   int32 // who is to be answered at its end, -1 for nobody
	request  int32 // what is then answered: the number of the caller's call
	sender   int32 // of the message that it handles
	waits    int32 // callee, -1 if not blocked
	calls    int32 // that it has made
	answered int32 // number of its last call that was answered
	timer    int   // the one set last, -1 if there is none
	held     int   // sends that were captured and not released
}

// extra is what a message is besides its record.
type extra struct {
	call      int32 // number of its sender's call, or of the call that it answers; 0 if none
	cancelled int32 // the event that cancelled it, -1 if none
}

// envelope is the value of a toy's message.
type envelope struct{ typ, value int }

// String shows messages in traces.
func (e envelope) String() string { return fmt.Sprint(e.value) }

// Execute runs the program once.
func (s *System) Execute(c explore.Conditions, d explore.Driver) error {
	x := &s.x
	x.reset(c, d)
	t := d.Begin(x)
	t.Bind(x)
	if x.loop() && s.Ended != nil {
		s.Ended(x.final())
	}
	d.Finish()
	t.RunCleanups()
	return nil
}

func (x *execution) reset(c explore.Conditions, d explore.Driver) {
	x.cond, x.d = c, d
	x.tr.Reset()
	x.pool.Reset(c.Model, &x.tr)
	x.tr.AddDriver()
	x.actors = append(x.actors[:0], actor{kind: -1, parent: -1, caller: -1, waits: -1, timer: -1})
	x.extra, x.before, x.timers, x.lost = x.extra[:0], x.before[:0], x.timers[:0], x.lost[:0]
	x.asker.Faults, x.asker.Injected, x.next = c.Faults, 0, trace.Step{}
	x.now, x.advance, x.told, x.running, x.over, x.first = 0, 0, 0, 0, false, trace.ID{}
}

// loop reports whether the execution came to its natural end.
func (x *execution) loop() bool {
	x.begin(trace.StartStep(0))
	x.tr.Events[x.event].Auto = true
	for _, k := range x.sys.Program.Actors {
		x.spawn(0, k)
	}
	x.actors[0].ops = x.sys.Program.Driver
	x.run(0)
	for x.observe() {
		if x.goesWrong() {
			continue
		} else if x.over {
			return false
		}
		x.steps = x.firings(x.pool.Enabled(x.steps[:0], x))
		if len(x.steps) == 0 {
			if !x.elapse() {
				return true
			}
			continue
		}
		c, ok := x.d.Choose(x.steps)
		if !ok {
			return false
		}
		x.first = c.First
		x.step(x.steps[c.Index])
	}
	return false
}

// observe tells the driver of the events that are over. It reports whether to go on.
func (x *execution) observe() bool {
	for ; int(x.told) < len(x.tr.Events) && !x.over; x.told++ {
		if !x.d.Observe(x.told) {
			return false
		}
	}
	return !x.over
}

// begin records that s happens now.
func (x *execution) begin(s trace.Step) {
	x.event = x.tr.Begin(s)
	x.before = append(x.before, x.actors[s.Actor])
}

// step takes one step.
func (x *execution) step(s trace.Step) {
	if s.Kind == trace.Send {
		x.releaseStep(s)
		return
	}
	x.begin(s)
	switch s.Kind {
	case trace.Timer:
		x.fire(s.Message)
		return
	case trace.Deliver:
		x.handle(s.Actor, s.Message)
	case trace.Reply:
		x.resume(s.Actor, s.Message)
	}
}

// releaseStep releases a captured send: where a schedule is followed not always the one that was offered.
func (x *execution) releaseStep(s trace.Step) {
	m, _, dead := x.pool.Release(s.Actor, x.first)
	x.begin(x.tr.ReleaseOf(m))
	x.tr.Events[x.event].Completed, x.tr.Events[x.event].Released = true, m
	x.actors[s.Actor].held--
	x.dueBehind(m)
	if x.tr.Messages[m].Kind == trace.End {
		x.leaves(s.Actor)
	} else if dead {
		x.bury(m)
	}
}
