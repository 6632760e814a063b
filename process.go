package rehearse

import (
	"fmt"
	"sync"

	"github.com/rehearse-go/rehearse/internal/gotest"
)

// process is what the Checks of a process share: only one explores at a time, because what the program prints and the
// hooks into its framework are the process's. The Checks of a test are numbered.
var process struct {
	exploring sync.Mutex
	numbering sync.Mutex
	next      map[string]int
	explored  map[string]int    // by test function: calls of Explore
	results   map[string]Result // by call: what worker processes, which run a test again, need not explore again
}

// keepResult remembers the result of a call.
func keepResult(call string, r Result) {
	if process.results == nil {
		process.results = map[string]Result{}
	}
	process.results[call] = r
}

// ordinal numbers the Checks of a test from 0.
func ordinal(t tester) int {
	process.numbering.Lock()
	defer process.numbering.Unlock()
	if process.next == nil {
		process.next = map[string]int{}
	}
	name := t.Name()
	n := process.next[name]
	process.next[name] = n + 1
	if n == 0 {
		// A test that runs again (-count=2) numbers its Checks anew.
		t.Cleanup(func() {
			process.numbering.Lock()
			defer process.numbering.Unlock()
			delete(process.next, name)
		})
	}
	return n
}

// exploration numbers the explorations of a test function, so that a worker process finds the one that it belongs to.
func exploration(test string) (call, pattern string) {
	process.numbering.Lock()
	defer process.numbering.Unlock()
	if process.explored == nil {
		process.explored = map[string]int{}
	}
	process.explored[test]++
	call = fmt.Sprintf("Explore %d of %s", process.explored[test], test)
	if test != "" {
		pattern = gotest.PatternOf(test)
	}
	return call, pattern
}
