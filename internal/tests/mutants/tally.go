package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	killed    fate = iota // a test failed
	late                  // a test did not end
	survived              // it makes a difference in some tests, and all of them passed
	unreached             // it makes no difference in any test
)

// idle is printed behind a mutant that makes no difference in any test.
const idle = "  (no test makes it differ)"

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
				t.note(m, t.try(m, suites, s.spend))
			}
		})
	}
	told := t.started
	for i, m := range mutants {
		if time.Since(told) > time.Minute {
			told = time.Now()
			fmt.Fprintf(os.Stderr, "%d of %d mutants\n", i, len(mutants))
		}
		if s.limit > 0 && time.Since(t.started) > s.limit {
			break
		}
		queue <- m
	}
	close(queue)
	wg.Wait()
}

// try runs the tests in which a mutant makes a difference until one fails, or they have taken what is to be spent. One
// that takes more than is left is passed over: those behind it may be small, and see what no other test does.
func (t *tally) try(m mutant, suites []*suite, spend time.Duration) fate {
	t.mu.Lock()
	tests := reaching(m, suites)
	t.mu.Unlock()
	f, spent := unreached, time.Duration(0)
	for _, test := range tests {
		if f == survived && spend > 0 && spent+test.takes > spend {
			continue
		}
		spent += test.takes
		fails, slow := test.fails(m)
		t.mu.Lock()
		test.note(m, fails)
		t.mu.Unlock()
		switch {
		case slow:
			return late
		case fails:
			return killed
		}
		f = survived
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
		fmt.Println(m.String() + idle)
	}
}

// report writes the sum.
func (t *tally) report(w io.Writer, path string, mutants int) {
	c := &t.counts
	fmt.Fprintf(w, "%s: %d mutants, %d tried in %v: %d killed (%d did not end), %d survived, %d unreached\n",
		path, mutants, c[killed]+c[late]+c[survived]+c[unreached], time.Since(t.started).Round(time.Second),
		c[killed]+c[late], c[late], c[survived], c[unreached])
}
