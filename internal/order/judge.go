package order

import (
	"math"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Judge judges the actors of one state after the other.
type Judge struct {
	o      StableOptions
	chains *chains
	state  state
	ranked []verdict // of the last state, best first
}

// verdict is what was found of an actor with something to do.
type verdict struct {
	actor  int32
	stable bool
	level  float64
	breaks int // so many others are not stable because of it
}

// NewJudge makes a judge, which Bind has to be called of before it judges.
func NewJudge(o StableOptions) *Judge {
	if o.Weights == (Weights{}) {
		o.Weights = DefaultWeights
	}
	return &Judge{o: o, chains: newChains(nil, o.Literal)}
}

// Bind takes in what was declared.
func (j *Judge) Bind(e explore.Env) error {
	j.chains = newChains(e.Conditions.Calls, j.o.Literal)
	return nil
}

// Open takes in the execution that begins.
func (j *Judge) Open(x explore.Execution) { j.state.open(x) }

// judge finds the verdicts on the actors with enabled steps.
func (j *Judge) judge(tr *trace.Trace, enabled []trace.Step) {
	j.ranked = j.ranked[:0]
	if len(enabled) == 0 {
		return
	}
	j.state.read(tr, j.chains)
	for i := range enabled {
		j.list(enabled[i].Actor)
	}
	for i := range j.ranked {
		j.assess(&j.ranked[i])
	}
	j.sort()
}

// list notes an actor once, in the order of creation.
func (j *Judge) list(actor int32) {
	at := len(j.ranked)
	for at > 0 && j.ranked[at-1].actor >= actor {
		if at--; j.ranked[at].actor == actor {
			return
		}
	}
	j.ranked = append(j.ranked, verdict{})
	copy(j.ranked[at+1:], j.ranked[at:])
	j.ranked[at] = verdict{actor: actor}
}

// assess is Theorem 1 for one actor, and definition 3.
func (j *Judge) assess(v *verdict) {
	v.stable = !j.state.opaque
	for a := range j.state.actors {
		b := &j.state.actors[a]
		if int32(a) == v.actor || b.gone {
			continue
		}
		broken := b.wild
		if b.wild {
			v.level += j.o.Weights.Foreign
		}
		for i := range b.tasks {
			if level := j.against(v.actor, int32(a), &b.tasks[i]); level > 0 {
				broken = true
				v.level += level
			}
		}
		if broken {
			v.stable = false
			j.blame(int32(a))
		}
	}
}

// against is the level of an actor with respect to a task of another one, 0 if that does not keep it from being stable.
func (j *Judge) against(actor, other int32, t *task) (level float64) {
	chains := j.chains.to(t.row, j.state.tr.Actors[actor].Type)
	if len(chains) == 0 {
		return 0
	}
	refers := j.state.refers(other, t, actor)
	if !refers && !j.o.Printed && !j.state.held(j.chains, actor) {
		return 0
	}
	for i := range chains {
		ch := &chains[i]
		if !refers && j.o.Printed && !j.state.among(j.chains, ch, actor) {
			continue
		}
		k := j.o.Weights.Foreign
		switch {
		case refers && ch.length == 2:
			k = j.o.Weights.Direct
		case refers:
			k = j.o.Weights.Indirect
		}
		if j.o.Heuristic == Weighted {
			k = math.Ldexp(k, -ch.depth)
		}
		level += k
	}
	return level
}

// blame counts an actor that keeps another from being stable.
func (j *Judge) blame(actor int32) {
	for i := range j.ranked {
		if j.ranked[i].actor == actor {
			j.ranked[i].breaks++
		}
	}
}
