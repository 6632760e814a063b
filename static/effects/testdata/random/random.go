// Package random holds random handlers: handlers.go is drawn by a test. What they are made of is here.
package random

import "github.com/rehearse-go/rehearse/actor"

// State is what each handler has.
type State struct {
	A, B, C int
	L, K    []int
	M, N    map[int]int
	P, Q    *Node
	In      Inner
}

type (
	// Node is a list.
	Node struct {
		V    int
		Next *Node
	}
	// Inner is a part of a State.
	Inner struct {
		X int
		Y []int
	}
	// Do is handled.
	Do struct{ N int }
	// Told is sent.
	Told struct{ V int }
	// Handler is a random one.
	Handler interface {
		actor.Behavior
		At() *State
	}
)

func (s *State) total() int { return s.A + len(s.K) }

func (s *State) touch(v int) { s.B = v }

func (s *State) tell(ctx *actor.Context, v int) { ctx.Send(ctx.Sender(), Told{v}) }

func (s *State) each(f func(*Node)) {
	for i, n := 0, s.P; n != nil && i < 3; i, n = i+1, n.Next {
		f(n)
	}
}

type wrap struct{ to *Node }

func (w wrap) set(v int) { setValue(w.to, v) }

func first(l []int) int {
	if len(l) == 0 {
		return 0
	}
	return l[0]
}

func setFirst(l []int, v int) {
	if len(l) > 0 {
		l[0] = v
	}
}

func valueOf(n *Node) int {
	if n == nil {
		return 0
	}
	return n.V
}

func setValue(n *Node, v int) {
	if n != nil {
		n.V = v
	}
}

func sum(m map[int]int) (t int) {
	for _, v := range m {
		t += v
	}
	return t
}

func inc(p *int) { *p++ }
