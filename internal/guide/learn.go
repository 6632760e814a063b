package guide

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// knowledge is what tries have shown. It says what to try first, and rules nothing out.
type knowledge struct {
	wanted []map[trace.ID]reason // by entry: steps that led to it
	avoid  map[trace.ID]int      // steps that came too early: not before so many entries happened
	early  map[trace.ID]bool     // firings that came too late: their timers were cancelled before
}

// reason is how a step led to an entry.
type reason uint8

const (
	direct  reason = iota + 1 // by messages, each sent where the one before was handled
	earlier                   // it happened before one of these
)

// What choices cost. Each time a choice has failed it costs one more.
const (
	costHurry   = -1 // before the step of the next entry
	costDirect  = 4
	costEarlier = 8
	costOther   = 12
	costRelease = 16 // added to a release by which a message would come before one that an earlier entry names
	costAvoid   = 32 // added to a step that came too early in another try
)

func newKnowledge(entries int) knowledge {
	k := knowledge{avoid: map[trace.ID]int{}, early: map[trace.ID]bool{}}
	for range entries {
		k.wanted = append(k.wanted, map[trace.ID]reason{})
	}
	return k
}

// cost ranks a choice of the tree.
func (g *Strategy) cost(tr *trace.Trace, k *kid, enabled []trace.Step) int {
	if k.take {
		return int(k.fails)
	}
	i := trace.Find(enabled, k.id)
	if i < 0 {
		return int(k.fails)
	}
	return int(k.fails) + g.price(tr, &enabled[i])
}

// price is the cost of a filler that has never failed.
func (g *Strategy) price(tr *trace.Trace, s *trace.Step) int {
	if g.known.early[s.ID] {
		return costHurry
	}
	cost := costOther
	switch g.known.wanted[g.at][s.ID] {
	case direct:
		cost = costDirect
	case earlier:
		cost = costEarlier
	}
	if s.Kind == trace.Send && g.match.patterns[g.at].actor.has(s.Actor) {
		cost = min(cost, costEarlier) // it takes nothing before
	}
	if g.at < g.known.avoid[s.ID] {
		cost += costAvoid
	}
	if s.Kind == trace.Send && g.overtakes(tr, s.Message) {
		cost += costRelease
	}
	return cost
}

// polish picks what is known to lead to the entry.
func (g *Strategy) polish(tr *trace.Trace, list []option, enabled []trace.Step) option {
	best, least := option{-1, false}, 0
	for _, o := range list {
		if o.take {
			best, least = o, 0
			continue
		}
		if c := g.price(tr, &enabled[o.index]); best.index < 0 || c < least {
			best, least = o, c
		}
	}
	return best
}

// overtakes reports whether a captured message, released now, would come before one that an earlier entry names: the
// receiver takes its messages in the order in which they arrive.
func (g *Strategy) overtakes(tr *trace.Trace, message int32) bool {
	to := tr.Messages[message].Receiver
	box := g.match.boxes[to]
	for _, p := range g.match.patterns[g.at:] {
		if !p.isReceive() || !p.actor.has(to) {
			continue
		}
		if len(box) > 0 && g.match.receives(p, box[0]) {
			box = box[1:]
			continue
		}
		if g.match.receives(p, message) {
			return false
		}
		// This entry waits for another one.
		return g.isNamed(message)
	}
	return false
}

// isNamed reports whether an entry still to come may mean the receive of message.
func (g *Strategy) isNamed(message int32) bool {
	for _, p := range g.match.patterns[g.at:] {
		if g.match.receives(p, message) {
			return true
		}
	}
	return false
}

// tooEarly notes that the step that began with the event led to what entry e names, or kept it from happening, before
// its turn.
func (k *knowledge) tooEarly(tr *trace.Trace, event int32, e int) {
	if event >= 0 && int(event) >= tr.Explored && !tr.Events[event].Auto {
		id := tr.Events[event].Step.ID
		k.avoid[id] = max(k.avoid[id], e)
	}
}

// learn notes what led to the messages that the entries from one on name.
func (k *knowledge) learn(m *matcher, tr *trace.Trace, from int) {
	var order *causal.Order
	if len(tr.Events) <= maxCauses {
		order = causal.New(m.model, trace.Quiescent)
		order.Extend(tr, len(tr.Events))
	}
	for e := from; e < len(m.patterns); e++ {
		for i := range tr.Messages {
			if m.receives(m.patterns[e], int32(i)) {
				if at, ok := m.taken[int32(i)]; ok {
					leadOut(k.wanted[e], tr, at)
				}
				k.lead(e, m.model, tr, order, int32(i))
			}
		}
	}
}

// lead notes what led to a message that entry e names.
func (k *knowledge) lead(e int, model trace.Model, tr *trace.Trace, order *causal.Order, message int32) {
	wanted := k.wanted[e]
	for message >= 0 {
		msg := &tr.Messages[message]
		wanted[tr.FiringOf(message).ID] = direct
		head := tr.StepOf(msg.SentBy)
		if int(head) < tr.Explored {
			return
		}
		if delivery.Captured(model, msg) {
			k.leadRelease(wanted, tr, head, message)
		}
		if wanted[tr.Events[head].Step.ID] == direct {
			return // and so what led to that
		}
		leadOut(wanted, tr, head)
		for i := head; i <= msg.SentBy; i++ {
			wanted[tr.Events[i].Step.ID] = direct
		}
		if order != nil {
			order.Past(head-int32(order.First())).Each(0, func(p int32) bool {
				if id := order.Step(p).ID; wanted[id] == 0 {
					wanted[id] = earlier
				}
				return true
			})
		}
		message = tr.Events[head].Step.Message
	}
}

// leadOut notes the releases without which the actor of an event would not have taken its message: those of what it had
// captured.
func leadOut(wanted map[trace.ID]reason, tr *trace.Trace, event int32) {
	actor := tr.Events[event].Step.Actor
	for e := event - 1; int(e) >= tr.Explored; e-- {
		switch s := &tr.Events[e].Step; {
		case s.Actor == actor && s.Kind == trace.Send:
			wanted[s.ID] = direct
		case s.Actor == actor && s.Kind.Handles():
			return
		}
	}
}

// leadRelease notes the release of a message, and those of what its sender captured before.
func (k *knowledge) leadRelease(wanted map[trace.ID]reason, tr *trace.Trace, head, message int32) {
	for i := head; i <= tr.Messages[message].SentBy; i++ {
		for _, m := range tr.Events[i].Sent {
			wanted[tr.ReleaseOf(m).ID] = direct
			if m == message {
				return
			}
		}
	}
}
