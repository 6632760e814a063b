package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Dependence knows which pending steps depend on a step that was just executed. internal/causal has it.
type Dependence interface {
	// Written calls f for the objects that event e writes. everything: all steps depend on it.
	Written(model trace.Model, tr *trace.Trace, e int32, f func(object trace.ID)) (everything bool)
	// Expected appends the objects, two at most, that a pending step is known to write. everything: it depends on all
	// steps.
	Expected(model trace.Model, tr *trace.Trace, s *trace.Step, objects []trace.ID) (written []trace.ID, everything bool)
}

// POS is partial-order sampling. Every step draws a random priority when it becomes possible, the highest of the
// enabled ones is taken, and the pending steps that race with it draw again. So a step that is independent of a long
// row of others comes before any of them with a good chance. The steps of one actor come in any order with the same
// chance as in a random walk.
//
//	source:     [POS18], with the priorities of racing events drawn again
//	differs:    what a pending step races with is what is known of it before it happens: its receiver or, under mailbox,
//	            the mailbox that it releases a message into. What a handler is going to send is not, so under
//	            mailbox-serial, where that decides the order of a mailbox, most priorities stay. Values that the program
//	            chooses and faults are drawn uniformly
//	assumes:    explore.Binder was asked, which names the delivery model
//	invariants: I1 a priority is a hash of the step and of how often what it writes was written: a step draws again when
//	               a step that it depends on is taken, and only then
//	cost:       a number a step that is enabled, a hash where it draws; a look-up of each object that an event writes
//	checked by: pos_test.go: the probability of being first or last among n independent and among n racing steps
type POS struct {
	sampler
	dependence Dependence
	model      trace.Model
	objects    map[trace.ID]int32 // numbers of objects
	written    []uint32           // by object: how often
	barriers   uint32             // events on which everything depends
	events     int                // so many were looked at
	drawn      []drawn            // by message
	buffer     []trace.ID
}

// drawn is the priority of a step with a message.
type drawn struct {
	known    bool
	kind     trace.Kind // a message is released, then delivered: two steps
	n        uint8      // of objects
	objects  [2]int32
	version  uint32 // at which the priority was drawn
	priority uint64
}

var (
	_ explore.Binder   = (*POS)(nil)
	_ explore.Numbered = (*POS)(nil)
)

// NewPOS makes the strategy.
func NewPOS(seed uint64, d Dependence) *POS {
	return &POS{sampler: sampler{seed: seed}, dependence: d, objects: map[trace.ID]int32{}}
}

// Name is "pos".
func (*POS) Name() string { return "pos" }

// Bind learns what depends on what.
func (p *POS) Bind(e explore.Env) error {
	p.model = e.Conditions.Model
	return nil
}

// Start forgets the last execution.
func (p *POS) Start() bool {
	clear(p.objects)
	p.written, p.drawn, p.barriers, p.events = p.written[:0], p.drawn[:0], 0, 0
	return p.sampler.Start()
}

// Choose takes the step of the highest priority.
func (p *POS) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: p.uniform(enabled)}
	}
	p.follow(tr)
	best, most := 0, uint64(0)
	for i := range enabled {
		at := p.priority(tr, &enabled[i])
		if i == 0 || at > most || at == most && enabled[i].Before(&enabled[best]) {
			best, most = i, at
		}
	}
	return explore.Choice{Index: best}
}

// follow counts what was written since.
func (p *POS) follow(tr *trace.Trace) {
	for ; p.events < len(tr.Events); p.events++ {
		if p.dependence.Written(p.model, tr, int32(p.events), func(object trace.ID) { p.written[p.number(object)]++ }) {
			p.barriers++
		}
	}
	for len(p.drawn) < len(tr.Messages) {
		p.drawn = append(p.drawn, drawn{})
	}
}

// number numbers the objects.
func (p *POS) number(object trace.ID) int32 {
	n, ok := p.objects[object]
	if !ok {
		n = int32(len(p.written))
		p.objects[object] = n
		p.written = append(p.written, 0)
	}
	return n
}

// priority gives that of a step, which is drawn again if what it writes was written since.
func (p *POS) priority(tr *trace.Trace, s *trace.Step) uint64 {
	if s.Message < 0 {
		return p.draw(s, uint32(p.events)) // an advance depends on all that happens
	}
	d := &p.drawn[s.Message]
	if !d.known || d.kind != s.Kind {
		*d = drawn{known: true, kind: s.Kind}
		p.buffer, _ = p.dependence.Expected(p.model, tr, s, p.buffer[:0])
		for _, object := range p.buffer {
			d.objects[d.n] = p.number(object)
			d.n++
		}
		d.version, d.priority = p.version(d), p.draw(s, p.version(d))
	}
	if v := p.version(d); v != d.version {
		d.version, d.priority = v, p.draw(s, v)
	}
	return d.priority
}

func (p *POS) version(d *drawn) uint32 {
	v := p.barriers
	for _, object := range d.objects[:d.n] {
		v += p.written[object]
	}
	return v
}

func (p *POS) draw(s *trace.Step, version uint32) uint64 {
	return p.base.With(forPriority).WithID(s.ID).With(uint64(version)).Hi
}
