// Package programs holds actors of protoactor-go whose handlers wait in all the ways that there are: their tests
// explore them, and execute what was found.
package programs

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Messages.
type (
	Pay   struct{ N int }
	Set   struct{ N int }
	Set2  struct{ N int }
	Check struct{ N int }
	Both  struct{ N int }
	Late  struct{ N int }
	Ended struct{ N int }
)

// Till asks a bank before it pays. Meanwhile it handles other messages, which may change what it has.
type Till struct {
	Balance int
	Paid    int
	Bank    *actor.PID
	Limit   time.Duration
}

// Receive implements actor.Actor.
func (t *Till) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Pay:
		answer := ctx.RequestFuture(t.Bank, Check{msg.N}, t.Limit)
		before := t.Balance
		ctx.ReenterAfter(answer, func(res any, err error) {
			free, ok := res.(int)
			switch {
			case errors.Is(err, actor.ErrTimeout):
				ctx.Respond(-1)
			case err != nil:
				ctx.Respond(-2)
			case ok && free >= msg.N && t.Balance >= msg.N:
				t.Balance -= msg.N
				t.Paid += msg.N
				ctx.Respond(before)
			default:
				ctx.Respond(t.Balance)
			}
		})
	case Set:
		t.Balance = msg.N
	case Set2:
		t.Paid = msg.N
		if ctx.Sender() != nil {
			ctx.Respond(t.Balance)
		}
	}
}

// Clerk does the same, but handles nothing meanwhile.
type Clerk struct {
	Balance int
	Bank    *actor.PID
	Limit   time.Duration
}

// Receive implements actor.Actor.
func (c *Clerk) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Pay:
		if ctx.RequestFuture(c.Bank, Check{msg.N}, c.Limit).Wait() != nil {
			c.Balance--
		}
		res, err := ctx.RequestFuture(c.Bank, Check{c.Balance}, time.Second).Result()
		if free, ok := res.(int); ok && err == nil && free > 0 {
			c.Balance = free
		} else if err == actor.ErrDeadLetter {
			c.Balance = 7
		}
		ctx.Respond(c.Balance)
	case Set:
		c.Balance += msg.N
	}
}

// Pair asks two others at once. The answers come in either order, and the last one stays.
type Pair struct {
	Last, Sum   int
	First, Next *actor.PID
}

// Receive implements actor.Actor.
func (p *Pair) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Both:
		note := func(res any, err error) {
			if n, ok := res.(int); ok {
				p.Last = n
				p.Sum += n
			}
			if err != nil {
				p.Sum *= 2
			}
		}
		a := ctx.RequestFuture(p.First, Check{msg.N}, 2*time.Second)
		b := ctx.RequestFuture(p.Next, Check{msg.N}, time.Second)
		ctx.ReenterAfter(a, note)
		ctx.ReenterAfter(b, func(res any, err error) {
			note(res, err)
			ctx.ReenterAfter(b, func(any, error) { p.Sum++ }) // b is complete: it goes on at once
		})
	case Set:
		p.Last = msg.N
		p.Sum += p.Sum
	}
}

// Desk puts messages aside while it waits, in a queue of its own.
type Desk struct {
	Busy  bool
	Kept  bool
	Total int
	aside []any
	Bank  *actor.PID
}

// Receive implements actor.Actor.
func (d *Desk) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Pay:
		if d.Busy {
			d.aside = append(d.aside, msg)
			return
		}
		d.Busy = true
		ctx.ReenterAfter(ctx.RequestFuture(d.Bank, Check(msg), -1), func(res any, err error) {
			d.Busy = false
			if n, ok := res.(int); ok {
				d.Total += n
			}
			for _, m := range d.aside {
				ctx.Send(ctx.Self(), m)
			}
			d.aside = nil
			ctx.Respond(d.Total)
		})
	case Set:
		if d.Busy {
			d.aside = append(d.aside, msg)
			return
		}
		d.Total = 2 * msg.N
	case Set2:
		if d.Kept {
			d.Total++
			return
		}
		d.Kept = true
		ctx.Stash() // the framework keeps the message until the actor restarts
	}
}
