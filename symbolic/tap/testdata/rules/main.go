// Package main has a place for each rule, which is reached by that rule.
package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

func main() {
	_ = actor.New(func(t *explore.T, ctx *actor.Context) {
		w := ctx.Spawn(&worker{id: 1})
		ctx.Send(ctx.Spawn(&numbers{limit: 5}), number{})
		c := ctx.Spawn(&closer{})
		ctx.Send(c, halt{})
		ctx.Send(c, get{})
		ctx.Send(ctx.Spawn(&asker{worker: w}), pass{})
		ctx.Send(ctx.Spawn(&caller{worker: w}), set{})
		ctx.Send(ctx.Spawn(&late{}), number{})
		a := ctx.Spawn(&front{})
		ctx.Send(a, text{})
		ctx.Send(a, set{})
		ctx.Send(a, get{})
		ctx.Send(a, hire{})
		ctx.Send(a, held{1})
		ctx.Send(ctx.Spawn(&joiner{}), lists{})
		p := ctx.Spawn(&picky{most: 3})
		ctx.Send(p, set{})
		ctx.Send(p, number{})
		ctx.Send(ctx.Spawn(&usher{to: p}), pass{})
	})
	changes()
	waits()
	functions()
}

func reached(string) {}

type (
	count  int
	number struct{ N int }
	text   struct{ S string }
	set    struct{ N int }
	get    struct{ N int }
	halt   struct{}
	pass   struct{ N int }
	hire   struct{ N int }
	thanks struct{}
	held   struct{ V any }
	work   struct {
		N  int
		To actor.Ref
	}
	done  struct{ N int }
	lists struct{ X, Y []int }
	pair  struct{ x, y int }
)

type front struct {
	flag int
	seen map[int]bool
	list []int
}

func (a *front) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case text:
		_ = fmt.Sprint(msg.S)
		if len(msg.S) == 2 {
			reached("Outside")
		}
	case set:
		a.flag = msg.N
		a.seen = map[int]bool{msg.N: true}
		a.list = append([]int{4}, msg.N)
	case get:
		a.get(msg)
	case hire:
		ctx.Send(ctx.Spawn(&worker{id: msg.N}), work{})
	case held:
		if _, ok := msg.V.(number); ok {
			reached("Casting")
		}
	}
}

type asker struct{ worker actor.Ref }

func (a *asker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case pass:
		ctx.Send(a.worker, work{msg.N, ctx.Self()})
	case done:
		if msg.N == 10 {
			reached("Self Reference")
		}
		if ctx.Sender() == a.worker && msg.N == 12 {
			reached("Sender Reference")
		}
	}
}

// caller waits for answers.
type caller struct{ worker actor.Ref }

func (c *caller) Receive(ctx *actor.Context, msg any) {
	m, ok := msg.(set)
	if !ok {
		return
	}
	first, err := ctx.Call(c.worker, work{N: m.N})
	if a, ok := first.(done); !ok || err != nil || a.N != 12 {
		return
	}
	reached("Answer-New Actor")
	ctx.Send(c.worker, thanks{})
}

var (
	errNegative = errors.New("negative")
	most        = 40
	changed     = 40
)

// late adds up what functions do that are called at the end.
type late struct{ sum int }

func (l *late) Receive(ctx *actor.Context, msg any) {
	n, ok := msg.(number)
	if !ok {
		return
	}
	if n.N > most && n.N < 42 {
		reached("package variable")
	}
	if check(n.N) == errNegative && n.N > -3 {
		reached("error")
	}
	l.put(n.N)
	if l.sum == 23 && n.N > 0 {
		reached("Deferred Call")
	}
	if l.sum == 5 && n.N == 5 {
		reached("call not deferred")
	}
	if l.put(3); l.sum == 16 && n.N == 2 {
		reached("deferred later")
	}
	if n.N == changed+2 {
		reached("package variable that changes")
	}
	changed++
}

func check(n int) error {
	if n < 0 {
		return errNegative
	}
	return nil
}

