package tap

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// configuration is a symbolic configuration <alpha | mu | phi | chi> ([TAP18] 5). It is not changed once its
// transitions are asked for.
type configuration struct {
	actors   []*actor   // alpha, without those whose creation has been matched
	pending  []*event   // mu
	phi      []*clause  // the path condition, but for times
	external []external // chi

	asleep  []meeting // that are not taken from here on
	changes *change   // substitutions so far, the newest first
	order   order     // t' < t, for all times
	matched []match
	made    []*actor // that have left alpha
	sent    []*event // all sending events, the latest first for each sender
	stops   []*event // that stop other actors

	runs    int // messages that are handled
	count   int // for fresh names
	alone   int // H1: the actor whose handler is explored, by id; 0 if any may be
	steps   int
	assumed []string // what is taken to be so, with places
	trace   *trail
	why     string  // not empty: a part is not modelled, and where
	false   *clause // the clause that has become false
}

// clause is a conjunct of the path condition. It remembers what it was before the last substitution.
type clause struct {
	t    *term.Term
	prev *clause
}

// actor is a state of an actor: of its handler, of its time, and its open requests Q.
type actor struct {
	id    int
	name  string // "a3", the beginning of the names of its variables
	class *Class // that it is created as
	at    *point // nil: idle
	msg   string // the message of the run that is explored
	time  int
	open  []*request
	runs  []*request   // all its receives, the latest first
	shape []types.Type // of messages from outside that it has received
	from  *event       // that created it

	reached int // its time at first: of the first one, when the target is reached
	visit   *visits
	acts    bool // the run that is explored creates, sends or writes

	behaves *Class  // in the run that is explored
	levels  []level // its behaviours, the one on top first, as far as something depends on them: one at least
	bottom  bool    // below them there are no others
	tasks   []task  // its handlers that have released it

	accepted bool // the message of the run that is explored
	started  bool // its first run, which is explored last, is that of Started
}

// point is a place in the code: what comes next, backwards, is the instruction before index.
type point struct {
	frame *frame
	block *ssa.BasicBlock
	index int

	deferred int // calls that are done, at a return
}

// frame is a call of a function, with names of its own for the variables.
type frame struct {
	id     string
	fn     *ssa.Function
	caller *frame // nil: a handler, or a function whose caller has not been chosen
	ret    *point // in the caller, before the call
	result string // the variable that gets the result
	depth  int
	site   ssa.CallInstruction // nil for a producer
	free   []value             // what a producer captures
	args   []value             // of a function that no instruction calls

	behaves ssa.Instruction // that has the stack of behaviours handle the message, if this is the function on top
}

// visits lists the blocks that a run went through.
type visits struct {
	frame *frame
	block *ssa.BasicBlock
	prev  *visits
}

func (v *visits) count(f *frame, b *ssa.BasicBlock) (n int) {
	for ; v != nil; v = v.prev {
		if v.frame == f && v.block == b {
			n++
		}
	}
	return n
}

// request is an element of Q: a message that the actor has to have received.
type request struct {
	actor int
	msg   string // the variable of the message; its sender is msg + "s", who is to be answered msg + "r"
	time  int
	nth   int        // counted from the actor's last one
	t     types.Type // of the message, nil if the path does not say
	by    *event
	shape types.Type // of a message from outside
	told  bool       // the framework sends it by itself
	asked bool       // the target is in what says whether it is accepted

	answer  bool   // somebody waits for it in the middle of a handler
	resumes string // the message of that handler, if it has released its actor
	to      value  // then: the reference that it has to be sent to
	at      *change
}

// event is a pending event: of sending if to is set, else of creation.
type event struct {
	actor int    // that does it, by id; 0 is the environment
	run   string // the message that is handled then
	time  int
	nth   int // of the events of its actor, counted from the last one
	at    *change

	// Sending.
	kind   string // "send", "timer"
	to     value
	msg    value
	sender value
	reply  value // to whom it is to be answered; nil: the sender

	// Creation.
	class *Class
	value value   // of the receiver
	free  []value // of the captured variables
	ref   *term.Term
	start int // of an actor of the start configuration: its index; else -1
}

// match is a request that is met by an event.
type match struct {
	req *request
	ev  *event
}

// external is an element of chi: a message from outside.
type external struct {
	req *request
	t   types.Type
}

