package chance

import (
	"fmt"
	"runtime"
	"sync"
)

var (
	once      sync.Once
	where     layout
	available bool
	reason    string
)

// Available reports whether Set works in this process. The first call looks for the states, and tries them.
func Available() bool {
	once.Do(func() {
		if where, reason = prove(runningThread()); reason == "" {
			var ok bool
			if locks, ok = findLocks(); !ok {
				reason = "how " + here() + " locks goroutines to threads was not found where it was expected"
			}
		}
		available = reason == ""
	})
	return available
}

// Why says why Set does not work in this process, "" if it does.
func Why() string {
	if Available() {
		return ""
	}
	return reason
}

// here names the Go that runs.
func here() string {
	return fmt.Sprintf("%s on %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// attempts is how often a layout is looked for: a goroutine that is interrupted in between finds nothing.
const attempts = 16

// prove finds the states and tries them. why says what is wrong, "" if nothing.
func prove(s source) (l layout, why string) {
	here := here()
	if !linked {
		return l, "random numbers of " + here + " are not known to this version of Rehearse"
	}
	why = "random numbers of " + here + " were not found where they were expected"
	for range attempts {
		var ok bool
		if l, ok = find(s); !ok {
			continue
		}
		if s.proved(l) {
			return l, ""
		}
		why = "random numbers of " + here + " do not come from where they were expected"
	}
	return l, why
}

// proved tries a layout: one seed gives the same numbers twice, another one gives others, and what is drawn shows.
func (s *source) proved(l layout) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	first, again, other := s.sample(l, 1), s.sample(l, 1), s.sample(l, 2)
	for i := range first.numbers {
		if first.numbers[i] == other.numbers[i] {
			return false
		}
	}
	return first == again && first.untouched == (Drawn{}) && first.drawn == Drawn{Numbers: true, Cheap: trials}
}

// trials is how many numbers of each kind a proof draws: more than a block holds, so that the seed is renewed too.
const trials = 200

// sampled is what both states give for a seed.
type sampled struct {
	numbers          [2 * trials]uint64
	untouched, drawn Drawn
}

// sample draws. It is pinned, so that no other goroutine comes between.
func (s *source) sample(l layout, seed uint64) (got sampled) {
	procPin()
	defer procUnpin()
	var mark Mark
	mark.of(s.thread(), l)
	mark.write(seed, ^seed)
	got.untouched = mark.read()
	for i := range trials {
		got.numbers[2*i], got.numbers[2*i+1] = s.rand(), uint64(s.cheaprand())
	}
	got.drawn = mark.read()
	return got
}
