package goroutine

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// The runtime does not tell which timers are set. It keeps those of a bubble (testing/synctest) in one heap, to which
// the bubble's record leads, to which g leads. A timer that was stopped stays there until others are added or time
// passes. Where all that is in memory is looked for once, in a bubble, by means of timers whose times and functions are
// known. What fits by chance would have to repeat three of each.

// Timer is a timer with a function (time.AfterFunc) in the heap of a bubble.
type Timer struct {
	Timer *time.Timer
	When  int64   // the time at which it fires (Unix, ns), 0 if it was stopped
	Code  uintptr // of its function

	closure unsafe.Pointer
}

// Captured reads a word of what the timer's function has captured. The function must have captured so many.
func (t Timer) Captured(i int) unsafe.Pointer {
	return pointer(word(t.closure, uintptr(i+1)*wordBytes))
}

// Func is the function of the timer.
func (t Timer) Func() *runtime.Func { return runtime.FuncForPC(t.Code) }

// ReadTimer gives what is known of a timer with a function, of a bubble or of none; false where FindTimers has not
// found out how.
func ReadTimer(t *time.Timer) (Timer, bool) {
	if timers == nil || t == nil {
		return Timer{}, false
	}
	return timers.read(uintptr(unsafe.Pointer(t)) + timers.timer)
}

// timersAt is where they are, in bytes.
type timersAt struct {
	bubble    uintptr // in g
	heap      uintptr // in the bubble, a slice of entries: a pointer to the timer, and a time
	timer     uintptr // from the start of a time.Timer to what an entry points to
	when, arg uintptr // in that; the data word of an any
	function  uintptr // the other word of that any: the type func()
}

var (
	timers   *timersAt // nil: not known
	timersBy sync.Once
	probed   [probeTimers]*time.Timer // which found it
	outside  = wordsOfInit()
)

// The parts of the runtime's records that are looked at, in words. Each is longer in every version.
const (
	lastOfG      = 56
	lastOfBubble = 12
	lastOfTimer  = 12
	entryWords   = 2
	probeTimers  = 3
	maxTimers    = 1 << 20 // in a heap
)

// wordsOfInit reads g where no bubble is.
func wordsOfInit() (words [lastOfG]uintptr) {
	if readsG {
		for i := range words {
			words[i] = word(g(), uintptr(i)*wordBytes)
		}
	}
	return words
}

// FindTimers looks for the heap of timers of the bubble in which it is called first, and reports whether BubbleTimers
// can read it. It sets some timers and stops them.
func FindTimers() bool {
	timersBy.Do(func() {
		if readsG {
			if timers = findTimers(); timers != nil && !pinsHold() {
				timers = nil
			}
		}
	})
	return timers != nil
}

func findTimers() (found *timersAt) {
	// A word that is no pointer after all is not fatal.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	var ours probes
	for i := range ours {
		n := new(int)
		p := &ours[i]
		p.run = func() { *n++ } // a closure of its own
		after := time.Duration(i+1) * 1009 * time.Hour
		p.when = uintptr(time.Now().Add(after).UnixNano())
		p.timer = time.AfterFunc(after, p.run)
		probed[i] = p.timer
		defer p.timer.Stop()
	}
	for i := uintptr(1); i < lastOfG; i++ {
		bubble := word(g(), i*wordBytes)
		if outside[i] != 0 || !plausible(bubble) {
			continue
		}
		for j := uintptr(0); j < lastOfBubble; j++ {
			if at := ours.heapAt(bubble, j*wordBytes); at != nil {
				at.bubble = i * wordBytes
				return at
			}
		}
	}
	return nil
}

// probes are timers of which all is known.
type probes [probeTimers]struct {
	timer *time.Timer
	when  uintptr
	run   func()
}

