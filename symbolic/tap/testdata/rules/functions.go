package main

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// functions is the driver of an actor that holds a function.
func functions() {
	_ = actor.New(func(t *explore.T, ctx *actor.Context) {
		f := ctx.Spawn(&applier{f: twice})
		ctx.Send(f, set{})
		ctx.Send(f, number{})
		ctx.Spawn(&eager{})
	})
}

// applier holds a function.
type applier struct{ f func(int) int }

func (a *applier) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		a.f = func(n int) int { return n + msg.N }
	case number:
		n := a.f(msg.N)
		if n == 26 && msg.N == 13 {
			reached("function of the start")
		}
		if n == 26 && msg.N == 21 {
			reached("function value")
		}
	}
}

// eager does something when it is created.
type eager struct{ begun bool }

func (e *eager) Start(*actor.Context) {
	if !e.begun {
		reached("start hook")
	}
}

func (e *eager) Receive(*actor.Context, any) { e.begun = true }
