package target

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file has what constraints of native actors (actor.Accepter) mean for the search. Under the models with mailboxes
// a message that is refused stays there, and others overtake it (internal/delivery). So the order of arrival is no
// order of receives, and a message that nobody receives excludes nothing. The search does not ask whether a message is
// accepted: that only excludes ways, and the execution of the plan decides.

// refusers says which agents of a node may refuse messages that others overtake.
func (e *Engine) refusers(n *node) []bool {
	list := make([]bool, len(n.agents))
	if !e.config.Model.Queues() || e.proto() {
		return list
	}
	for a, g := range n.agents {
		if c := e.flow.classOf(g); c != nil {
			for _, fn := range c.fns {
				list[a] = list[a] || chooses(fn)
			}
		}
	}
	return list
}

// chooses reports whether what handles messages is a method of a behaviour with constraints.
func chooses(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && hasMethod(recv.Type(), "Accepts")
}

// hasMethod reports whether a type, or a pointer to it, has an exported method.
func hasMethod(t types.Type, name string) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, is := m.(*types.Func)
	return is
}
