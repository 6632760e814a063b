package delivery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// twin is the dumb twin of Pool: it keeps every message for ever and asks of each whether the definition of its model
// lets it be next. See the table in the package's comment.
type twin struct {
	model   trace.Model
	tr      *trace.Trace
	state   map[int32]state
	arrived []int32                  // pending or once pending, in the order of arrival
	held    map[int32][]int32        // captured sends by actor
	knows   map[int32]map[int32]bool // of each actor, the messages whose sends it knows of
	past    map[int32]map[int32]bool // of each message, those whose sends precede its send
	stopped map[int32]bool
	seen    map[int32]bool // system messages that were there when their receiver looked, or woke it
	rests   map[int32]bool
	copies  int32                  // event in which a fault doubles messages
	steady  bool                   // actors of even numbers accept all but answers and tasks
	closed  func(actor int32) bool // it accepts nothing of the user lane; from time to time
	accepts func(actor, message int32) bool
}

type state uint8

const (
	unsent state = iota
	pending
	gone
)

func (w *twin) Accepts(actor, message int32) bool {
	if w.Closed(actor) && LaneOf(w.model, &w.tr.Messages[message]) == User {
		return false
	}
	return !w.stopped[actor] && w.accepts(actor, message)
}

func (w *twin) Closed(actor int32) bool { return w.closed(actor) }

func (w *twin) Steady(actor int32) bool { return w.steady && actor%2 == 0 }

func (w *twin) isCopy(m int32) bool { return w.tr.Messages[m].SentBy == w.copies }

func (w *twin) noteSend(by, sender, m int32) {
	w.past[m] = map[int32]bool{}
	for o := range w.knows[by] {
		w.past[m][o] = true
	}
	if w.isCopy(m) {
		sender = by // who sent it first does not know of it
	}
	for _, a := range []int32{by, sender} {
		if w.knows[a] == nil {
			w.knows[a] = map[int32]bool{}
		}
		for o := range w.knows[by] {
			w.knows[a][o] = true
		}
		w.knows[a][m] = true
	}
}

func (w *twin) arrive(m int32) {
	msg := &w.tr.Messages[m]
	switch {
	case w.stopped[msg.Receiver] && msg.Kind != trace.Answer || !msg.Kind.Handled():
		return
	case msg.Starts:
		w.arrived = slices.Insert(w.arrived, 0, m) // before all that others sent meanwhile
		w.seen[m] = true                           // before it nobody looks
	default:
		w.arrived = append(w.arrived, m)
		w.seen[m] = w.rests[msg.Receiver]
	}
	w.state[m] = pending
}

func (w *twin) deliver(m int32) {
	w.state[m] = gone
	a := w.tr.Messages[m].Receiver
	if w.knows[a] == nil {
		w.knows[a] = map[int32]bool{}
	}
	for o := range w.past[m] {
		w.knows[a][o] = true
	}
	w.knows[a][m] = true
	if w.tr.Messages[m].Kind != trace.Answer {
		w.look(a)
	}
}

// look has an actor see the system messages that it has.
func (w *twin) look(a int32) {
	w.rests[a] = false
	for _, m := range w.arrived {
		if w.state[m] == pending && w.tr.Messages[m].Receiver == a {
			w.seen[m] = true
		}
	}
}

// queued reports whether m obeys the order of user messages.
func (w *twin) queued(m int32) bool {
	c := w.tr.Messages[m].Kind
	return c == trace.User || c == trace.Timeout && w.model.Queues()
}

func (w *twin) enabled() []trace.ID {
	var ids []trace.ID
	for a, held := range w.held {
		if len(held) > 0 {
			s := w.tr.ReleaseOf(held[0])
			if s.Actor = a; s.Message >= 0 {
				ids = append(ids, s.ID)
			}
		}
	}
	for i, m := range w.arrived {
		if w.state[m] == pending && w.mayBeNext(i, m) {
			ids = append(ids, w.tr.DeliveryOf(m).ID)
		}
	}
	slices.SortFunc(ids, func(x, y trace.ID) int {
		if x.Less(y) {
			return -1
		}
		return 1
	})
	return ids
}

