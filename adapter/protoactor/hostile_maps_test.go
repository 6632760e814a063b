//go:build !race

package protoactor_test

import (
	"math/rand"
	"runtime"

	"github.com/rehearse-go/rehearse"
)

// The race detector reports concurrent writes of a map before the runtime notices, and does not end the process.

func init() {
	dies("concurrent map writes", "fatal error: concurrent map writes", func(*rehearse.T) { writeTogether() })
}

// writeTogether writes a map from two goroutines until the runtime notices, which takes two threads.
func writeTogether() {
	runtime.GOMAXPROCS(2)
	m := map[int]int{}
	done := make(chan bool)
	for range 2 {
		go func() {
			for range 1 << 22 {
				m[rand.Int()&7]++
			}
			done <- true
		}()
	}
	<-done
	<-done
}