// put puts twice the number, and one more.
func (l *late) put(n int) {
	defer func() { l.sum += 1 }()
	defer l.double()
	l.sum = n
}

func (l *late) double() {
	if l.sum == 9 {
		reached("in a deferred function")
	}
	l.sum *= 2
}

type numbers struct{ limit int }

func (a *numbers) Receive(ctx *actor.Context, msg any) {
	if n, ok := msg.(number); ok {
		a.number(ctx, n)
	}
}

func (a *numbers) number(ctx *actor.Context, msg number) {
	if c := count(msg.N); c == 7 {
		reached("Variable Reference")
	}
	if msg.N*3+1 == 25 {
		reached("Binary Expression")
	}
	if a.limit+1 == msg.N {
		reached("Field Reference")
	}
	p := &pair{x: msg.N}
	if p.x == 9 && p.y == 0 {
		reached("Object Allocation")
	}
	if msg.N > 100 {
		reached("If-True")
	} else if msg.N < -100 {
		reached("If-False")
	}
	if msg.N > 0 && twice(msg.N) == 22 {
		reached("Method Invocation")
	}
	n := 1
	if msg.N > 50 {
		n = 2
	}
	if n+msg.N == 53 {
		reached("Jump")
	}
	if msg.N == 13 {
		ctx.T().Fatal("thirteen")
	}
	if msg.N == 13 {
		reached("Impossible")
	}
}

// joiner counts what is in two lists, as slices.Concat does.
type joiner struct{}

func (*joiner) Receive(_ *actor.Context, msg any) {
	m, ok := msg.(lists)
	if !ok {
		return
	}
	n := len(m.X) + len(m.Y)
	if n < 0 {
		reached("fewer than none")
	}
	if n > 1<<33 {
		reached("more than there may be")
	}
	if n == 3 && len(m.X) == 2 {
		reached("lengths")
	}
	if len(m.X) > 0 && len(m.Y) > 0 {
		reached("before lists are joined")
		_ = slices.Concat(m.X, m.Y)
	}
}

type closer struct{ halted bool }

func (c *closer) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case halt:
		c.halted = true
		ctx.Stop()
	case get:
		if c.halted {
			reached("Stopping")
		}
	}
}

// picky takes numbers that are no greater than what it was told last.
type picky struct{ most int }

func (p *picky) Accepts(msg any) bool {
	if w, ok := msg.(work); ok && w.N == 19 {
		reached("asked of another")
		return false
	}
	if n, ok := msg.(number); ok && n.N > p.most {
		if n.N == 17 {
			reached("asked")
		}
		return p.waits(n)
	}
	return true
}

func (p *picky) waits(n number) bool {
	if n.N == 18 && p.most == 8 {
		reached("asked further")
	}
	return false
}

// usher leads numbers to somebody who may refuse them.
type usher struct{ to actor.Ref }

func (u *usher) Receive(ctx *actor.Context, msg any) {
	if m, ok := msg.(pass); ok {
		ctx.Send(u.to, work{N: m.N})
	}
}

func (p *picky) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		p.most = msg.N
	case number:
		if msg.N == 4 {
			reached("Accepting")
		}
		if msg.N > p.most {
			reached("refused")
		}
	}
}

func twice(n int) int { return n + n }

func (a *front) get(msg get) {
	switch {
	case a.flag == 9 && msg.N == 1:
		reached("Field Update")
	case a.seen[8] && !a.seen[9] && msg.N == 2:
		reached("map")
	case len(a.list) == 2 && a.list[0] == 4 && a.list[1] == 6 && msg.N == 3:
		reached("slice")
	}
}

type worker struct{ id int }

func (w *worker) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(thanks); ok {
		reached("Answer-Existing Actor")
	}
	if m, ok := msg.(work); ok {
		if w.id == 3 {
			reached("Actor Creation")
		}
		if m.N == 11 && w.id == 1 {
			reached("Messaging Event Matching-Internal")
		}
		if m.N == 2 {
			ctx.Reply(done{12})
		} else {
			ctx.Send(m.To, done{m.N + 1})
		}
	}
}