func (w *twin) mayBeNext(i int, m int32) bool {
	msg := &w.tr.Messages[m]
	a := msg.Receiver
	if len(w.held[a]) > 0 || !w.Accepts(a, m) {
		return false
	}
	for _, held := range w.held {
		for _, h := range held {
			if msg := &w.tr.Messages[h]; msg.Sender == a && !w.isCopy(h) || msg.Starts && msg.Receiver == a {
				return false // sent by its start hook, or what starts it
			}
		}
	}
	if !w.queued(m) && msg.Kind != trace.System {
		return true // exempt
	}
	for j, o := range w.arrived {
		other := &w.tr.Messages[o]
		if o == m || w.state[o] != pending || other.Receiver != a {
			continue
		}
		switch {
		case other.Kind == trace.System && w.model == trace.Mailbox && !w.seen[o] && w.queued(m):
		case other.Kind == trace.System && (msg.Kind != trace.System || j < i):
			return false
		case msg.Kind == trace.System || !w.queued(o):
		case w.model == trace.FIFO && j < i && other.Sender == msg.Sender:
			return false
		case w.model == trace.Causal && w.past[m][o]:
			return false
		case w.model.Queues() && j < i && w.Accepts(a, o):
			return false
		}
	}
	return true
}

func (w *twin) oldest() int32 {
	best := int32(-1)
	for _, m := range w.arrived {
		msg := &w.tr.Messages[m]
		if w.state[m] != pending || !w.Accepts(msg.Receiver, m) || best >= 0 && best < m {
			continue
		}
		behind := false // a system message
		for _, o := range w.arrived {
			other := &w.tr.Messages[o]
			if o != m && w.state[o] == pending && other.Receiver == msg.Receiver && other.Kind == trace.System &&
				(w.queued(m) || msg.Kind == trace.System && slices.Index(w.arrived, o) < slices.Index(w.arrived, m)) {
				behind = true
			}
		}
		if !behind {
			best = m
		}
	}
	return best
}

// TestTwin compares the enabled sets along random histories of everything that can be done to a pool.
func TestTwin(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		var p Pool // used for all histories: Reset must leave nothing behind
		for seed := range uint64(400) {
			if err := compareTwins(&p, model, rand.New(rand.NewPCG(seed, 1))); err != nil {
				t.Fatalf("%v, seed %d: %v", model, seed, err)
			}
		}
	}
}

func compareTwins(p *Pool, model trace.Model, r *rand.Rand) error {
	var tr trace.Trace
	tr.AddDriver()
	event := tr.Begin(trace.StartStep(0))
	for range 3 {
		tr.AddActor(tr.TypeNamed("A"), "", 0, event)
	}
	salt := r.Uint64()
	w := &twin{model: model, tr: &tr, state: map[int32]state{}, held: map[int32][]int32{}, knows: map[int32]map[int32]bool{},
		past: map[int32]map[int32]bool{}, stopped: map[int32]bool{}, seen: map[int32]bool{}, rests: map[int32]bool{},
		copies: tr.Begin(tr.FaultStep(event, trace.Duplicate, -1)), steady: r.IntN(2) == 0}
	w.closed = func(a int32) bool { return !w.Steady(a) && (salt>>(len(tr.Messages)%60)+uint64(a))%4 == 0 }
	w.accepts = func(a, m int32) bool {
		if class := tr.Messages[m].Kind; w.Steady(a) {
			return class == trace.User || class == trace.System || class == trace.Timeout
		}
		return (salt>>(uint(m)*7%60)+uint64(a))%3 != 0
	}
	p.Trust(w)
	p.Skip(w)
	p.Reset(model, &tr)
	if r.IntN(2) == 0 {
		p.Remember()
	}
	var history []string
	for range 40 {
		step := randomStep(p, w, r, event)
		if history = append(history, step); strings.HasPrefix(step, "WRONG") {
			return fmt.Errorf("after %q", history)
		}
		var got []trace.ID
		if r.IntN(3) == 0 { // before Enabled has looked
			p.Count(w)
		}
		steps := p.Enabled(nil, w)
		for _, s := range steps {
			got = append(got, s.ID)
		}
		if r.IntN(3) > 0 {
			if err := sameWide(p, w, steps); err != nil {
				return fmt.Errorf("%w, after %q", err, history)
			}
		}
		slices.SortFunc(got, func(x, y trace.ID) int {
			if x.Less(y) {
				return -1
			}
			return 1
		})
		if want := w.enabled(); !slices.Equal(got, want) {
			return fmt.Errorf("%d enabled, the twin has %d, after %q", len(got), len(want), history)
		}
		if got, want := p.Oldest(w), w.oldest(); got != want {
			return fmt.Errorf("oldest is %d, the twin's is %d, after %q", got, want, history)
		}
		if err := p.sane(); err != nil {
			return fmt.Errorf("%w, after %q", err, history)
		}
	}
	if err := w.sameView(p); err != nil {
		return fmt.Errorf("%w, after %q", err, history)
	}
	return nil
}

