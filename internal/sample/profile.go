package sample

import "github.com/rehearse-go/rehearse/trace"

// profile is what SURW keeps of an earlier execution: its steps as a forest, each below the step after which it became
// enabled, with the actors that each is about.
type profile struct {
	steps  map[trace.ID]int32 // index of a step that was taken
	parent []int32            // -1: none
	kind   []int32            // of a step: of what kind, of which type its message, of which its receiver
	kinds  map[kind]int32
	about  []int32 // actors, step after step
	ends   []int32 // of each step's in about
	actors map[trace.ID]int32
	often  []uint32 // by actor: how many steps are about it
}

// everybody is the number of an actor that all steps are about.
const everybody = 0

// kind is what steps that were never seen are guessed by.
type kind struct {
	step              trace.Kind
	message, receiver uint64
}

func kindOf(tr *trace.Trace, s *trace.Step) kind {
	if s.Message < 0 {
		return kind{step: s.Kind}
	}
	msg := &tr.Messages[s.Message]
	return kind{s.Kind, msg.Type.Hash, tr.Actors[msg.Receiver].Type.Hash}
}

// build makes the profile of an execution; parents are those of its events, by index.
func (p *profile) build(model trace.Model, tr *trace.Trace, parents []int32) {
	*p = profile{steps: map[trace.ID]int32{}, kinds: map[kind]int32{},
		actors: map[trace.ID]int32{{}: everybody}, often: []uint32{0}}
	for e := range parents {
		s := &tr.Events[e].Step
		k := kindOf(tr, s)
		if _, ok := p.kinds[k]; !ok {
			p.kinds[k] = int32(len(p.kinds))
		}
		p.steps[s.ID] = int32(e)
		p.parent, p.kind = append(p.parent, parents[e]), append(p.kind, p.kinds[k])
		if e >= tr.Explored && !s.Kind.Chooses() && !tr.Events[e].Auto {
			p.addAbout(trace.ID{})
			eachAbout(model, tr, int32(e), p.addAbout)
		}
		p.ends = append(p.ends, int32(len(p.about)))
	}
}

func (p *profile) addAbout(actor trace.ID) {
	n, ok := p.actors[actor]
	if !ok {
		n = int32(len(p.often))
		p.actors[actor] = n
		p.often = append(p.often, 0)
	}
	p.often[n]++
	p.about = append(p.about, n)
}

// eachAbout calls f for the actors whose steps come in an order that event e is a part of. That is the actor that takes
// it. Where mailboxes decide the order, it is those into whose mailbox it puts something.
func eachAbout(model trace.Model, tr *trace.Trace, e int32, f func(actor trace.ID)) {
	ev := &tr.Events[e]
	if !model.Queues() {
		if ev.Step.Kind.Handles() {
			f(tr.Actors[ev.Step.Actor].ID)
		}
		return
	}
	if ev.Released >= 0 {
		f(tr.Actors[tr.Messages[ev.Released].Receiver].ID)
	}
	for _, m := range ev.Sent {
		if msg := &tr.Messages[m]; (model == trace.MailboxSerial || msg.AtOnce) &&
			(msg.Kind == trace.User || msg.Kind == trace.System) {
			f(tr.Actors[msg.Receiver].ID)
		}
	}
}

// isAbout reports whether step i of the profile is about the actor.
func (p *profile) isAbout(i, actor int32) bool {
	from := int32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	for _, a := range p.about[from:p.ends[i]] {
		if a == actor {
			return true
		}
	}
	return false
}

// weigh counts, for each step, the steps about the actor from it down, itself included, and the mean of that for each
// kind, rounded up.
func (p *profile) weigh(actor int32, weights, means []uint32) ([]uint32, []uint32) {
	n, k := len(p.parent), len(p.kinds)
	weights = append(weights[:0], make([]uint32, n)...)
	means = append(means[:0], make([]uint32, k)...)
	sums, counts := make([]uint64, k), make([]uint64, k)
	for i := n - 1; i >= 0; i-- { // what is below comes later
		if p.isAbout(int32(i), actor) && weights[i] < maxWeight {
			weights[i]++
		}
		if up := p.parent[i]; up >= 0 {
			weights[up] = min(weights[up]+weights[i], maxWeight)
		}
		sums[p.kind[i]] += uint64(weights[i])
		counts[p.kind[i]]++
	}
	for i := range means {
		means[i] = uint32((sums[i] + counts[i] - 1) / counts[i])
	}
	return weights, means
}
