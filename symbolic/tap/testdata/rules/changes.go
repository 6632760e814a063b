package main

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// changes is the driver of actors that change their behaviour, or have maps.
func changes() {
	_ = actor.New(func(t *explore.T, ctx *actor.Context) {
		y := ctx.Spawn(&tally{})
		ctx.Send(y, set{})
		ctx.Send(y, get{})
		l := ctx.Spawn(&ledger{})
		ctx.Send(l, set{})
		ctx.Send(l, halt{})
		ctx.Send(l, pass{})
		ctx.Send(ctx.Spawn(&store{map[string]int{"ale": 4, "beer": 3}}), number{})
		d := ctx.Spawn(&door{})
		ctx.Send(d, set{})
		ctx.Send(d, number{})
		ctx.Send(d, halt{})
		ctx.Send(d, pass{})
	})
}

// tally adds up what its map has.
type tally struct{ seen map[int]int }

func (y *tally) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		if y.seen == nil {
			y.seen = map[int]int{}
		}
		y.seen[msg.N] = 1
	case get:
		sum, turns := 0, 0
		for k, v := range y.seen {
			sum += k * v
			turns++
		}
		y.summed(sum, turns, msg.N)
	}
}

func (y *tally) summed(sum, turns, n int) {
	switch {
	case sum == 7 && turns == 1 && n == 1:
		reached("Map Range")
	case turns == 0 && n == 3:
		reached("Map Range, never")
	case turns == 1 && sum == 5 && len(y.seen) == 2:
		reached("less than there is")
	}
}

// ledger takes entries in and out.
type ledger struct {
	seen map[int]bool
	out  bool
}

func (l *ledger) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		l.seen = map[int]bool{msg.N: true}
	case halt:
		l.out = true
		delete(l.seen, 2)
	case pass:
		if l.out && l.seen != nil && len(l.seen) == 0 {
			reached("delete")
		}
		if clear(l.seen); l.seen != nil && !l.seen[2] && len(l.seen) == 0 && msg.N == 6 {
			reached("clear")
		}
		if l.seen[2] {
			reached("cleared")
		}
	}
}

// store has goods at the start.
type store struct{ goods map[string]int }

func (s *store) Receive(_ *actor.Context, msg any) {
	n, ok := msg.(number)
	if !ok {
		return
	}
	dear := 0
	for name, amount := range s.goods {
		if amount == 4 && name == "ale" && n.N == 5 {
			reached("Map Range, of the start")
		}
		if amount == 4 && name == "beer" {
			reached("another entry")
		}
		dear += amount
	}
	if len(s.goods) == 2 && dear == 7 && n.N == 4 {
		reached("len of a map")
	}
}

// door becomes opened, and goes back.
type door struct {
	knocks int
	halted bool
}

func (d *door) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		if msg.N < 1 {
			return
		}
		d.knocks = msg.N
		ctx.Become(&opened{by: msg.N})
	case halt:
		ctx.Unbecome()
		d.halted = true
	case number:
		if d.knocks == 6 && msg.N == 1 {
			reached("Unbecome")
		}
		if d.halted && d.knocks == 0 && msg.N == 3 {
			reached("the last behaviour")
		}
	}
}

type opened struct{ by int }

func (o *opened) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case halt:
		ctx.Unbecome()
	case pass:
		ctx.Become(actor.Func(func(_ *actor.Context, m any) {
			if n, ok := m.(number); ok && n.N == msg.N+o.by && n.N == 9 {
				reached("function as a behaviour")
			}
		}))
	case number:
		if o.by == 5 && msg.N == 2 {
			reached("Become")
		}
		if o.by == 0 {
			reached("never opened")
		}
	}
}
