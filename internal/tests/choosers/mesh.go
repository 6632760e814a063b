package choosers

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// This file has random small programs whose goroutines use channels, for a comparison of the orders that are explored
// with those that there are.

// Op is something that a goroutine of a Mesh does to a channel.
type Op uint8

// The operations.
const (
	Send       Op = iota // to Op's first channel
	Receive              // from it
	Close                // it
	TrySend              // a select with a default
	TryReceive           // the same
	SelectBoth           // a select that receives from both channels
	SelectPass           // a select that receives from the first, or sends to the second
	ops
)

// Step is an operation with its channels.
type Step struct {
	Op   Op
	A, B int // channels
}

// Mesh is a random program.
type Mesh struct {
	Room     []int    // that each channel has
	Routines [][]Step // what each goroutine does
}

// NewMesh gives the program of that number. It may come to a deadlock, or panic.
func NewMesh(n uint64) *Mesh {
	r := rand.New(rand.NewPCG(n, 1))
	m := &Mesh{Room: []int{r.IntN(3), r.IntN(2)}}
	for range 2 + r.IntN(2) {
		var steps []Step
		for range 1 + r.IntN(3) {
			a := r.IntN(2)
			steps = append(steps, Step{Op(r.IntN(int(ops))), a, 1 - a})
		}
		m.Routines = append(m.Routines, steps)
	}
	return m
}

// Word is what goroutine g writes down about its step k. v is what it received, 0 if it received nothing.
// SUBTLE: package fmt has atomics, which are points.
func Word(g, k, v int) string { return strconv.Itoa(g) + "." + strconv.Itoa(k) + ":" + strconv.Itoa(v) }

// Value is what goroutine g sends in its step k.
func Value(g, k int) int { return 10*g + k + 1 }

// run executes the program, and gives all words in their order. yield is called before each step.
func (m *Mesh) run(yield func()) string {
	chans := []chan int{make(chan int, m.Room[0]), make(chan int, m.Room[1])}
	done := make(chan bool, len(m.Routines))
	var words []string
	var mu sync.Mutex // held over plain memory only, where yield lets others in
	for g, steps := range m.Routines {
		go func() {
			for k, s := range steps {
				if yield != nil {
					yield()
				}
				v := do(s.Op, chans[s.A], chans[s.B], Value(g, k))
				if yield != nil {
					mu.Lock()
				}
				words = append(words, Word(g, k, v))
				if yield != nil {
					mu.Unlock()
				}
			}
			done <- true
		}()
	}
	for range m.Routines {
		<-done
	}
	return strings.Join(words, " ")
}

// do takes a step with two channels, in which it sends value or receives, and gives what was received: -1 if it sent
// instead, -2 if it did neither.
func do(op Op, a, b chan int, value int) (v int) {
	switch op {
	case Send:
		a <- value
	case Receive:
		v = <-a
	case Close:
		close(a)
	case TrySend:
		select {
		case a <- value:
			v = -1
		default:
		}
	case TryReceive:
		select {
		case v = <-a:
		default:
			v = -2
		}
	case SelectBoth:
		select {
		case v = <-a:
		case v = <-b:
		}
	case SelectPass:
		select {
		case v = <-a:
		case b <- value:
			v = -1
		}
	}
	return v
}

// Noisy executes the program outside of all control, with others let in at random.
func (m *Mesh) Noisy() string {
	return m.run(func() {
		for rand.IntN(2) > 0 {
			runtime.Gosched()
		}
	})
}
