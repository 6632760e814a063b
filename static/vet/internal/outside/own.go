package outside

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// Kind is a way in which a handler reaches beyond its actor.
type Kind = model.Outside

const kinds = model.Outsides

// Op is a place where a function reaches outside by itself, or calls a function of another package that does.
type Op struct {
	Kind Kind
	What string // for people: "time.Now", "store.Save (via os.WriteFile)"
	At   ssa.Instruction
}

// own lists what an instruction reaches outside by itself.
func own(in ssa.Instruction) []Op {
	switch in := in.(type) {
	case *ssa.Go:
		return []Op{{model.Goroutine, "a go statement", in}}
	case *ssa.Send:
		return []Op{{model.Channel, "a send on a channel", in}}
	case *ssa.Select:
		return []Op{{model.Channel, "a select statement", in}}
	case *ssa.UnOp:
		if what, endless := waitsForEnd(in); isReceive(in) && what != "" {
			if endless {
				return []Op{{model.Waiting, what, in}}
			}
			return nil
		}
		if isReceive(in) {
			return []Op{{model.Channel, "a receive from a channel", in}}
		}
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return []Op{{model.Channel, "a close of a channel", in}}
		}
		if what, endless := waitsForEver(in.Common()); endless {
			return []Op{{model.Waiting, what, in}}
		}
	}
	return nil
}

func isReceive(in *ssa.UnOp) bool { return in.Op.String() == "<-" }

// sortOps puts what is found in source order.
func sortOps(ops []Found) {
	slices.SortStableFunc(ops, func(a, b Found) int { return int(a.At.Pos()) - int(b.At.Pos()) })
}
