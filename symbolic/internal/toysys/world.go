package toysys

import (
	"encoding/binary"
	"slices"
)

// world is a state of the system between two moves. What it points to is never changed: copies share it.
type world struct {
	actors  []actor // 0 is the driver
	pending []item  // in the order of arrival
	timers  []timer
	calls   []call
	now     int
	sent    int     // messages so far, which numbers them
	step    int     // moves so far
	left    int     // messages from outside that may still come
	begun   bool    // another move than a message from outside was made
	done    bool    // nothing comes from outside any more
	hits    []int   // places that the last move has reached
	did     []doing // in the last move
}

// doing is a statement that was executed: by an actor of a kind, in its start hook or not, with a message of the
// framework or not.
type doing struct {
	stmt *Stmt
	kind int
	hook bool
	told bool // that an actor has stopped
}

// actor is an actor.
type actor struct {
	inst     []instance // its behaviours
	stack    []int      // those that it has become, the present one last
	stopping bool       // at the end of its handler
	stopped  bool
	left     bool   // the others see that it has stopped
	watchers []int  // who is told then
	looked   bool   // mailbox: the system messages that wait were there when it last looked
	closed   bool   // it gets nothing from outside any more
	blocked  *frame // the handler that waits for an answer
	tasks    []*frame
	held     []item // mailbox: what it has sent and not released
	owed     int    // mailbox: of what its start hook has sent, what its creator has not released
	stash    []item
	seen     []int // causal: the sends that it knows of
}

// maxFields is how many numbers, and references, an actor has at most.
const maxFields = 3

// instance is the state of a behaviour.
type instance struct {
	kind  int
	ints  [maxFields]int
	refs  [maxFields]int
	timer int  // index in timers plus one
	made  bool // its map

	has [maxKeys]bool // entries
	val [maxKeys]int
}

// class is what a message is for.
type class uint8

const (
	user class = iota
	system
	timeout    // of After
	expiry     // of CallTimeout
	answer     // to a Call
	resolution // of a future, while it is held
	task       // a handler that may go on since its future is there
	end        // of an actor, while it is held
)

// item is a message.
type item struct {
	class    class
	watch    bool // of a system message: it asks to be told, instead of to stop
	typ, n   int
	ref      int
	from, to int
	call     int // index in calls plus one: of a request, or what is answered, resolved, or expires
	timer    int // index in timers plus one
	num      int
	first    bool  // a start hook has sent it that the driver ran, before it sent its own messages
	past     []int // causal: numbers of the messages whose sends precede this one's
}

// timer is a timer.
type timer struct {
	state    timerState
	owner    int
	deadline int
	behind   int // mailbox, asynchronous: the message that its owner releases before it may fire
	step     int // in which it was set
	item     item
}

type timerState uint8

const (
	set   timerState = iota
	due              // mailboxes: it may fire
	fired            // its message is pending
	over
)

// call is a request that wants an answer.
type call struct {
	state   callState
	replied bool
	future  bool
	caller  int
	callee  int // index plus one, 0 for nobody
	timer   int // index plus one
	got     item
}

type callState uint8

const (
	open callState = iota
	answered
	closed
)

// frame is a handler in the middle of its run.
type frame struct {
	actor, inst int
	runner      int // whose step it is: the creator's in a start hook
	msg         item
	vars        []int // answers
	stack       []place
	wait        int   // call plus one
	asked       *Stmt // nil: it waits for its turn to cancel
}

// place is what is to be done next in a block.
type place struct {
	block []Stmt
	at    int
}

func (w *world) clone() *world {
	c := *w
	c.hits, c.did = nil, nil
	c.pending, c.timers, c.calls = slices.Clone(w.pending), slices.Clone(w.timers), slices.Clone(w.calls)
	c.actors = slices.Clone(w.actors)
	for i := range c.actors {
		a := &c.actors[i]
		a.inst, a.stack = slices.Clone(a.inst), slices.Clone(a.stack)
		a.tasks, a.held, a.stash, a.watchers = slices.Clone(a.tasks), slices.Clone(a.held), slices.Clone(a.stash), slices.Clone(a.watchers)
	}
	return &c
}

