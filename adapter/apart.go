package adapter

import (
	"sync"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// This file keeps what is no code of the program out of what Go chooses in it: locks of ours are no places at which
// another goroutine may go on.

// Mutex is a sync.Mutex whose holder is out of the control of numbered draws. It is for what hooks share with the
// control loop.
type Mutex struct {
	of     sync.Mutex
	before uint32 // how the holder stood to the control
}

// Lock is that of sync.Mutex.
func (m *Mutex) Lock() {
	before := chance.Leave()
	m.of.Lock()
	m.before = before
}

// TryLock is that of sync.Mutex.
func (m *Mutex) TryLock() bool {
	before := chance.Leave()
	if !m.of.TryLock() {
		chance.Return(before)
		return false
	}
	m.before = before
	return true
}

// Unlock is that of sync.Mutex.
func (m *Mutex) Unlock() {
	before := m.before
	m.of.Unlock()
	chance.Return(before)
}

// Apart has what the calling goroutine draws be none of the program's, until Together is called with what it gave.
// Hooks begin and end with them.
func Apart() (before uint32) { return chance.Leave() }

// Together ends Apart.
func Together(before uint32) { chance.Return(before) }

// Amid runs code of the program, in the middle of what is Apart perhaps.
func Amid(f func()) {
	before := chance.Leave()
	chance.Return(chance.InBubble)
	defer chance.Return(before)
	f()
}

// Point is where another goroutine of the program may go on, before a hook. An operation of package sync/atomic is
// one for the runtime.
func Point() { point.Load() }

var point atomic.Uint32

// pointOf ends the name of Point.
const pointOf = "/adapter.Point"
