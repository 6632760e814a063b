package summary

import (
	"context"
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// This file splits handlers that give their actors up: at Await and AwaitUntil of native actors, and at ReenterAfter of
// protoactor-go. What comes after such a point runs on a state that other messages may have changed, so it is told by
// itself, as a piece.

// Piece is what a handler does from one point at which it waits to the next one, or to its end.
type Piece struct {
	// how many waits are before it, of those that its path comes to, or the number of the continuation; 0: it ends where
	// the handler first waits
	Wait int
	*exec.Result
}

// name says which piece it is.
func (p *Piece) name() string {
	if p.Wait == 0 {
		return "until it waits"
	}
	return fmt.Sprintf("after wait %d", p.Wait)
}

// Why a run ends before the handler does: it waits; or what it waits for does not hold, and then this is no path.
const (
	waiting = "it waits"
	closed  = "the guard does not hold"
)

// waits reports whether a handler gives its actor up.
func waits(r *exec.Result) (midway, later bool) {
	for _, path := range r.Paths {
		for _, e := range path.Events {
			midway = midway || e.Op == "await" && e.Released
			later = later || e.Op == "reenter"
		}
	}
	return midway, later
}

// pieces explores a handler piece by piece. What is before a continuation is the handler itself.
func (p *Program) pieces(ctx context.Context, h Handler, c exec.Config, whole *exec.Result) []*Piece {
	midway, later := waits(whole)
	if !midway && !later {
		return nil
	}
	var runs []*splitter
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.exec.Explore(ctx, p.store, solver,
		exec.Entry{Fn: h.Fn, Handler: true, Message: h.Message, Others: h.Message == nil, Driver: func() exec.Driver {
			runs = append(runs, &splitter{})
			return runs[len(runs)-1]
		}}, c)
	var list []*Piece
	for i, path := range found.Paths {
		if path.Why == closed {
			continue
		}
		n := runs[i].piece
		for len(list) <= n {
			r := *found
			r.Paths = nil
			list = append(list, &Piece{len(list), &r})
		}
		if path.Exit == exec.Refused && path.Why == waiting {
			path.Exit, path.Why = exec.Waits, ""
		}
		list[n].Paths = append(list[n].Paths, path)
	}
	if !midway {
		return list[min(1, len(list)):]
	}
	return list
}

// splitter runs one piece of a handler.
type splitter struct {
	piece     int
	waits     int
	then      []exec.Value // continuations
	arguments [][2]types.Type
}

// Run executes the handler, and then a continuation if that is the piece.
func (s *splitter) Run(m *exec.Machine) []exec.Value {
	m.Handle()
	if i := m.Pick(len(s.then) + 1); i > 0 {
		s.then, s.piece = s.then[i-1:i], s.waits+i
		m.Forget(s.later())
		value, err := m.Answer(s.arguments[i-1][0], s.arguments[i-1][1])
		m.CallValue(s.then[0], value, err)
	}
	return nil
}

// Operate ends the piece where the handler waits, or goes on with the next one.
func (s *splitter) Operate(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	switch o.Op {
	case model.Reenter:
		if s.piece <= s.waits { // what a continuation hands over is a piece of its own, which is not split further
			params := o.Sig.Params().At(1).Type().Underlying().(*types.Signature).Params()
			s.then, s.arguments = append(s.then, o.Func), append(s.arguments,
				[2]types.Type{params.At(0).Type(), params.At(1).Type()})
		}
	case model.Await, model.AwaitCond:
		if m.Pick(2) == 0 {
			m.End(waiting)
		}
		s.waits++
		s.piece = s.waits
		m.Forget(s.later())
		if o.Op == model.Await {
			value, err := m.Answer(o.Sig.Results().At(0).Type(), o.Sig.Results().At(1).Type())
			return exec.Tuple{value, err}, true
		}
		if !m.True(m.CallValue(o.Func)) {
			m.End(closed)
		}
		return nil, true
	}
	return nil, false
}

// later begins the names of what the actor holds when the piece begins.
func (s *splitter) later() string { return fmt.Sprintf("later%d", s.piece) }
