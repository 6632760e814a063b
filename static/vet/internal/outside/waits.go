package outside

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// waitsForEver reports whether a call waits for an answer without a limit.
func waitsForEver(c *ssa.CallCommon) (string, bool) {
	row, ok := frame.Of(c)
	switch {
	case !ok:
		return "", false
	case row.Op == frame.Call && row.Timeout == frame.NoArg:
		return "a Call without a timeout", true
	case row.Op != frame.Wait:
		return "", false
	}
	for _, request := range Requests(c) {
		row, _ := frame.Of(&request.Call)
		if negative(frame.Arg(&request.Call, row.Timeout)) {
			return "waiting for a future whose negative timeout means none", true
		}
	}
	return "", false
}

// waitsForEnd says for what end of an actor an instruction waits, "" if for none. It says too whether that is without a
// limit. Hollywood gives a context that is done when the actor has stopped. One that ends by itself may be given.
func waitsForEnd(in *ssa.UnOp) (what string, endless bool) {
	done, ok := in.X.(*ssa.Call)
	if !ok || !done.Call.IsInvoke() || done.Call.Method.FullName() != "(context.Context).Done" {
		return "", false
	}
	stop, ok := done.Call.Value.(*ssa.Call)
	if !ok {
		return "", false
	}
	if row, ok := frame.Of(&stop.Call); !ok || row.Op != frame.Stop {
		return "", false
	}
	name := frame.Func(&stop.Call).Name()
	return "waiting for the end of an actor, by " + name, name != "PoisonCtx"
}

// negative reports whether a timeout is a constant below 0, which protoactor-go takes for none.
func negative(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && constant.Sign(c.Value) < 0
}

// Requests lists the calls within the same function that may have made the future which a call waits for; for a Call,
// itself.
func Requests(c *ssa.CallCommon) []*ssa.Call {
	var future ssa.Value
	if c.IsInvoke() {
		future = c.Value
	} else if len(c.Args) > 0 {
		future = c.Args[0]
	}
	var found []*ssa.Call
	seen := map[ssa.Value]bool{}
	var walk func(ssa.Value)
	walk = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			for _, e := range v.Edges {
				walk(e)
			}
		case *ssa.Call:
			if row, ok := frame.Of(&v.Call); ok && row.Op == frame.Request {
				found = append(found, v)
			}
		}
	}
	walk(future)
	return found
}
