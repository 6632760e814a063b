// Package choosers has programs whose outcome Go chooses, for tests. Its own test executes them with all the choices,
// where it is built with an overlay.
package choosers

import (
	"fmt"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Programs choose nothing by themselves. Each gives its outcome.
var Programs = map[string]func() string{
	"map of 5":             func() string { return Ranged(5) },
	"map of 20":            func() string { return Ranged(20) },
	"map of 3000":          func() string { return Ranged(3000)[:40] },
	"select":               selected,
	"numbers":              numbers,
	"gosched":              yielding,
	"waitgroup append":     appended,
	"atomic lost update":   func() string { return lostAtomic(2) },
	"mutex lost update":    lostMutex,
	"mutexes":              contended,
	"equal timers":         timers,
	"spinning":             spinning,
	"channels":             channels,
	"goroutine after that": after,
	"named map":            named,
	"joined":               joined,
}

// Ranged gives the order in which a loop comes to the n entries of a map that were put in one after the other.
func Ranged(n int) string {
	m := map[int]bool{}
	for i := range n {
		m[i] = true
	}
	order := make([]int, 0, n)
	for k := range m {
		order = append(order, k)
	}
	return fmt.Sprint(order)
}

// selected takes three ready cases, one after the other: 3 times 2 ways.
func selected() string {
	a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	c <- 1
	var s strings.Builder
	for range 3 {
		select {
		case <-a:
			s.WriteByte('a')
		case <-b:
			s.WriteByte('b')
		case <-c:
			s.WriteByte('c')
		}
	}
	return s.String()
}

func numbers() string {
	return fmt.Sprint(rand.Intn(1000), randv2.IntN(1000), maphash.MakeSeed() == maphash.MakeSeed())
}

// started runs n goroutines to their end.
func started(n int, f func(i int)) {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		go func() {
			defer wg.Done()
			f(i)
		}()
	}
	wg.Wait()
}

// yielding has two goroutines write twice each, and give way in between.
func yielding() string {
	var s []byte
	started(2, func(i int) {
		s = append(s, 'a'+byte(i))
		runtime.Gosched()
		s = append(s, 'a'+byte(i))
	})
	return string(s)
}

func appended() string {
	var s []int
	started(3, func(i int) { s = append(s, i) })
	return fmt.Sprint(s)
}

func lostAtomic(n int) string {
	var x atomic.Int32
	started(n, func(int) { x.Store(x.Load() + 1) })
	return fmt.Sprint(x.Load())
}

func lostMutex() string {
	var mu sync.Mutex
	x := 0
	started(2, func(int) {
		mu.Lock()
		seen := x
		mu.Unlock()
		mu.Lock()
		x = seen + 1
		mu.Unlock()
	})
	return fmt.Sprint(x)
}

func contended() string {
	var mu sync.Mutex
	var s []int
	started(3, func(i int) {
		for range 2 {
			mu.Lock()
			s = append(s, i)
			runtime.Gosched()
			mu.Unlock()
		}
	})
	return fmt.Sprint(s)
}

// timers waits for three equal ones. It runs in a bubble.
func timers() string {
	var s []int
	a, b, c := time.After(time.Second), time.After(time.Second), time.After(time.Second)
	for range 3 {
		select {
		case <-a:
			s = append(s, 0)
		case <-b:
			s = append(s, 1)
		case <-c:
			s = append(s, 2)
		}
	}
	return fmt.Sprint(s)
}

// spinning waits in a loop: where nobody is preempted it would not end.
func spinning() string {
	var ready atomic.Bool
	started(2, func(i int) {
		if i == 1 {
			ready.Store(true)
			return
		}
		for !ready.Load() {
		}
	})
	return "done"
}

func channels() string {
	c := make(chan int)
	var s []int
	started(3, func(i int) {
		if i == 2 {
			s = append(s, <-c, <-c)
			return
		}
		c <- i
	})
	return fmt.Sprint(s)
}

// after starts goroutines by a timer and by another goroutine.
func after() string {
	var s []int
	var wg sync.WaitGroup
	wg.Add(3)
	for i := range 3 {
		time.AfterFunc(time.Second, func() { s = append(s, i); wg.Done() })
	}
	wg.Wait()
	return fmt.Sprint(s)
}

// named begins at a key that is a text.
func named() (first string) {
	for k := range map[string]int{"landlord": 1, "staff": 2, "a name that is longer than what is told": 3} {
		return k
	}
	return ""
}

// joined starts goroutines by a method of the standard library.
func joined() string {
	var s []int
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s = append(s, i) })
	}
	wg.Wait()
	return fmt.Sprint(s)
}

// Bubbled are the programs that need virtual time.
var Bubbled = []string{"equal timers", "goroutine after that"}