// randomStep does something to both and says what.
func randomStep(p *Pool, w *twin, r *rand.Rand, event int32) string {
	tr := w.tr
	switch k := r.IntN(20); {
	case k < 9:
		classes := []trace.MessageKind{trace.User, trace.User, trace.User, trace.System, trace.Answer, trace.Timeout, trace.Task}
		if w.model == trace.Mailbox {
			classes = append(classes, trace.Resolution, trace.End)
		}
		class := classes[r.IntN(len(classes))]
		sender, receiver := int32(r.IntN(4)), int32(1+r.IntN(3))
		if r.IntN(8) == 0 {
			event = w.copies
		}
		m := tr.AddMessage(tr.TypeNamed("M"), class, sender, receiver, event, nil)
		tr.Messages[m].Starts = class == trace.System && r.IntN(3) == 0
		dead := w.stopped[receiver] && class != trace.Answer
		by := sender
		if r.IntN(8) == 0 {
			by = int32(r.IntN(4))
		}
		if class == trace.Timeout || class == trace.Task || class == trace.Answer && r.IntN(2) == 0 {
			post := func() bool { return p.PostIn(by, m) }
			if by == sender && r.IntN(2) == 0 {
				post = func() bool { return p.Post(m) }
			}
			if post() == dead || !tr.Messages[m].AtOnce {
				return fmt.Sprintf("WRONG: post of %d, dead letter %v", m, dead)
			}
			w.noteSend(by, sender, m)
			w.arrive(m)
			return fmt.Sprintf("post %d of class %d: %d (in %d) to %d", m, class, sender, by, receiver)
		}
		w.noteSend(by, sender, m)
		if at := r.IntN(len(w.held[by]) + 1); w.model == trace.Mailbox && r.IntN(3) == 0 && !tr.Messages[m].Starts {
			p.SendNext(by, m, at)
			w.held[by] = slices.Insert(slices.Clone(w.held[by]), at, m)
			return fmt.Sprintf("send %d of class %d: %d (in %d) to %d, before all but %d", m, class, sender, by, receiver, at)
		}
		send := func() bool { return p.SendIn(by, m) }
		if by == sender && r.IntN(2) == 0 {
			send = func() bool { return p.Send(m) }
		}
		if send() == (dead && w.model != trace.Mailbox) {
			return fmt.Sprintf("WRONG: send of %d, dead letter %v", m, dead)
		}
		if w.model == trace.Mailbox {
			w.held[by] = append(w.held[by], m)
		} else {
			w.arrive(m)
		}
		return fmt.Sprintf("send %d of class %d: %d (in %d) to %d", m, class, sender, by, receiver)
	case k < 17:
		return takeRandom(p, w, r, event)
	case k < 18:
		a := int32(1 + r.IntN(3))
		if r.IntN(20) == 0 {
			p.Rest()
			for i := range tr.Actors {
				w.look(int32(i))
				w.rests[int32(i)] = true
			}
			return "rest"
		}
		if r.IntN(2) == 0 {
			p.Look(a)
			w.look(a)
			return fmt.Sprintf("look of %d", a)
		}
		if r.IntN(4) > 0 {
			return "nothing"
		}
		p.Stop(a)
		w.stopped[a] = true
		return fmt.Sprintf("stop %d", a)
	}
	if len(tr.Messages) == 0 {
		return "nothing"
	}
	m := int32(r.IntN(len(tr.Messages)))
	if tr.Messages[m].Starts {
		return "nothing" // nobody cancels a start, and what comes next would be taken for it (look.go)
	}
	if got, want := p.Cancel(m), w.state[m] == pending; got != want {
		return fmt.Sprintf("WRONG: cancel of %d gives %v", m, got)
	}
	if w.state[m] == pending {
		w.state[m] = gone
	}
	return fmt.Sprintf("cancel %d", m)
}

