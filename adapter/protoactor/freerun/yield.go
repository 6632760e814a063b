package freerun

import (
	"math/rand/v2"
	"runtime"
)

// Yield lets other goroutines run, often or for some microseconds.
func Yield() {
	for range rand.IntN(4) {
		runtime.Gosched()
	}
	if rand.IntN(8) == 0 {
		spins := 0
		for range rand.IntN(3000) {
			spins++
		}
		runtime.KeepAlive(spins)
	}
}
