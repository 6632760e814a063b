package tap

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: the feedback-directed search of [TAP18] 5.2. The variables of an unsatisfiable core are fields and
// messages; the statements that define these are what the search is to go to. It goes back to the latest configuration
// with a transition that may lead to one.

// wanted is what may change the last core.
type wanted struct {
	sites []ssa.Instruction
	made  []types.Type // whose fields nothing but their creation defines
}

// lead is a question: may a statement be executed before the end of a block?
type lead struct {
	site ssa.Instruction
	to   *ssa.BasicBlock
}

// learn takes clauses that exclude each other.
//
// Differs: what is equated is substituted, so a clause may have lost the variables for which it fails; those that it
// had before the last substitution count, too.
func (e *Engine) learn(c *configuration, core []*clause) {
	if !e.config.Feedback {
		return
	}
	w := &wanted{}
	for _, k := range core {
		for n := 0; k != nil && n < 2; n, k = n+1, k.prev {
			term.Walk(func(t *term.Term) { e.defining(w, t) }, k.t)
		}
	}
	if len(w.sites)+len(w.made) > 0 {
		e.wanted, e.failed, e.again = w, c.trace, nil
	}
}

// defining adds the statements that define a variable or a field.
func (e *Engine) defining(w *wanted, t *term.Term) {
	switch t.Op {
	case term.OpApply:
		kind, rest, _ := strings.Cut(t.Name[:strings.LastIndexByte(t.Name, '|')], "|")
		_, key, _ := strings.Cut(rest, "|")
		sites := e.program.stores[kind+"|"+key]
		handled := false
		for _, in := range sites {
			if len(e.program.handling(in.Parent())) > 0 {
				w.add(in)
				handled = true
			}
		}
		if dot := strings.LastIndexByte(key, '.'); dot >= 0 && !handled {
			for _, c := range e.program.classes {
				if c.Recv != nil && typeKey(deref(c.Recv)) == key[:dot] && !containsType(w.made, c.Recv) {
					w.made = append(w.made, c.Recv)
				}
			}
		}
	case term.OpVar:
		base, part := split(t.Name)
		if rest, ok := strings.CutPrefix(part, ".("); ok && strings.HasPrefix(base, "m") {
			for _, in := range e.program.stores["message|"+rest[:strings.LastIndexByte(rest, ')')]] {
				w.add(in)
			}
		}
	}
}

func (w *wanted) add(in ssa.Instruction) {
	if !slices.Contains(w.sites, in) {
		w.sites = append(w.sites, in)
	}
}

// defines notes what an instruction defines.
func (p *Program) defines(in ssa.Instruction) {
	add := func(key string) { p.stores[key] = append(p.stores[key], in) }
	switch in := in.(type) {
	case *ssa.Store:
		switch addr := in.Addr.(type) {
		case *ssa.FieldAddr:
			t := deref(addr.X.Type().Underlying())
			add(kindField + "|" + typeKey(t) + "." + t.Underlying().(*types.Struct).Field(addr.Field).Name())
		case *ssa.IndexAddr:
			add(kindElem + "|" + typeKey(in.Val.Type()))
		default:
			add(kindField + "|" + typeKey(in.Val.Type()))
		}
	case *ssa.MapUpdate:
		add(kindEntry + "|" + typeKey(in.Map.Type().Underlying()))
	case *ssa.Call:
		row, args, ok := operation(in)
		if !ok || row.Msg == 0 || row.Msg >= len(args) {
			return
		}
		switch row.Op {
		case model.Send, model.Request, model.RequestFrom, model.Respond, model.Timer, model.RequestTimer:
			if box, ok := args[row.Msg].(*ssa.MakeInterface); ok {
				add("message|" + typeKey(box.X.Type()))
			}
		}
	}
}

// reach notes that a transition goes to what was wanted: from there on the weights alone decide, until the next core.
func (e *Engine) reach(c *configuration, t transition) {
	if e.wanted == nil {
		return
	}
	if in := c.by(t.actor).previous(); in != nil && slices.Contains(e.wanted.sites, in) ||
		t.class != nil && t.class.Recv != nil && containsType(e.wanted.made, t.class.Recv) {
		e.wanted = nil
	}
}

// look says which transitions of a node may lead to what is wanted.
func (e *Engine) look(n *node) {
	if n.of == e.wanted && len(n.leads) == len(n.todo) {
		return
	}
	n.of, n.leads = e.wanted, make([]bool, len(n.todo))
	if e.wanted == nil {
		return
	}
	for k, t := range n.todo {
		n.leads[k] = e.leads(t)
	}
}

func (e *Engine) leads(t transition) bool {
	if t.class != nil {
		return t.class.Recv != nil && containsType(e.wanted.made, t.class.Recv) ||
			slices.ContainsFunc(e.wanted.sites, func(in ssa.Instruction) bool {
				return slices.ContainsFunc(e.program.behavioursOf(t.class),
					func(b *Class) bool { return e.program.reach(b.Fn)[in.Parent()] })
			})
	}
	return t.to != nil && slices.ContainsFunc(e.wanted.sites,
		func(in ssa.Instruction) bool { return e.comes(lead{in, t.to}) })
}

// comes reports whether a statement may be executed before the end of a block of the same function, or of one that
// calls its function.
func (e *Engine) comes(l lead) bool {
	found, ok := e.cache[l]
	if ok {
		return found
	}
	before := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{l.to}
	for len(work) > 0 && !found {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if before[b] {
			continue
		}
		before[b] = true
		work = append(work, b.Preds...)
		found = l.site.Block() == b || slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			return ok && !known(call) && slices.ContainsFunc(e.program.callees(call),
				func(c callee) bool { return e.program.reach(c.fn)[l.site.Parent()] })
		})
	}
	e.cache[l] = found
	return found
}

// backtrack leaves the configurations at which nothing is left to try. With F the latest one that has a transition to
// what is wanted comes next.
func (e *Engine) backtrack(stack []*node) []*node {
	stack = slices.DeleteFunc(stack, func(n *node) bool { return len(n.todo) == 0 })
	if !e.config.Feedback {
		return stack
	}
	for i, n := range slices.Backward(stack) {
		e.look(n)
		if slices.Contains(n.leads, true) {
			e.again = e.failed.since(n.c.trace)
			return append(slices.Delete(stack, i, i+1), n)
		}
	}
	return stack
}

// move is a transition as it may be taken once more, elsewhere.
type move struct {
	rule  string
	class *Class          // of the actor
	to    *ssa.BasicBlock // as in transition
	new   *Class
}

func (e *Engine) move(c *configuration, t transition) move {
	return move{t.rule.Name(), c.by(t.actor).class, t.to, t.class}
}

// since lists the moves after one, nil if it is not on the way.
func (t *trail) since(from *trail) (list []move) {
	for ; t != from; t = t.prev {
		if t == nil {
			return nil
		}
		list = append(list, t.move)
	}
	return list
}

// repeats says which transitions of a node are moves that led from a configuration with a transition to what was wanted
// to an infeasible one. In Figure 11 that is the constructor, which the paper tries again with one pong more.
func (e *Engine) repeats(n *node) []bool {
	all := make([]bool, len(n.todo))
	for k, t := range n.todo {
		all[k] = slices.Contains(e.again, e.move(n.c, t))
	}
	return all
}

// among gives the clauses of a core.
func (c *configuration) among(core []*term.Term) (list []*clause) {
	for _, k := range c.phi {
		if slices.Contains(core, k.t) {
			list = append(list, k)
		}
	}
	return list
}
