package goakt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"
)

// Stock readies what the framework keeps in variables for a bubble in which it runs by itself.
func Stock() {
	drain()
	timers = &sync.Pool{New: func() any { return time.NewTimer(5 * time.Second) }}
}

// StopDrain ends the goroutine that a stopped system leaves behind.
func StopDrain(system actor.ActorSystem) { stopDrain(behind(system)) }

// Excludes reports whether who has the lock of a system's tree of actors keeps out who reads it.
func Excludes(real actor.ActorSystem) bool {
	l, err := known()
	if err != nil {
		panic(err)
	}
	tree := *at[unsafe.Pointer](behind(real), l.ofSystem.tree)
	lock := at[sync.RWMutex](tree, l.ofLock)
	var in atomic.Bool
	done := make(chan struct{})
	lock.Lock()
	go func() {
		lock.RLock()
		in.Store(true)
		lock.RUnlock()
		close(done)
	}()
	for range 1000 {
		runtime.Gosched()
	}
	kept := !in.Load()
	lock.Unlock()
	<-done
	return kept
}
