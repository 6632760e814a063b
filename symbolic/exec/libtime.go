package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Points in time are numbers of nanoseconds, and so are durations: what is computed with them wraps around after 292
// years.
//
// differs: a time has a place and perhaps a reading of the monotonic clock in Go, which no handler that is known
// compares.

// times are the functions on points in time.
var times = map[string]library{
	"(time.Time).Sub":    onTimes(func(r *run, x, y *term.Term) Value { return r.store.Sub(x, y) }),
	"(time.Time).Add":    onTimes(func(r *run, x, y *term.Term) Value { return r.store.Add(x, y) }),
	"(time.Time).After":  onTimes(func(r *run, x, y *term.Term) Value { return r.store.SLess(y, x) }),
	"(time.Time).Before": onTimes(func(r *run, x, y *term.Term) Value { return r.store.SLess(x, y) }),
	"(time.Time).Equal":  onTimes(func(r *run, x, y *term.Term) Value { return r.store.Equal(x, y) }),
	"(time.Time).IsZero": func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		t, ok := args[0].(*term.Term)
		if !ok {
			return nil, false
		}
		return r.isZero(t), true
	},
	"(time.Duration).Nanoseconds":  inUnits(1),
	"(time.Duration).Microseconds": inUnits(1e3),
	"(time.Duration).Milliseconds": inUnits(1e6),
}

func onTimes(do func(r *run, x, y *term.Term) Value) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		x, ok := args[0].(*term.Term)
		y, two := args[1].(*term.Term)
		if !ok || !two {
			return nil, false
		}
		return do(r, x, y), true
	}
}

func inUnits(n int) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		return r.store.SDiv(args[0].(*term.Term), r.int(n)), true
	}
}
