// Package chance sets what Go's runtime decides by random numbers. That is where a loop over a map begins, and which of
// several ready cases a select takes. It is also the numbers of math/rand without a seed, and those of hash/maphash.
// One seed gives one outcome; other seeds give others. It also tells whether any such number was drawn.
//
// Where the runtime numbers its draws (numbered.go), they are choices of the exploration: explorer.go has those of
// steps, checks.go those of checks, limits.go how many.
//
// The numbers come from two states of the running thread. They are found by what a draw changes (layout.go), and tried
// before they are used (proof.go). A version of Go that keeps them elsewhere makes the package unavailable, never
// wrong.
//
//	source:     runtime/rand.go and internal/chacha8rand of Go 1.25 and 1.26
//	assumes:    the code between Set and Drawn runs on one thread: GOMAXPROCS is 1, or it is short
//	invariants: I1 nothing is written unless the proof has passed
//	            I2 only states of the thread that runs are read
//	cost:       some nanoseconds for Set, and fewer for Drawn
//	checked by: chance_test.go on the running Go, layout_test.go on memory that is made up
//
// What it cannot set: maps of more than 8 entries are ordered differently in other processes, and those keyed by
// pointers in other executions. Another thread, as after a system call that waits, draws from its own states. Stack
// traces, growing stacks and contended locks of the runtime draw too, so a select behind one of these may go another
// way.
package chance

import "unsafe"

// Mark remembers what was left in the states of a thread, to be compared with what they are later. The zero value has
// left nothing.
type Mark struct {
	thread  thread
	numbers *chacha
	cheap   *uint64
	hi, lo  uint64 // the seed
}

// Drawn is what was drawn since a Mark was set.
type Drawn struct {
	Numbers bool   // at least one from the state of rand: maps and math/rand
	Cheap   uint64 // draws from that of cheaprand: select, and much that the runtime does for itself
	Moved   bool   // the code went on on another thread, of whose states nothing is known
}

// Set has the running thread draw by a seed of two words from here on. It does nothing where the package is not
// Available, and before that was asked.
//
// SUBTLE: it is not pinned to the thread, which would take half of its time. Where the goroutine is moved in the
// middle, another thread is left with a seed of ours, which harms nobody, and Drawn reports that this one has Moved.
//
//go:norace
//go:nocheckptr
func (m *Mark) Set(hi, lo uint64) {
	if !available {
		return
	}
	if t := thread(getm()); t != m.thread {
		m.of(t, where)
	}
	m.write(hi, lo)
}

// of has the mark be about a thread.
func (m *Mark) of(t thread, l layout) {
	m.thread, m.numbers, m.cheap = t, (*chacha)(t.at(l.chacha)), (*uint64)(t.at(l.cheap))
}

// Reset is Set where the goroutine has stayed on its thread since, unless Forget was called. It takes less time.
func (m *Mark) Reset(hi, lo uint64) {
	if m.thread == 0 {
		m.Set(hi, lo)
		return
	}
	m.write(hi, lo)
}

// Forget is called where the goroutine may go on on another thread.
func (m *Mark) Forget() { m.thread = 0 }

// write sets the states. Where nothing was drawn since it did so last, only the words that differ are written.
//
//go:norace
//go:nocheckptr
func (m *Mark) write(hi, lo uint64) {
	c := m.numbers
	if c.used != blockLen || c.count != 0 || c.seed[2] != wyStep || c.filled != blockLen || c.seed[3] != wyStep {
		c.seed[2], c.seed[3] = wyStep, wyStep // any number
		// All numbers are used up: the next draw makes a block of them.
		c.used, c.filled, c.count = blockLen, blockLen, 0
	}
	c.seed[0], c.seed[1] = hi, lo
	m.hi, m.lo = hi, lo
	*m.cheap = m.at()
}

// at is what was left in the cheap state.
func (m *Mark) at() uint64 { return m.hi*wyStep ^ m.lo }

// Drawn tells what was drawn since Set. A block of numbers that is the old one by chance would pass for none drawn: one
// in 2 to the 64th.
//
//go:norace
//go:nocheckptr
func (m *Mark) Drawn() Drawn {
	if m.thread == 0 {
		return Drawn{}
	}
	if thread(getm()) != m.thread {
		return Drawn{Moved: true}
	}
	return m.read()
}

// HasNumbers reports whether Drawn().Numbers is true, in less time.
func (m *Mark) HasNumbers() bool { return m.thread != 0 && m.differs() && thread(getm()) == m.thread }

// differs reports whether the state of rand is another one than was left.
//
//go:norace
//go:nocheckptr
func (m *Mark) differs() bool {
	c := m.numbers
	return c.used != blockLen || c.count != 0 || c.seed[0] != m.hi
}

// read compares the states with what was left in them.
//
//go:norace
//go:nocheckptr
func (m *Mark) read() Drawn {
	return Drawn{Numbers: m.differs(), Cheap: (*m.cheap - m.at()) * wyInverse}
}

// AlignTick has the scheduler forget how many goroutines it has begun on this processor: at each 61st it looks
// elsewhere first. The count only grows, because the watch over long goroutines compares it.
//
//go:norace
//go:nocheckptr
func AlignTick() {
	if !available {
		return
	}
	procPin()
	tick := (*uint32)(pointer(*(*uintptr)(thread(getm()).at(where.processor)) + tickAt))
	*tick += tickPeriod - *tick%tickPeriod
	procUnpin()
}

// Aside runs f, which is no code of the program, and takes back what it draws: the program's next numbers would differ
// for a look of ours. Where f goes on on another thread nothing is taken back.
//
//go:norace
//go:nocheckptr
func Aside(f func()) {
	if s := current(); s != nil {
		defer s.Return(s.Leave())
	}
	if !available {
		f()
		return
	}
	t := thread(getm())
	cheap, numbers := (*uint64)(t.at(where.cheap)), (*chacha)(t.at(where.chacha))
	before, block := *cheap, *numbers
	f()
	if thread(getm()) == t {
		*cheap, *numbers = before, block
	}
}

// InOrder runs f, as Aside does, and has it range over maps of up to 8 entries from their first slot on. That is the
// order in which they were filled, where none was deleted. Where the package is not available it begins anywhere.
//
//go:norace
//go:nocheckptr
func InOrder(f func()) {
	Aside(func() {
		if available {
			c := (*chacha)(thread(getm()).at(where.chacha))
			// A loop begins where its first two numbers say.
			clear(c.numbers[:])
			c.used, c.filled = 0, blockLen
		}
		f()
	})
}

// thread is where the runtime keeps what a thread draws from (its type m).
type thread uintptr

// at points at what lies so many bytes behind the thread's beginning.
//
//go:norace
//go:nocheckptr
func (t thread) at(offset uintptr) unsafe.Pointer { return pointer(uintptr(t) + offset) }

// pointer makes a pointer of an address of the runtime's own memory, which nobody moves.
//
//go:norace
//go:nocheckptr
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
