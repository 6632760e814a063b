package goakt

import (
	"sync"
	"time"

	"github.com/tochemey/goakt/v4/actor"
)

// Stock readies what the framework keeps in variables for a bubble in which it runs by itself.
func Stock() {
	drain()
	timers = &sync.Pool{New: func() any { return time.NewTimer(5 * time.Second) }}
}

// StopDrain ends the goroutine that a stopped system leaves behind.
func StopDrain(system actor.ActorSystem) { stopDrain(behind(system)) }
