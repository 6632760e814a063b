package goroutine

import (
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// The runtime does not tell who sets a timer, and those outside of bubbles lie in heaps that any thread may change. But
// a timer is allocated, and the profile of memory knows where: it samples each allocation while runtime.MemProfileRate
// is 1, and keeps the stack for good.

// RealTimers finds where a program sets timers that run in real time: time.AfterFunc, NewTimer, After, contexts with
// deadlines.
type RealTimers struct {
	Program string // part of the name of our function below which the program's code runs

	on     bool
	fresh  bool            // it was since the last look
	before map[stack]int64 // what was allocated before that
	places []string        // that were found
}

// stack is where something was allocated, as the profile has it: as many callers as fit.
type stack = [32]uintptr

// profile is what all RealTimers of the process share.
var profile struct {
	sync.Mutex
	users   int            // that want all allocations sampled
	rate    int            // as it was
	records map[string]int // at the last look, by program
	isTimer map[uintptr]bool
	places  map[allocation]string
	counted map[string]map[stack]int64 // by program, how often it has allocated where it sets timers, at the last look
}

// allocation is one of a program.
type allocation struct {
	program string
	at      stack
}

// Readable reports whether the profile of memory is not the user's: go test -memprofile would be distorted.
func (r *RealTimers) Readable() bool {
	f := flag.Lookup("test.memprofile")
	return f == nil || f.Value.String() == ""
}

// Begin is called before code of the program runs that is to be looked at.
func (r *RealTimers) Begin() {
	profile.Lock()
	defer profile.Unlock()
	if r.on || !r.Readable() {
		return
	}
	r.on = true
	if !r.fresh {
		r.fresh, r.before = true, maps.Clone(profile.counted[r.Program])
	}
	if profile.users++; profile.users == 1 {
		profile.rate, runtime.MemProfileRate = runtime.MemProfileRate, 1
	}
}

// End is called after it.
func (r *RealTimers) End() {
	profile.Lock()
	defer profile.Unlock()
	if !r.on {
		return
	}
	r.on = false
	if profile.users--; profile.users == 0 {
		runtime.MemProfileRate = profile.rate
	}
}

// Places names where timers were set, so far.
func (r *RealTimers) Places() []string {
	profile.Lock()
	defer profile.Unlock()
	if !r.fresh {
		return r.places
	}
	r.fresh = false
	for at, n := range r.settings() {
		if before, known := r.before[at]; known && n == before {
			continue
		}
		if p := profile.places[allocation{r.Program, at}]; !slices.Contains(r.places, p) {
			r.places = append(r.places, p)
		}
	}
	slices.Sort(r.places)
	r.places = r.places[:min(len(r.places), maxPlaces)]
	return r.places
}

// settings counts what was allocated where the program sets timers. If it does, or did before in this process, that
// takes collections of memory: the profile does not count before. It is called with the lock.
func (r *RealTimers) settings() map[stack]int64 {
	if n, _ := runtime.MemProfile(nil, true); n != profile.records[r.Program] {
		r.look(n)
	}
	if len(profile.counted[r.Program]) > 0 {
		for range cycles {
			runtime.GC()
		}
		r.look(profile.records[r.Program])
	}
	return profile.counted[r.Program]
}

// cycles is how many collections it takes at most until the profile counts an allocation. Those of a cycle are
// published with the second that begins after it, and one may be going on.
const cycles = 3

// look reads the profile, of about n records.
func (r *RealTimers) look(n int) {
	var all []runtime.MemProfileRecord
	for ok := false; !ok; {
		all = make([]runtime.MemProfileRecord, n+50)
		if n, ok = runtime.MemProfile(all, true); ok {
			all = all[:n]
		}
	}
	if profile.counted == nil {
		profile.counted, profile.places = map[string]map[stack]int64{}, map[allocation]string{}
		profile.records, profile.isTimer = map[string]int{}, map[uintptr]bool{}
	}
	counted := map[stack]int64{}
	profile.records[r.Program], profile.counted[r.Program] = n, counted
	for i := range all {
		if !setsTimer(all[i].Stack()) {
			continue
		}
		key := allocation{r.Program, all[i].Stack0}
		p, known := profile.places[key]
		if !known {
			p = r.place(all[i].Stack())
			profile.places[key] = p
		}
		if p != "" {
			counted[key.at] += all[i].AllocObjects // of any size: the heap of timers may grow there
		}
	}
}

// place names where the program sets a timer, "" if it is not the program that does.
func (r *RealTimers) place(callers []uintptr) (at string) {
	frames, inside := runtime.CallersFrames(callers), len(callers) == len(stack{})
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "crypto/internal/sysrand.") {
			// warns if the first random number of a process takes a minute, and is stopped before that is given
			return ""
		}
		std := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "time.") ||
			strings.HasPrefix(f.Function, "context.")
		if at == "" && !std {
			at = fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if inside = inside || strings.Contains(f.Function, r.Program); inside || !more {
			break
		}
	}
	if !inside {
		return ""
	}
	return at
}

// innermost are the frames among which the one is that allocates a timer.
const innermost = 8

// setsTimer reports whether a timer was allocated there.
func setsTimer(callers []uintptr) bool {
	for _, pc := range callers[:min(len(callers), innermost)] {
		is, known := profile.isTimer[pc]
		if !known {
			f := runtime.FuncForPC(pc - 1)
			is = f != nil && f.Name() == "time.newTimer"
			profile.isTimer[pc] = is
		}
		if is {
			return true
		}
	}
	return false
}
