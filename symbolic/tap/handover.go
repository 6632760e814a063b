package tap

import (
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

type (
	ssaInstr = ssa.Instruction
	ssaValue = ssa.Value
	ssaBlock = ssa.BasicBlock
)

// References to those who are not actors of the configuration, and the first one of those that handlers create.
const (
	driverRef = 1
	startRefs = 2
	firstRef  = 1000
)

func startRef(s *term.Store, k int) *term.Term { return s.Uint(wordSort, uint64(startRefs+k)) }

func itoa(n int) string { return strconv.Itoa(n) }

// parameter and captured name the variables with which a call begins; captures those that an actor captures.
func parameter(f *frame, i int) string    { return f.id + ".p" + itoa(i) }
func captured(f *frame, i int) string     { return f.id + ".v" + itoa(i) }
func captures(actor string, i int) string { return actor + "v" + itoa(i) }
func without(list []*event, ev *event) []*event {
	i := slices.Index(list, ev)
	return slices.Delete(slices.Clone(list), i, i+1)
}

// binding is a variable that gets a value: as it is now, and as it was when the event came in.
type binding struct {
	base string
	now  value
	then value
}

// handover is the substitution of variables by what an event carries. What they lead to in the receiver's memory is
// replaced too. It becomes what they lead to in the memory of the one who has made the event, as it was then. With a
// base it is about memory that is reached by that variable, else about all.
func (e *Engine) handover(d *configuration, ev *event, base, mine, theirs string, all []binding) *change {
	until := d.changes
	ch := &change{what: "handover", keys: []string{mine}}
	then := &change{what: "then"}
	for _, b := range all {
		ch.keys = append(ch.keys, b.base)
		then.keys = append(then.keys, b.base)
	}
	find := func(list []binding, t *term.Term, then bool) *term.Term {
		name, part := split(t.Name)
		for _, b := range list {
			switch {
			case b.base == name && then:
				return b.then(part, t.Sort)
			case b.base == name:
				return b.now(part, t.Sort)
			}
		}
		return t
	}
	ch.vars = func(t *term.Term) *term.Term { return find(all, t, false) }
	then.vars = func(t *term.Term) *term.Term { return find(all, t, true) }
	then.keys = append(then.keys, mine)
	then.applies = append(then.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
		if actor, _ := ofMemory(t.Name); "@"+actor != mine || !e.reaches(t, base) {
			return nil, false
		}
		return e.store.Apply(inMemory(t.Name, theirs), t.Sort, args...), true
	})
	ch.raw = func(t *term.Term) (*term.Term, bool) {
		if actor, _ := ofMemory(t.Name); "@"+actor != mine || !e.reaches(t, base) {
			return nil, false
		}
		u := e.substitute(then, t)
		if u == nil {
			return nil, true
		}
		return e.since(ev.at, until, u), true
	}
	return ch
}

// rename is the substitution of the memory that a message leads to by that of another actor.
func (e *Engine) rename(mine, theirs, base string) *change {
	ch := &change{what: "rename", keys: []string{mine}}
	ch.vars = func(t *term.Term) *term.Term { return t }
	ch.applies = append(ch.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
		if actor, _ := ofMemory(t.Name); "@"+actor != mine || !e.reaches(t, base) {
			return nil, false
		}
		return e.store.Apply(inMemory(t.Name, theirs), t.Sort, args...), true
	})
	return ch
}

// reaches reports whether the address of what is read comes from a variable.
func (e *Engine) reaches(t *term.Term, base string) bool {
	if base == "" {
		return true
	}
	if _, ok := slices.BinarySearch(e.support(t.Args[0]), base); !ok {
		return false
	}
	return leadsFrom(t.Args[0], base)
}

// leadsFrom reports whether an address comes from a variable, and does not only depend on it, as on an index or a
// condition.
func leadsFrom(t *term.Term, base string) bool {
	switch t.Op {
	case term.OpVar:
		name, _ := split(t.Name)
		return name == base
	case term.OpApply:
		return leadsFrom(t.Args[0], base)
	case term.OpIf:
		return leadsFrom(t.Args[1], base) || leadsFrom(t.Args[2], base)
	}
	return slices.ContainsFunc(t.Args, func(a *term.Term) bool { return leadsFrom(a, base) })
}
