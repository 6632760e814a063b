package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// This file knows messages of protoactor-go that are more than they seem. Who sends a batch sends its members, who
// sends an envelope what is in it, and some messages have an answer of their own.

// unwraps gives up if sending a message of a type sends others.
func (f *frame) unwraps(instr ssa.Instruction, t types.Type) {
	if f.h.actor.framework != facts.Protoactor {
		return
	}
	if hasMethod(t, "GetMessages") {
		f.h.give(instr.Pos(), "it sends a batch, whose members are messages too")
	}
	if model.MessageName(t) == "*actor.MessageEnvelope" {
		f.h.give(instr.Pos(), "it sends an envelope, and what is in it is the message")
	}
}

// answersItself reports whether handling a message of a type of protoactor-go's also sends an answer.
func answersItself(t types.Type) bool { return hasMethod(t, "GetAutoResponse") }

func hasMethod(t types.Type, name string) bool {
	return types.NewMethodSet(t).Lookup(nil, name) != nil
}
