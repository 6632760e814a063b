package exec

import (
	"go/types"
	"math"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has functions of package math. Of constants they give what they give on this machine, where the test of a
// way will run. Of others some have exact models.

var maths = map[string]library{
	"math.IsNaN": func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		x := args[0].(*term.Term)
		return r.store.Not(r.store.FEqual(x, x)), true
	},
	"math.IsInf": isInf,
	"math.Inf": func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		sign := args[0].(*term.Term)
		if !sign.Const() {
			return nil, false
		}
		return r.store.Float(term.Float64, math.Inf(int(sign.Value().Int()))), true
	},
	"math.NaN": func(r *run, _ *types.Func, _ *types.Signature, _ []Value) (Value, bool) {
		return r.store.Float(term.Float64, math.NaN()), true
	},
	"math.Abs": absolute,

	"math.Sqrt": onFloat(math.Sqrt), "math.Cbrt": onFloat(math.Cbrt), "math.Floor": onFloat(math.Floor),
	"math.Ceil": onFloat(math.Ceil), "math.Trunc": onFloat(math.Trunc), "math.Round": onFloat(math.Round),
	"math.RoundToEven": onFloat(math.RoundToEven), "math.Exp": onFloat(math.Exp), "math.Log": onFloat(math.Log),
	"math.Sin": onFloat(math.Sin), "math.Cos": onFloat(math.Cos), "math.Tan": onFloat(math.Tan),
	"math.Hypot": onFloats(math.Hypot), "math.Pow": onFloats(math.Pow), "math.Mod": onFloats(math.Mod),
	"math.Atan2": onFloats(math.Atan2), "math.Max": onFloats(math.Max), "math.Min": onFloats(math.Min),
	"math.Copysign": onFloats(math.Copysign),
}

func onFloat(do func(float64) float64) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		x := args[0].(*term.Term)
		if !x.Const() {
			return nil, false
		}
		return r.store.Float(x.Sort, do(x.Value().Float())), true
	}
}

func onFloats(do func(x, y float64) float64) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		x, y := args[0].(*term.Term), args[1].(*term.Term)
		if !x.Const() || !y.Const() {
			return nil, false
		}
		return r.store.Float(x.Sort, do(x.Value().Float(), y.Value().Float())), true
	}
}

// isInf needs a sign that is known.
func isInf(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	x, sign := args[0].(*term.Term), args[1].(*term.Term)
	if !sign.Const() {
		return nil, false
	}
	var some []*term.Term
	if n := int64(sign.Val); n >= 0 {
		some = append(some, r.store.FEqual(x, r.store.Float(x.Sort, math.Inf(1))))
	}
	if n := int64(sign.Val); n <= 0 {
		some = append(some, r.store.FEqual(x, r.store.Float(x.Sort, math.Inf(-1))))
	}
	return r.store.Or(some...), true
}

// absolute gives 0 of -0 by adding 0.
func absolute(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	x := args[0].(*term.Term)
	zero := r.store.Float(x.Sort, 0)
	return r.store.If(r.store.FLess(x, zero), r.store.FNeg(x), r.store.FAdd(x, zero)), true
}