func (f *frame) clone() *frame {
	c := *f
	c.vars, c.stack = slices.Clone(f.vars), slices.Clone(f.stack)
	return &c
}

// key is the same for states from which the same can be reached. Numbers of messages matter only among those that are
// pending.
func (t *twin) key(w *world) string {
	k := keyer{b: t.buf[:0]}
	order := w.pending
	switch t.model {
	case bagModel, fifoModel:
		order = slices.Clone(order)
		slices.SortStableFunc(order, t.compare)
	}
	k.pendings, k.waits = map[int]int{}, map[int]bool{}
	for i, m := range order {
		k.pendings[m.num] = i
	}
	k.put(len(w.actors), w.now, w.left, bit(w.done)<<1|bit(w.begun && t.early()), len(order))
	for i := range order {
		k.item(&order[i])
	}
	for i := range w.actors {
		k.actor(&w.actors[i])
	}
	k.put(len(w.timers), len(w.calls))
	for i := range w.timers {
		if m := &w.timers[i]; m.state == over {
			k.put(int(over))
		} else {
			k.put(int(m.state), m.owner, m.deadline, m.behind)
			k.item(&m.item)
		}
	}
	for i := range w.calls {
		if c := &w.calls[i]; c.state == closed && !k.waits[i+1] {
			k.put(int(closed), bit(c.replied))
		} else {
			k.put(int(c.state), bit(c.replied), bit(c.future), c.caller, c.callee, c.timer)
			k.item(&c.got)
		}
	}
	t.buf = k.b
	return string(k.b)
}

// compare orders messages where only the order on a channel matters, or none.
func (t *twin) compare(a, b item) int {
	x := []int{a.to, int(a.class), a.from}
	y := []int{b.to, int(b.class), b.from}
	if t.model == bagModel && a.class == user && b.class == user {
		x, y = append(x, a.typ, a.n, a.ref, a.call), append(y, b.typ, b.n, b.ref, b.call)
	}
	if a.class == system || b.class == system { // in the order of their arrival, whoever sends them
		x, y = x[:2], y[:2]
	}
	return slices.Compare(x, y)
}

type keyer struct {
	b        []byte
	pendings map[int]int  // place by number
	waits    map[int]bool // calls that handlers wait for
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (k *keyer) put(ns ...int) {
	for _, n := range ns {
		k.b = binary.AppendVarint(k.b, int64(n))
	}
}

func (k *keyer) item(m *item) {
	k.put(int(m.class)<<2|bit(m.first)<<1|bit(m.watch), m.typ, m.n, m.ref, m.from, m.to, m.call, m.timer)
	k.known(m.past)
}

// known puts those of the messages that are pending.
func (k *keyer) known(nums []int) {
	for _, n := range nums {
		if i, ok := k.pendings[n]; ok {
			k.put(i)
		}
	}
	k.put(-1)
}

func (k *keyer) actor(a *actor) {
	k.put(len(a.stash), a.owed, bit(a.left), len(a.watchers))
	k.put(a.watchers...)
	for i := range a.stash {
		k.item(&a.stash[i])
	}
	k.put(len(a.inst), len(a.stack), bit(a.stopped)<<3|bit(a.looked)<<2|bit(a.closed)<<1|bit(a.stopping), len(a.tasks),
		len(a.held))
	for i := range a.inst {
		n := &a.inst[i]
		k.put(n.kind, n.timer, bit(n.made))
		for i, has := range n.has {
			k.put(bit(has), n.val[i])
		}
		k.put(n.ints[:]...)
		k.put(n.refs[:]...)
	}
	k.put(a.stack...)
	for i := range a.held {
		k.item(&a.held[i])
	}
	k.known(a.seen)
	k.put(bit(a.blocked != nil))
	if a.blocked != nil {
		k.frame(a.blocked)
	}
	for _, f := range a.tasks {
		k.frame(f)
	}
}

func (k *keyer) frame(f *frame) {
	k.waits[f.wait] = true
	k.put(f.inst, f.wait, bit(f.asked != nil), len(f.vars), len(f.stack))
	k.item(&f.msg)
	k.put(f.vars...)
	for _, p := range f.stack {
		k.put(p.block[p.at].id)
	}
}
