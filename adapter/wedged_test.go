package adapter

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Whoever waits for a lock of the runtime's own waits for a moment: it is no deadlock. The watcher holds that lock
// while it looks.
func TestWaitsForUs(t *testing.T) {
	var lock sync.Mutex
	lock.Lock()
	var over sync.WaitGroup
	over.Go(func() { waitFor(&lock) })
	defer over.Wait()
	defer lock.Unlock()
	waiting := func() string {
		all := allStacks()
		i := slices.IndexFunc(all, func(g string) bool {
			first, _, _ := strings.Cut(g, "\n")
			return strings.Contains(first, "Mutex.") && strings.Contains(g, "adapter.waitFor(")
		})
		if i < 0 {
			return ""
		}
		return all[i]
	}
	g := waiting()
	for ; g == ""; g = waiting() {
		runtime.Gosched()
	}
	if !waitsForUs(g) {
		t.Errorf("it waits for a lock of package adapter:\n%s", g)
	}
	if program := strings.ReplaceAll(g, "rehearse/adapter.", "bank."); waitsForUs(program) {
		t.Errorf("it waits for a lock of the program:\n%s", program)
	}
}

func waitFor(lock *sync.Mutex) {
	lock.Lock()
	lock.Unlock()
}
