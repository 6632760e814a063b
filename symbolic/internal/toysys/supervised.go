package toysys

import "math/rand/v2"

// This file draws systems of protoactor-go, whose actors are restarted when they panic. The brute-force twin does not
// know them: the real thing is executed in all orders instead (see SupervisedSource).

// Supervised makes a random system of actors of protoactor-go, of a seed. Numbers of messages are used behind a mask,
// so 0 and 1 stand for all.
func Supervised(seed uint64) *System {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 15)), s: &System{Seed: seed, Supervised: true}, menu: supervisedMenu}
	d.focus = [2]Op{d.menu[seed%uint64(len(d.menu))], d.menu[d.IntN(len(d.menu))]}
	d.relays = !d.one(3)
	d.s.Types = []MessageType{{Mask: 1}, {Mask: 1}}
	for range 2 + d.IntN(2) {
		d.s.Kinds = append(d.s.Kinds, Kind{Ints: 1 + d.IntN(2), Refs: 1 + d.IntN(2)})
	}
	d.handlers(8)
	d.driver()
	d.falls()
	for _, name := range lives {
		d.lives(name)
	}
	d.s.each(func(s *Stmt) {
		if s.Cond.Refs { // that two references are the same is not asked: they are pointers
			s.Cond = Cond{Op: ">", L: Expr{Terms: []Term{{Base: Field}}}, R: Expr{Add: 1}}
		}
	})
	return d.s
}

// supervisedMenu has the statements that a seed may prefer.
var supervisedMenu = []Op{SetInt, SetRef, Forward, Reply, Spawn, Stop, StopActor, After, Cancel, Watch, Tell, SetInt,
	Tell}

// lives are the messages of the framework that actors handle.
var lives = []string{"Started", "Restarting", "Stopping", "Stopped", "Terminated", "ReceiveTimeout"}

// falls has handlers panic, first of all one of a message that the driver sends.
func (d *drawer) falls() {
	m := d.s.Sends[0]
	d.kind, d.typ = d.s.Start[m.To].Kind, m.Type
	d.put(&d.s.Kinds[d.kind].Handlers[d.typ], d.crash())
	d.crashes()
}

// lives adds a message of the framework, and what kinds do with it.
func (d *drawer) lives(name string) {
	d.s.Types = append(d.s.Types, MessageType{Life: name})
	d.typ = len(d.s.Types) - 1
	for k := range d.s.Kinds {
		d.kind = k
		var h []Stmt
		if !d.one(3) {
			h = d.life(1)
		}
		d.s.Kinds[k].Handlers = append(d.s.Kinds[k].Handlers, h)
	}
}

// life draws what is done with a message of the framework: nothing that such a message does not have, and nothing that
// panics.
func (d *drawer) life(depth int) []Stmt {
	list := []Stmt{d.label()}
	for range 1 + bit(d.one(3)) {
		who := Ref{Base: OfField, I: d.IntN(d.s.Kinds[d.kind].Refs)}
		if d.one(3) {
			who = Ref{Base: Self}
		}
		s := Stmt{Op: Tell, To: who, Type: d.IntN(d.s.own()), N: d.expr()}
		if d.one(2) {
			s = Stmt{Op: SetInt, Field: d.IntN(d.s.Kinds[d.kind].Ints), N: d.expr()}
		}
		list = append(list, s)
	}
	if depth > 0 && d.one(2) {
		list = append(list, Stmt{Op: If, Cond: d.ofState(), Then: d.life(depth - 1)})
	}
	return list
}
