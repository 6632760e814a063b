package actor

import (
	"fmt"
	"runtime"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// This file has handlers choose a value in the middle of a step.

// Choose is explore.Host.Choose.
func (x *host) Choose(n int) int {
	m := x.m
	if m.running == nil {
		if m.over {
			runtime.Goexit()
		}
		panic("rehearse: Choose while no handler is running")
	}
	if m.phase == settingUp {
		return 0
	}
	m.declared.chooses()
	if m.redo.on {
		return m.redo.chooseAgain(n)
	}
	return m.choiceOf(n)
}

// choiceOf asks for a value in the middle of a step. The event so far is over with it; the handler goes on in the event
// of the choice.
func (m *machine) choiceOf(n int) int {
	if m.draws.on {
		defer m.draws.divide()()
	}
	m.values = m.values[:0]
	for v := range n {
		m.values = append(m.values, m.tr.ChoiceStep(m.event, 0, v))
	}
	var ch explore.Choice
	var ok bool
	chance.Aside(func() { ch, ok = m.ask(m.values, true) })
	if !ok {
		m.halt()
	}
	s := m.values[ch.Index]
	runner := m.runner
	m.beginEvent(s)
	m.choice, m.runner = ch, runner
	m.tr.Events[m.event].Time = m.running.Now()
	return int(s.Value)
}

// Choose lets the exploration pick a value in [0, n). In set-up it is 0.
func (c *Context) Choose(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("rehearse: Choose(%d): want at least one value", n))
	}
	if !c.acts() {
		return 0
	}
	return c.m.host.Choose(n)
}
