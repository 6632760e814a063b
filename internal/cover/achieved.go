package cover

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// maxReceives is how many different receives of one actor goals are kept for: their pairs take 3 * 32 MiB at most.
const maxReceives = 1 << 14

// maxWords bounds the memory of all goals: 128 MiB. A program that makes ever new receives reaches the bound. What it
// has achieved by then still counts.
const maxWords = 16 << 20

// perReceive is the memory of a receive without its goals, in words.
const perReceive = 16

// Achieved is the set of goals that were achieved. Receives are matched across executions by identity ([Bita13] section
// III-B).
type Achieved struct {
	boxes   map[trace.ID]*box
	count   [criteria]int
	covered [criteria]int
	words   int
	// Dropped counts receives that are not kept, because their actor has more than maxReceives different ones or the
	// memory is used up.
	Dropped int

	seqs []sequence // by actor of the trace that is being observed
}

// box is the receives of one actor, in all executions, and the goals among them.
type box struct {
	index  map[trace.ID]int32     // receives by the identity of their message
	before [criteria][]bitset.Set // by receive: those that came before it and made a goal with it
}

// NewAchieved is the empty set.
func NewAchieved() *Achieved { return &Achieved{boxes: map[trace.ID]*box{}} }

// Count gives the number of goals achieved under a criterion: ordered pairs.
func (o *Achieved) Count(c Criterion) int { return o.count[c] }

// Covered gives the number of pairs whose two goals were both achieved ([Bita13] definition 4).
func (o *Achieved) Covered(c Criterion) int { return o.covered[c] }

// box gives the box of an actor.
func (o *Achieved) box(actor trace.ID) *box {
	b := o.boxes[actor]
	if b == nil {
		b = &box{index: map[trace.ID]int32{}}
		o.boxes[actor] = b
	}
	return b
}

// number gives a receive's number in the box, -1 if it is one too many.
func (o *Achieved) number(b *box, message trace.ID) int32 {
	n, ok := b.index[message]
	if !ok {
		if n = int32(len(b.index)); n >= maxReceives || o.words >= maxWords {
			o.Dropped++
			return -1
		}
		b.index[message] = n
		o.words += perReceive
	}
	return n
}

// has reports whether the goal that x comes before y was achieved.
func (b *box) has(c Criterion, x, y int32) bool {
	return int(y) < len(b.before[c]) && b.before[c][y].Has(x)
}

// gain counts the goals that receive at would achieve after the sequence, if it changes no handlers.
func (b *box) gain(c Criterion, s *sequence, at int32) int {
	p := s.partners(c, false)
	if at < 0 || p == nil {
		return 0
	}
	if int(at) >= len(b.before[c]) {
		return p.Beyond(nil)
	}
	return p.Beyond(b.before[c][at])
}

// add appends receive at to the sequence, with the goals that it achieves. It gives the number of new ones under each
// criterion.
func (o *Achieved) add(b *box, s *sequence, at int32, changes bool) (fresh [criteria]int) {
	for c := range Criterion(criteria) {
		p := s.partners(c, changes)
		if p == nil {
			continue
		}
		for int(at) >= len(b.before[c]) {
			b.before[c] = append(b.before[c], nil)
		}
		row := &b.before[c][at]
		fresh[c] = p.Beyond(*row)
		if fresh[c] > 0 {
			for a := p.NextBeyond(*row, 0); a >= 0; a = p.NextBeyond(*row, a+1) {
				if b.has(c, at, a) {
					o.covered[c]++
				}
			}
			o.words -= len(*row)
			*row = row.Union(p)
			o.words += len(*row)
			o.count[c] += fresh[c]
		}
	}
	s.put(at, changes)
	return fresh
}

// Observe adds the goals that an execution achieves and gives the number of new ones under each criterion.
func (o *Achieved) Observe(tr *trace.Trace) (fresh [criteria]int) {
	for len(o.seqs) < len(tr.Actors) {
		o.seqs = append(o.seqs, sequence{})
	}
	boxes := make([]*box, len(tr.Actors))
	for e := range tr.Events {
		if !Asynchronous(tr, e) {
			continue
		}
		s := &tr.Events[e].Step
		if boxes[s.Actor] == nil {
			boxes[s.Actor] = o.box(tr.Actors[s.Actor].ID)
			o.seqs[s.Actor].reset()
		}
		at := o.number(boxes[s.Actor], tr.Messages[s.Message].ID)
		if at < 0 {
			continue
		}
		for c, n := range o.add(boxes[s.Actor], &o.seqs[s.Actor], at, tr.Events[e].Changes) {
			fresh[c] += n
		}
	}
	return fresh
}
