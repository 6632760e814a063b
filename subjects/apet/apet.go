// Package apet holds the programs of [aPET13] as native actors. A class is an actor, a method is the handler of a
// message, and what a method returns is the reply. Their names and the order of their statements are those of the
// paper.
package apet

import "github.com/rehearse-go/rehearse/actor"

// Summer is class A of section 2.1.1. Value is what q gives, which the paper leaves open.
type Summer struct{ Value int }

type (
	// Sum asks for the sum of the numbers up to N.
	Sum struct{ N int }
	// Q asks for some value.
	Q struct{}
	// DoSum asks for a sum if M is positive, and for some value otherwise.
	DoSum struct{ M, N int }
)

func (a *Summer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Sum:
		r := 0
		if msg.N != 0 {
			f := ctx.Ask(ctx.Self(), Sum{msg.N - 1})
			aux, _ := ctx.Await(f)
			r = msg.N + aux.(int)
		}
		ctx.Reply(r)
	case Q:
		ctx.Reply(a.Value)
	}
}

// Starter is class B of section 2.1.1. Value is that of the object that it creates.
type Starter struct{ Value int }

func (b *Starter) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(DoSum); ok {
		o := ctx.Spawn(&Summer{Value: b.Value})
		if msg.M > 0 {
			g := ctx.Ask(o, Sum{msg.N})
			r, _ := ctx.Await(g)
			ctx.Reply(r)
		} else {
			r, _ := ctx.Call(o, Q{})
			ctx.Reply(r)
		}
	}
}

// Check is the class of section 2.1.2. Its result depends on the order of three tasks.
type Check struct{ A int }

type (
	// ToOdd makes the field odd.
	ToOdd struct{}
	// ToEven doubles the field.
	ToEven struct{}
	// OddEven asks whether the field is odd.
	OddEven struct{}
	// RunCheck starts the three others and waits for the last.
	RunCheck struct{}
)

func (c *Check) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ToOdd:
		c.A = c.A*2 + 1
	case ToEven:
		c.A = c.A * 2
	case OddEven:
		r := 0
		if c.A != 0 {
			r = c.A % 2
		}
		ctx.Reply(r)
	case RunCheck:
		c.A = 0
		ctx.Send(ctx.Self(), ToOdd{})
		ctx.Send(ctx.Self(), ToEven{})
		g := ctx.Ask(ctx.Self(), OddEven{})
		r, _ := ctx.Await(g)
		ctx.Reply(r)
	}
}

// Pruning is the class of section 2.1.3. It waits for what other tasks, which are in its queue before, do to its
// fields.
type Pruning struct{ B, C int }

type (
	// SetB sets a field.
	SetB struct{ N int }
	// SetC sets the other field.
	SetC struct{ N int }
	// SetBC sets both, by calls of what sets one.
	SetBC struct{}
	// RunPruning waits until B is positive.
	RunPruning struct{}
)

func (p *Pruning) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case SetB:
		p.setFieldB(msg.N)
	case SetC:
		p.setFieldC(msg.N)
	case SetBC:
		p.setFieldB(30)
		p.setFieldC(80)
	case RunPruning:
		p.B = -1
		p.C = 40
		ctx.AwaitUntil(func() bool { return p.B > 0 })
		ctx.Reply(p.B + 5)
	}
}

func (p *Pruning) setFieldB(n int) { p.B = n }
func (p *Pruning) setFieldC(n int) { p.C = n }
