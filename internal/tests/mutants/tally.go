package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	killed    fate = iota // a test failed
	late                  // a test did not end
	survived              // all tests that reach it passed
	unreached             // no test reaches it
)

// tally counts the fates of mutants.
type tally struct {
	started time.Time
	mu      sync.Mutex
	counts  [unreached + 1]int
}

// tryAll tries mutants until the time is up.
func (t *tally) tryAll(mutants []mutant, suites []*suite, s settings) {
	queue := make(chan mutant)
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			for m := range queue {
				t.note(m, try(m, suites))
			}
		})
	}
	for _, m := range mutants {
		if s.limit > 0 && time.Since(t.started) > s.limit {
			break
		}
		queue <- m
	}
	close(queue)
	wg.Wait()
}

// try runs the tests that reach a mutant until one fails.
func try(m mutant, suites []*suite) fate {
	f := unreached
	for _, s := range suites {
		for _, t := range s.tests {
			if !slices.ContainsFunc(t.reaches, func(b block) bool { return b.has(m) }) {
				continue
			}
			switch fails, slow := s.fails(t, m); {
			case slow:
				return late
			case fails:
				return killed
			}
			f = survived
		}
	}
	return f
}

// note counts a mutant, and prints it if it lives.
func (t *tally) note(m mutant, f fate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[f]++
	switch f {
	case survived:
		fmt.Println(m)
	case unreached:
		fmt.Printf("%s  (no test reaches it)\n", m)
	}
}

// report writes the sum.
func (t *tally) report(w io.Writer, path string, mutants int) {
	c := &t.counts
	fmt.Fprintf(w, "%s: %d mutants, %d tried in %v: %d killed (%d did not end), %d survived, %d unreached\n",
		path, mutants, c[killed]+c[late]+c[survived]+c[unreached], time.Since(t.started).Round(time.Second),
		c[killed]+c[late], c[late], c[survived], c[unreached])
}