// takeRandom takes an enabled step, or stashes and returns its message.
func takeRandom(p *Pool, w *twin, r *rand.Rand, event int32) string {
	steps := p.Enabled(nil, w)
	if len(steps) == 0 {
		return "nothing"
	}
	s := steps[r.IntN(len(steps))]
	if s.Kind == trace.Send {
		held := w.held[s.Actor]
		i := r.IntN(len(held))
		m, ordered, dead := p.Release(s.Actor, w.tr.Messages[held[i]].ID)
		if m != held[i] || ordered != (i == 0) || dead != (w.stopped[w.tr.Messages[m].Receiver] && w.tr.Messages[m].Kind != trace.Answer && w.tr.Messages[m].Kind.Handled()) {
			return fmt.Sprintf("WRONG: release of %d gives %d, %v, %v", held[i], m, ordered, dead)
		}
		w.held[s.Actor] = slices.Delete(slices.Clone(held), i, i+1)
		w.arrive(m)
		w.look(s.Actor)
		return fmt.Sprintf("release %d", m)
	}
	p.Deliver(s.Message)
	w.deliver(s.Message)
	return fmt.Sprintf("deliver %d", s.Message)
}

// TestReturnKeepsOrder: two messages that were put aside and returned are taken in their order, and before what their
// sender sent later, in every model but bag.
func TestReturnKeepsOrder(t *testing.T) {
	for _, model := range []trace.Model{trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		var tr trace.Trace
		var p Pool
		tr.AddDriver()
		event := tr.Begin(trace.StartStep(0))
		a := tr.AddActor(tr.TypeNamed("A"), "", 0, event)
		p.Reset(model, &tr)
		send := func() int32 {
			m := tr.AddMessage(tr.TypeNamed("M"), trace.User, 0, a, event, nil)
			p.Send(m)
			p.Release(0, trace.ID{})
			return m
		}
		first, second := send(), send()
		p.Deliver(first)
		p.Deliver(second)
		third := send()
		again := []int32{tr.AddMessage(tr.TypeNamed("M"), trace.User, 0, a, event, nil), tr.AddMessage(tr.TypeNamed("M"), trace.User, 0, a, event, nil)}
		p.Return(again[1], second)
		p.Return(again[0], first)
		fourth, fifth := send(), send() // more than crowd
		for i, want := range []int32{again[0], again[1], third, fourth, fifth} {
			steps := p.Enabled(nil, all{})
			if len(steps) != 1 || steps[0].Message != want {
				t.Fatalf("%v: delivery %d may be %+v, want message %d alone", model, i+1, steps, want)
			}
			p.Deliver(want)
		}
	}
}

type all struct{}

func (all) Accepts(int32, int32) bool { return true }
