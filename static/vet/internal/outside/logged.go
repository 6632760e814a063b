package outside

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// onlyLogged reports whether a time is used for nothing but to tell people how late it is or how long something took:
// it then changes nothing that an actor does. It follows the value within its function; a value without any use is not
// only logged, as sleeping has none.
func onlyLogged(v ssa.Value) bool {
	l := logged{seen: map[ssa.Value]bool{}}
	return l.all(v) && l.told
}

type logged struct {
	seen map[ssa.Value]bool
	told bool // it comes to a log
}

// all reports whether all uses of a value end in a log.
func (l *logged) all(v ssa.Value) bool {
	if l.seen[v] {
		return true
	}
	l.seen[v] = true
	if v.Referrers() == nil || len(l.seen) > 100 {
		return false
	}
	for _, ref := range *v.Referrers() {
		if !l.use(v, ref) {
			return false
		}
	}
	return true
}

func (l *logged) use(v ssa.Value, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MakeInterface:
		return l.all(ref)
	case *ssa.Store: // into the list of a call's variable arguments
		ia, ok := ref.Addr.(*ssa.IndexAddr)
		return ok && ref.Val == v && l.arguments(ia.X)
	case ssa.CallInstruction:
		return l.call(ref)
	}
	return false
}

// arguments reports whether an array is the list of arguments of calls that log.
func (l *logged) arguments(array ssa.Value) bool {
	alloc, ok := array.(*ssa.Alloc)
	if !ok || alloc.Comment != "varargs" {
		return false
	}
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.IndexAddr:
		case *ssa.Slice:
			for _, r := range *ref.Referrers() {
				if call, ok := r.(ssa.CallInstruction); !ok || !l.call(call) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// call reports whether a call logs, or gives a value that is only logged.
func (l *logged) call(in ssa.CallInstruction) bool {
	fn := frame.Func(in.Common())
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch name := fn.FullName(); {
	case strings.HasPrefix(name, "time.Since"), strings.HasPrefix(name, "(time.Time)."), strings.HasPrefix(name,
		"(time.Duration)."):
		call, ok := in.(*ssa.Call)
		return ok && l.all(call)
	case fn.Pkg().Path() == "log/slog" && fn.Signature().Recv() == nil && fn.Signature().Results().Len() == 1:
		// makes an attribute
		call, ok := in.(*ssa.Call)
		return ok && l.all(call)
	case fn.Pkg().Path() == "log/slog" || fn.Pkg().Path() == "log" && fn.Signature().Results().Len() == 0:
		l.told = true
		return true
	}
	return false
}
