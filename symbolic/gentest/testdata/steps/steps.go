// Package steps has actors whose tests have to take the paths of their cases.
package steps

import "github.com/rehearse-go/rehearse/actor"

// Ask asks for the number of questions.
type Ask struct{}

// Counter answers two questions.
type Counter struct{ n int }

// NewCounter makes one.
func NewCounter() *Counter { return &Counter{} }

// Receive answers.
func (c *Counter) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(Ask); ok {
		c.n++
		if c.n > 2 {
			panic("a third question")
		}
		ctx.Reply(c.n)
	}
}

// Put puts an item.
type Put struct{ Item *Item }

// Item is a number.
type Item struct{ N int }

// Shelf has one item.
type Shelf struct {
	item  *Item
	total int
}

// Receive puts an item there. The same one again empties the shelf.
func (s *Shelf) Receive(_ *actor.Context, msg any) {
	put, ok := msg.(Put)
	if !ok || put.Item == nil {
		return
	}
	if put.Item == s.item {
		s.total = 0
		return
	}
	s.item = put.Item
}

// Note is a number to pass on.
type Note struct{ N int }

// Pipe passes numbers on to somebody who is no actor.
type Pipe struct {
	out    chan int
	passed int
}

// NewPipe makes one.
func NewPipe(out chan int) *Pipe { return &Pipe{out: out} }

// Receive passes a number on.
func (p *Pipe) Receive(_ *actor.Context, msg any) {
	defer func() { p.passed++ }()
	if note, ok := msg.(*Note); ok {
		if note == nil {
			return
		}
		if note.N == 0 {
			return
		}
		p.out <- note.N
	}
}
