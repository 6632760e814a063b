package cases_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

const gates = `package apet

import "github.com/rehearse-go/rehearse/actor"

type (
	Knock struct{ N int }
	Ring  struct{}
	Unwanted struct{}
	Gate  struct{ open bool; next int }
	Maze  struct{ n int }
)

func (g *Gate) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case Knock:
		if !g.open {
			panic("closed")
		}
		if m.N > 5 {
			g.open = false
		}
		g.next++
	case Ring:
		g.open = true
	case Unwanted:
		panic("never")
	}
}

func (g *Gate) Accepts(msg any) bool {
	switch m := msg.(type) {
	case Knock:
		return g.open && m.N == g.next
	case Unwanted:
		return false
	}
	return true
}

func (m *Maze) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(Knock); ok {
		m.n++
	}
}

func (m *Maze) Accepts(msg any) bool {
	for range m.n {
		if m.n%7 == 3 {
			return false
		}
	}
	return true
}
`

// TestAccepts: cases are of messages that the actor takes.
func TestAccepts(t *testing.T) {
	p := more(t)
	s := suite(t, p, "Gate.Knock", cases.Config{})
	if len(s.Cases) != 2 || s.Excluded["what the actor accepts"] != 1 {
		t.Errorf("%q without %v, want two, and one that is not accepted", told(s), s.Excluded)
	}
	judged(t, s)
	for _, c := range s.Cases {
		values := map[string]string{}
		for _, in := range c.Inputs {
			values[in.Var.Name] = c.Model.Eval(in.Var).String()
		}
		if values["g.open"] != "true" || values["msg.N"] != values["g.next"] {
			t.Errorf("%s: the message is not accepted: %v", c.Name, values)
		}
	}
	if s := suite(t, p, "Gate.Ring", cases.Config{}); len(s.Cases) != 1 {
		t.Errorf("%q, want one", told(s))
	}
	if s := suite(t, p, "Gate.Unwanted", cases.Config{}); len(s.Cases) != 0 {
		t.Errorf("%q of a message that is never accepted", told(s))
	}
	s = suite(t, p, "Maze.Knock", cases.Config{})
	if len(s.Cases) != 1 || len(s.Cases[0].Accepted) > 0 {
		t.Errorf("%q: what cannot be executed within the bounds must not exclude anything", told(s))
	}
}
