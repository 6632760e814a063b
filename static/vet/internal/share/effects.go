package share

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Effects is what a function does to memory, in its own words. It is the fact about functions that other packages can
// call; what is unexported in it is known only where the function's source is.
type Effects struct {
	Writes  []Write
	Reads   []Access
	Edges   []Edge
	Events  []Event
	Results []set
	Made    []Memory
}

// AFact marks a fact.
func (*Effects) AFact() {}

func (e *Effects) String() string {
	return fmt.Sprintf("effects(%d writes, %d reads, %d stores, %d events, %d made)", len(e.Writes), len(e.Reads),
		len(e.Edges), len(e.Events), len(e.Made))
}

// Access is a location that is read or written.
type Access struct {
	Place Place
	Deep  bool   // whatever the value Place leads to may be read: it is handed to code that is not seen
	Where string // file:line, for people
}

// Write is a change of memory.
type Write struct {
	Access
	Weak bool // an append, which changes only what is behind the end

	At  ssa.Instruction
	Pos token.Pos // where it is done, perhaps in a callee; if that is in another package, where it is called
}

// Edge is a value that is stored.
type Edge struct {
	To  Place // the location
	Val Place

	Pos token.Pos
}

// Event is a send, a spawn, or a function that is given to another goroutine.
type Event struct {
	Op       frame.Op
	Vals     set
	TypeName string // of what is sent, for people
	Copies   bool
	Cleared  set    // locations that got another value since
	Actor    Actor  // what is known of the actor that is spawned, or what the function does that runs elsewhere
	Known    bool   // the function that runs elsewhere is known
	By       string // the function of another package that does it, for people

	Type    types.Type // nil if another package does it
	At      ssa.Instruction
	Pos     token.Pos
	Payload ssa.Value // nil if it happens in a callee
}

// Actor is what the handlers of an actor do with its memory. As the fact about an actor's type its places begin at the
// receiver, parameter 0.
type Actor struct{ Writes, Reads []Access }

// AFact marks a fact.
func (*Actor) AFact() {}

func (a *Actor) String() string {
	return fmt.Sprintf("actor(%d writes, %d reads)", len(a.Writes), len(a.Reads))
}

func (e *Effects) writes() []Access {
	var all []Access
	for _, w := range e.Writes {
		all = append(all, w.Access)
	}
	return all
}

// Memory is something that a function made, or got from what it calls.
type Memory struct {
	Func  *Effects // of the function that it is, if it is one
	Bound bool     // a method value: what it captured is its receiver
	Takes int      // how many parameters the function has
	Gives int      // and results
	Actor *Actor   // of the actor that it is, if it is one

	at      ssa.Value // what made it: an instruction, or the call that returned it
	of      *Effects  // of the callee that made it
	k       int       // its number there
	typ     *types.Named
	fn      *ssa.Function
	escapes bool // callers may get it
	leaves  bool // unknown functions or other actors may keep it
}

// made gives the root of what an instruction made; of and k say which, if that is a call.
func (b *Body) made(at ssa.Value, of *Effects, k int) Root {
	key := madeKey{at, of, k}
	n, ok := b.index[key]
	if !ok {
		n = len(b.Made)
		b.index[key] = n
		m := Memory{at: at, of: of, k: k}
		if of != nil {
			from := of.Made[k]
			m.Func, m.Bound, m.Takes, m.Gives, m.Actor, m.typ, m.fn = from.Func, from.Bound, from.Takes, from.Gives, from.Actor, from.typ, from.fn
		} else {
			b.w.describe(&m, at)
		}
		b.Made = append(b.Made, m)
	}
	return Root{Kind: Made, N: n}
}

// madeKey tells apart what instructions made.
type madeKey struct {
	at ssa.Value
	of *Effects
	k  int
}

// describe says what an instruction makes: a function, or a value of a named type.
func (w *World) describe(m *Memory, at ssa.Value) {
	switch v := at.(type) {
	case *ssa.Alloc:
		m.typ = frame.Named(v.Type())
	case *ssa.Function:
		m.fn = frame.Unwrap(v)
	case *ssa.MakeClosure:
		whole := v.Fn.(*ssa.Function)
		m.fn = frame.Unwrap(whole)
		m.Bound = m.fn != whole
	}
	if m.fn != nil {
		m.Takes, m.Gives = len(m.fn.Params), m.fn.Signature.Results().Len()
	}
}

// home is the memory's first maker as the body sees it: nil for what is not made.
func (b *Body) home(r Root) *Memory {
	if r.Kind != Made || r.N >= len(b.Made) {
		return nil
	}
	return &b.Made[r.N]
}

// close ends the analysis of a function: which memory its callers may get, and what was let go of after events.
func (b *Body) close() {
	var mark func(ps ...Place)
	mark = func(ps ...Place) {
		for _, p := range ps {
			if m := b.home(p.Root); m != nil && !m.escapes {
				m.escapes = true
				for _, e := range b.at[p.Root] {
					mark(e.Val)
				}
			}
		}
	}
	for _, r := range b.Results {
		mark(r...)
	}
	for _, e := range b.Edges {
		if e.To.Root.Kind != Made {
			mark(e.Val)
		}
	}
	for i, e := range b.Events {
		b.Events[i].Cleared = e.Cleared.with(b.cleared(e)...)
		mark(e.Vals...)
		for _, a := range append(e.Actor.Writes, e.Actor.Reads...) {
			mark(a.Place)
		}
	}
}

// escapes reports whether callers may know the memory.
func (e *Effects) escapes(r Root) bool {
	return r.Kind != Made || r.N < len(e.Made) && e.Made[r.N].escapes
}
