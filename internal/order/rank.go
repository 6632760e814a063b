package order

import "github.com/rehearse-go/rehearse/trace"

// Name is that of the order of actors which a Judge is.
func (*Judge) Name() string { return "STABLE" }

// Actors appends each actor that has an enabled step once: those that are stable, then the others as the heuristic
// compares them, the oldest first where it finds no difference.
func (j *Judge) Actors(into []int32, tr *trace.Trace, enabled []trace.Step) []int32 {
	j.judge(tr, enabled)
	for i := range j.ranked {
		into = append(into, j.ranked[i].actor)
	}
	return into
}

// Stable reports whether the actor was proven stable in the state that Actors was last asked about.
func (j *Judge) Stable(actor int32) bool {
	for i := range j.ranked {
		if j.ranked[i].actor == actor {
			return j.ranked[i].stable
		}
	}
	return false
}

// sort sorts by insertion: few actors, no allocation, stable.
func (j *Judge) sort() {
	r := j.ranked
	for i := 1; i < len(r); i++ {
		for k := i; k > 0 && j.before(&r[k], &r[k-1]); k-- {
			r[k], r[k-1] = r[k-1], r[k]
		}
	}
}

// before reports whether v is to be tried before w.
func (j *Judge) before(v, w *verdict) bool {
	switch {
	case v.stable || w.stable:
		return v.stable && !w.stable
	case j.o.Heuristic == Breaks:
		return v.breaks > w.breaks
	}
	return v.level < w.level
}
