package chance

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// layout says where in a thread its random states lie, in bytes from its beginning.
type layout struct {
	cheap     uintptr // state of cheaprand: one word
	chacha    uintptr // state of rand
	processor uintptr // pointer to the processor (the runtime's p) that the thread runs on
}

// chacha is the state of the runtime's generator ChaCha8. It has a block of numbers, what the next block is made of,
// and how many numbers of the block are used. Then it has how many the block holds, and which block of its seed it is.
type chacha struct {
	numbers             [blockLen]uint64
	seed                [4]uint64
	used, filled, count uint32
}

const (
	blockLen   = 32                 // numbers of a block
	wyStep     = 0xa0761d6478bd642f // what a draw adds to the cheap state (wyrand)
	threadLen  = 2040               // bytes of a thread that are looked at: the runtime allocates no fewer for one
	ownerLen   = 128                // bytes of a processor that are looked at for its thread
	running    = 1                  // status of a processor that runs Go code
	tickAt     = 16                 // offset in a processor of the number of goroutines that it has begun
	tickPeriod = 61
	lowest     = 1 << 16 // addresses below belong to no memory
	// those above are none of a program's, and to read there is a fault that Go does not turn into a panic
	highest = 1 << 47
)

// wyInverse is the inverse of wyStep modulo 2 to the 64th: Newton's iteration doubles the right bits.
var wyInverse = func() uint64 {
	x := uint64(wyStep)
	for range bits.Len(64) {
		x *= 2 - wyStep*x
	}
	return x
}()

// source is a thread with what draws from it: the running one, or one that a test has made up.
type source struct {
	thread    func() thread
	rand      func() uint64
	cheaprand func() uint32
	processor func() int // number of the processor that the thread runs on
}

// runningThread is the thread that this goroutine runs on.
func runningThread() source {
	id := func() int {
		defer procUnpin()
		return procPin()
	}
	return source{func() thread { return thread(getm()) }, rand, cheaprand, id}
}

// find looks for the states by what a draw changes. It draws some numbers and writes nothing.
func find(s source) (l layout, ok bool) {
	// Not by pinning: an address that is none is found out by a panic, which would end the process then.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var found [3]bool
	l.cheap, found[0] = only(s.cheaps)
	l.chacha, found[1] = only(s.chachas)
	l.processor, found[2] = only(s.processors)
	return l, found == [3]bool{true, true, true}
}

// only is the offset that is right each time, if there is exactly one.
func only(try func() []uintptr) (uintptr, bool) {
	left := try()
	for range 3 {
		again := try()
		var both []uintptr
		for _, x := range left {
			for _, y := range again {
				if x == y {
					both = append(both, x)
				}
			}
		}
		left = both
	}
	if len(left) != 1 {
		return 0, false
	}
	return left[0], true
}

// cheaps gives the words that grow by wyStep when cheaprand draws.
//
//go:norace
//go:nocheckptr
func (s *source) cheaps() (offsets []uintptr) {
	t := s.thread()
	var before [threadLen / 8]uint64
	for i := range before {
		before[i] = *(*uint64)(t.at(uintptr(i) * 8))
	}
	s.cheaprand()
	for i := range before {
		if *(*uint64)(t.at(uintptr(i) * 8)) == before[i]+wyStep {
			offsets = append(offsets, uintptr(i)*8)
		}
	}
	return offsets
}

// chachas gives the blocks whose last used number is the one that was drawn.
//
//go:norace
//go:nocheckptr
func (s *source) chachas() (offsets []uintptr) {
	t := s.thread()
	drawn := s.rand()
	for offset := uintptr(0); offset+unsafe.Sizeof(chacha{}) <= threadLen; offset += 8 {
		c := (*chacha)(t.at(offset))
		if c.used > 0 && c.used <= c.filled && c.filled <= blockLen && c.count <= 12 && c.numbers[c.used-1] == drawn {
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// processors gives the words that point to a processor: it has the number of the one that runs this, is running, and
// points back at the thread.
func (s *source) processors() (offsets []uintptr) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	t, id := s.thread(), int32(s.processor())
	for offset := uintptr(0); offset < threadLen; offset += 8 {
		if isProcessor(t, offset, id) {
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// isProcessor reports false where there is no memory.
//
//go:norace
//go:nocheckptr
func isProcessor(t thread, offset uintptr, id int32) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	at := *(*uintptr)(t.at(offset))
	if at < lowest || uint64(at) >= highest || at%8 != 0 {
		return false
	}
	if *(*int32)(pointer(at)) != id || *(*uint32)(pointer(at + 4)) != running {
		return false
	}
	for back := uintptr(8); back < ownerLen; back += 8 {
		if *(*uintptr)(pointer(at + back)) == uintptr(t) {
			return true
		}
	}
	return false
}