// order holds the times of a configuration, and which is before which.
//
// Differs: in the print t' < t is a conjunct of the path condition. Nothing else is ever said of times, so the
// conjuncts can hold together exactly if there is no circle, which is asked here instead of by the solver.
type order struct {
	n     int
	edges []edge
}

type edge struct{ from, to int }

// before adds a new time that is before another one.
func (o *order) before(t int) int {
	o.n++
	o.add(o.n, t)
	return o.n
}

func (o *order) add(from, to int) { o.edges = append(slices.Clip(o.edges), edge{from, to}) }

// circle reports whether a time is before itself.
func (o *order) circle() bool {
	next := make([][]int, o.n+1)
	in := make([]int, o.n+1)
	for _, e := range o.edges {
		next[e.from] = append(next[e.from], e.to)
		in[e.to]++
	}
	var ready []int
	for t := range in {
		if in[t] == 0 {
			ready = append(ready, t)
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, u := range next[t] {
			if in[u]--; in[u] == 0 {
				ready = append(ready, u)
			}
		}
	}
	return done <= o.n
}

// behind lists the times that must come after one, itself included.
func (o *order) behind(t int) []bool {
	next := make([][]int, o.n+1)
	for _, e := range o.edges {
		next[e.from] = append(next[e.from], e.to)
	}
	all := make([]bool, o.n+1)
	all[t] = true
	for work := []int{t}; len(work) > 0; {
		t, work = work[len(work)-1], work[:len(work)-1]
		for _, u := range next[t] {
			if !all[u] {
				all[u] = true
				work = append(work, u)
			}
		}
	}
	return all
}

// clone copies a configuration.
func (c *configuration) clone() *configuration {
	d := *c
	d.steps++
	d.false = nil
	return &d
}

// with copies a configuration, and an actor of it.
func (c *configuration) with(i int) (*configuration, *actor) {
	d, a := c.clone(), *c.actors[i]
	d.actors = slices.Clone(c.actors)
	d.actors[i] = &a
	return d, &a
}

// by gives an actor by its id, also one that has left.
func (c *configuration) by(id int) *actor {
	for _, list := range [][]*actor{c.actors, c.made} {
		for _, a := range list {
			if a.id == id {
				return a
			}
		}
	}
	return nil
}

// fresh makes a name.
func (c *configuration) fresh(prefix string) string {
	c.count++
	return fmt.Sprintf("%s%d", prefix, c.count)
}

// require adds a conjunct to the path condition. nil is one that is not modelled.
func (c *configuration) require(why string, t *term.Term) {
	switch {
	case t == nil:
		c.unmodelled(why)
	case t.True():
	case t.False():
		c.false = &clause{t: t}
	default:
		for _, known := range c.phi {
			if known.t == t {
				return
			}
		}
		c.phi = append(slices.Clip(c.phi), &clause{t: t})
	}
}

func (c *configuration) unmodelled(why string) {
	if c.why == "" {
		c.why = why
	}
}

// change applies a substitution to the path condition, and keeps it for the rest of the configuration.
func (e *Engine) change(c *configuration, why string, ch *change) {
	if ch.prev = c.changes; c.changes != nil {
		ch.n = c.changes.n + 1
	}
	c.changes = ch
	var phi []*clause // nil until something changes
	lost := false
	for i, k := range c.phi {
		if !e.touches(ch, k.t) {
			if phi != nil {
				phi = append(phi, k)
			}
			continue
		}
		if phi == nil {
			phi = append(make([]*clause, 0, len(c.phi)), c.phi[:i]...)
		}
		t := e.substitute(ch, k.t)
		switch {
		case t == nil:
			lost = true // but another clause may be false whatever it is
		case t.False():
			c.false = &clause{t, k}
			return
		case !t.True():
			phi = append(phi, &clause{t, k})
		}
	}
	if lost {
		c.unmodelled(why)
	}
	if phi != nil {
		c.phi = phi
	}
}

// now is a part of a pending event, after all substitutions since it came in.
func (e *Engine) now(c *configuration, ev *event, v value) value {
	until := c.changes
	return func(part string, sort term.Sort) *term.Term {
		t := v(part, sort)
		if t == nil {
			return nil
		}
		return e.since(ev.at, until, t)
	}
}
