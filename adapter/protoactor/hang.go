package protoactor

import (
	"slices"
	"sync"
)

// This file sees what a handler hangs on a future (PipeTo, ReenterAfter) when it does so: the framework locks the
// future for that, through an interface.

// futureLock is the lock of a future that an actor was asked through.
type futureLock struct {
	sync.Mutex
	future             *future
	pipes, completions int // so many hang there
}

// completion is what goes on with the result of a future.
type completion = func(any, error)

// listen puts our lock in the place of the future's. Nobody else has the future yet, but its timer.
//
// SUBTLE: that timer fires when nothing in the bubble moves any more. The race detector does not see this order.
//
//go:norace
func (f *future) listen() {
	c, _ := pointer(f.real, "cond").(**sync.Cond)
	if c == nil || *c == nil || !f.known() {
		return
	}
	(*c).L = &futureLock{future: f, pipes: len(*f.piped), completions: len(*f.completions)}
}

// Unlock takes away again what was hung there under the lock, if that is to be a step of its own.
func (l *futureLock) Unlock() {
	if !*l.future.isDone {
		l.capturePipes()
		l.captureCompletions()
	}
	l.Mutex.Unlock()
}

// capturePipes is called with the lock. A pipe to nobody stays: it is a finding (pipes.go).
func (l *futureLock) capturePipes() {
	f := l.future
	if added := (*f.piped)[min(l.pipes, len(*f.piped)):]; len(added) > 0 && !slices.Contains(added, nil) {
		added = slices.Clone(added)
		if f.rt.Hang(f.call, "PipeTo", func() { f.shared.PipeTo(added...) }) {
			*f.piped = (*f.piped)[:l.pipes]
		}
	}
	l.pipes = len(*f.piped)
}

// captureCompletions is called with the lock.
func (l *futureLock) captureCompletions() {
	f := l.future
	if added := (*f.completions)[min(l.completions, len(*f.completions)):]; len(added) > 0 {
		added = slices.Clone(added)
		if f.rt.Hang(f.call, "ReenterAfter", func() { l.complete(added) }) {
			*f.completions = (*f.completions)[:l.completions]
		}
	}
	l.completions = len(*f.completions)
}

// complete does as the framework does for ReenterAfter.
func (l *futureLock) complete(with []completion) {
	l.Lock()
	defer l.Unlock()
	f := l.future
	if !*f.isDone {
		*f.completions = append(*f.completions, with...)
		return
	}
	for _, c := range with {
		c(*f.value, *f.err)
	}
}
