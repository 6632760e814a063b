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
