package overlay

import (
	"fmt"
	"iter"
	"strings"
	"testing"
)

// This file enumerates the programs of package choosers by brute force, as models: what a goroutine does is a sequence
// of operations, and a scheduler of some lines goes through all that may come next. It shares nothing with the
// runtime's control block, its script and its log. The numbers of executions are those of the real programs
// (TestDrawing), which shows that each list of draws is met once and none is missing.
//
//	source: sync/waitgroup.go of Go 1.26 for the atomics of a WaitGroup, decision 0028 for where points lie

// operation is what the scheduler sees of a goroutine.
type operation uint8

const (
	point operation = iota // another goroutine may go on, if there is one and a preemption is left
	yield                  // runtime.Gosched
	block                  // until somebody wakes it
)

// thread is a goroutine of a model.
type thread struct {
	next func() (operation, bool)
	stop func()
}

// modelled is one execution of a model.
type modelled struct {
	runnable []*thread // in the order in which they became it
	running  *thread
	points   int // preemptions that are left; below 0: any number
	draw     func(n int) int
	group    waitGroup
	outcome  string
	x        int
	where    places
	aside    int // 1: who was preempted is not among those that may go on
}

// places says which of the points there are.
type places struct{ starts, groups, atomics, mutexes bool }

// waitGroup is the state of the one WaitGroup.
type waitGroup struct {
	left, waits int
	waiter      *thread
}

// body is what a goroutine does; do tells the scheduler of an operation.
type body func(m *modelled, do func(operation) bool)

// start makes a goroutine runnable.
func (m *modelled) start(b body) *thread {
	t := &thread{}
	t.next, t.stop = iter.Pull(func(do func(operation) bool) { b(m, do) })
	return t
}

// at is a point, if there is one.
func at(is bool, do func(operation) bool) {
	if is {
		do(point)
	}
}

// pick takes one of the runnable goroutines, but for the last ones, out.
func (m *modelled) pick(but int) *thread {
	n := len(m.runnable) - but
	i := 0
	if n > 1 {
		i = m.draw(n)
	}
	t := m.runnable[i]
	m.runnable = append(append([]*thread(nil), m.runnable[:i]...), m.runnable[i+1:]...)
	return t
}

// run executes a model to the end of its first goroutine.
func (m *modelled) run(b body) {
	main := m.start(b)
	for m.running = main; ; {
		op, goes := m.running.next()
		switch {
		case !goes && m.running == main:
			return
		case !goes || op == block:
			m.running = m.pick(0)
		case op == yield:
			m.runnable = append(m.runnable, m.running)
			m.running = m.pick(0)
		case len(m.runnable) > 0 && m.points != 0 && m.draw(2) == 1:
			m.points--
			m.runnable = append(m.runnable, m.running)
			m.running = m.pick(m.aside)
		}
	}
}

// started is that of package choosers: n goroutines and a WaitGroup.
func started(n int, f func(m *modelled, i int, do func(operation) bool)) body {
	return func(m *modelled, do func(operation) bool) {
		at(m.where.groups, do)
		m.group.left += n
		for i := range n {
			m.runnable = append(m.runnable, m.start(func(m *modelled, do func(operation) bool) {
				f(m, i, do)
				m.done(do)
			}))
			at(m.where.starts, do)
		}
		m.wait(do)
	}
}

// done is WaitGroup.Done: an addition, and for the last one with a waiter a look and a store.
func (m *modelled) done(do func(operation) bool) {
	g := &m.group
	at(m.where.groups, do)
	if g.left--; g.left > 0 || g.waits == 0 {
		return
	}
	at(m.where.groups, do)
	at(m.where.groups, do)
	g.waits = 0
	m.runnable = append(m.runnable, g.waiter)
}

// wait is WaitGroup.Wait: a look and an exchange, again if something has changed in between, and a look afterwards.
func (m *modelled) wait(do func(operation) bool) {
	g := &m.group
	for {
		at(m.where.groups, do)
		seen := g.left
		if seen == 0 {
			return
		}
		at(m.where.groups, do)
		if g.left != seen {
			continue
		}
		g.waits, g.waiter = 1, m.running
		do(block)
		at(m.where.groups, do)
		return
	}
}

// models are programs of package choosers.
var models = map[string]body{
	"gosched": started(2, func(m *modelled, i int, do func(operation) bool) {
		m.outcome += fmt.Sprint(i)
		do(yield)
		m.outcome += fmt.Sprint(i)
	}),
	"waitgroup append": started(3, func(m *modelled, i int, _ func(operation) bool) { m.outcome += fmt.Sprint(i) }),
	"atomic lost update": func(m *modelled, do func(operation) bool) {
		started(2, func(m *modelled, _ int, do func(operation) bool) {
			at(m.where.atomics, do)
			seen := m.x
			at(m.where.atomics, do)
			m.x = seen + 1
		})(m, do)
		at(m.where.atomics, do)
		m.outcome = fmt.Sprint(m.x)
	},
	"mutex lost update": func(m *modelled, do func(operation) bool) {
		started(2, func(m *modelled, _ int, do func(operation) bool) {
			at(m.where.mutexes, do)
			seen := m.x
			at(m.where.mutexes, do)
			at(m.where.mutexes, do)
			m.x = seen + 1
			at(m.where.mutexes, do)
		})(m, do)
		m.outcome = fmt.Sprint(m.x)
	},
}

// modelCount executes a model once for each list of draws, and says what TestDraw of package choosers says of the
// program.
func modelCount(name string, points int, where places, aside int) string {
	executions, longest, seen := 0, 0, map[string]bool{}
	var script, widths []int
	for {
		widths = widths[:0]
		m := &modelled{points: points, where: where, aside: aside, draw: func(n int) int {
			widths = append(widths, n)
			if len(widths) > len(script) {
				script = append(script, 0)
			}
			return script[len(widths)-1]
		}}
		m.run(models[name])
		executions++
		longest, seen[m.outcome] = max(longest, len(widths)), true
		last := len(widths) - 1
		for last >= 0 && script[last]+1 == widths[last] {
			last--
		}
		if last < 0 {
			return fmt.Sprintf("%s: %d executions, %d outcomes, at most %d draws", name, executions, len(seen), longest)
		}
		script = script[:last+1]
		script[last]++
	}
}

// The numbers of the twin are those that the real programs are held to.
func TestTwin(t *testing.T) {
	ours := func(name string, points int) string {
		return modelCount(name, points, places{starts: true, groups: true, atomics: true, mutexes: true}, 1)
	}
	for points, counts := range countsOfPoints {
		for _, want := range counts {
			name, _, _ := strings.Cut(want, ":")
			if models[name] == nil {
				continue // it has no goroutines that are started by a go statement
			}
			if got := ours(name, points); got != want {
				t.Errorf("%d preemptions: got %s, want %s", points, got, want)
			}
		}
	}
	for _, want := range sparse {
		name, _, _ := strings.Cut(want, ":")
		if got := modelCount(name, -1, places{starts: true, atomics: true, mutexes: true}, 0); got != want {
			t.Errorf("points of the published counts: got %s, want %s", got, want)
		}
	}
}