// heapAt tells where things are if there is a slice in the bubble that holds all the timers, nil otherwise.
func (ours *probes) heapAt(bubble, heap uintptr) *timersAt {
	at := &timersAt{heap: heap}
	entries, n := at.slice(bubble)
	if n < probeTimers || n > maxTimers || word(pointer(bubble), heap+2*wordBytes) < n ||
		word(pointer(bubble), heap+2*wordBytes) > maxTimers || !plausible(entries) {
		return nil
	}
	for k, p := range ours {
		var timer uintptr
		for i := range n {
			if word(pointer(entries), (i*entryWords+1)*wordBytes) == p.when {
				timer = word(pointer(entries), i*entryWords*wordBytes)
			}
		}
		delta := timer - uintptr(unsafe.Pointer(p.timer))
		if timer == 0 || delta > lastOfTimer*wordBytes || k > 0 && delta != at.timer {
			return nil
		}
		at.timer = delta
		closure := *(*uintptr)(unsafe.Pointer(&p.run))
		when, arg := find(timer, p.when), find(timer, closure)
		if when == 0 || arg <= when || k > 0 &&
			(when != at.when || arg != at.arg || word(pointer(timer), arg-wordBytes) != at.function) {
			return nil
		}
		at.when, at.arg, at.function = when, arg, word(pointer(timer), arg-wordBytes)
	}
	return at
}

// find gives where in a timer a word is, 0 if it is nowhere, or in several places.
func find(timer, wanted uintptr) (at uintptr) {
	for i := uintptr(1); i < lastOfTimer; i++ {
		if word(pointer(timer), i*wordBytes) == wanted {
			if at != 0 {
				return 0
			}
			at = i * wordBytes
		}
	}
	return at
}

// slice reads the heap of a bubble.
func (at *timersAt) slice(bubble uintptr) (entries, n uintptr) {
	return word(pointer(bubble), at.heap), word(pointer(bubble), at.heap+wordBytes)
}

// BubbleTimers calls visit for the timers in the heap of this goroutine's bubble that have functions, until it returns
// false. It does nothing where FindTimers has not found them. No other goroutine of the bubble may run meanwhile.
func BubbleTimers(visit func(Timer) bool) { ThisBubble().Timers(visit) }

// Bubble is one of package testing/synctest, the zero Bubble none.
type Bubble uintptr

// ThisBubble is that of this goroutine; none where FindTimers has not found its timers.
func ThisBubble() Bubble {
	if timers == nil {
		return 0
	}
	return Bubble(word(g(), timers.bubble))
}

// Timers is BubbleTimers of another bubble.
func (b Bubble) Timers(visit func(Timer) bool) {
	at, bubble := timers, uintptr(b)
	if bubble == 0 {
		return
	}
	entries, n := at.slice(bubble)
	for i := range n {
		t, ok := at.read(word(pointer(entries), i*entryWords*wordBytes))
		if !ok || t.Code == ofPin || slices.Contains(probed[:], t.Timer) {
			continue
		}
		if !visit(t) {
			return
		}
	}
}

// NextTimer is when the first timer in the heap of this goroutine's bubble fires (Unix, ns). Timers of sleeps and
// channels are included. It is 0 if none runs, or where FindTimers has not found them. No other goroutine of the bubble
// may run meanwhile.
func NextTimer() (first int64) { return ThisBubble().NextTimer() }

// NextTimer is that of another bubble.
func (b Bubble) NextTimer() (first int64) {
	at := timers
	if b == 0 {
		return 0
	}
	entries, n := at.slice(uintptr(b))
	for i := range n {
		timer := word(pointer(entries), i*entryWords*wordBytes)
		if t, ok := at.read(timer); timer == 0 || ok && t.Code == ofPin {
			continue
		}
		if when := int64(word(pointer(timer), at.when)); when > 0 && (first == 0 || when < first) {
			first = when
		}
	}
	return first
}

// plausible reports whether a word may be a pointer to words.
func plausible(w uintptr) bool { return w >= 1<<16 && w%wordBytes == 0 && uint64(w)>>56 == 0 }

// pointer makes a pointer of a word that is one.
func pointer(w uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&w)) }

// word reads a word of the runtime's memory, of which the race detector and checkptr know nothing.
//
//go:norace
//go:nocheckptr
func word(p unsafe.Pointer, offset uintptr) uintptr { return *(*uintptr)(unsafe.Add(p, offset)) }
