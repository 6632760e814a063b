package chance

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// fake is a thread made up, with the generators that draw from it.
type fake struct {
	memory    [threadLen/8 + 1]uint64
	processor [32]uint64
	cheap     int // words from the beginning
	chacha    int
	at        int // of the pointer to the processor
	next      uint64
}

func newFake() *fake {
	f := &fake{cheap: 20, chacha: 40, at: 10}
	for i := range f.memory {
		f.memory[i] = uint64(i) // no address, and nothing that grows
	}
	c := f.state()
	*c = chacha{used: blockLen, filled: blockLen}
	f.memory[f.at] = uint64(uintptr(unsafe.Pointer(&f.processor)))
	binary.NativeEndian.PutUint32(unsafe.Slice((*byte)(unsafe.Pointer(&f.processor[0])), 8), 3)
	binary.NativeEndian.PutUint32(unsafe.Slice((*byte)(unsafe.Pointer(&f.processor[0])), 8)[4:], running)
	f.processor[5] = uint64(uintptr(unsafe.Pointer(&f.memory)))
	return f
}

func (f *fake) state() *chacha { return (*chacha)(unsafe.Pointer(&f.memory[f.chacha])) }

func (f *fake) rand() uint64 {
	c := f.state()
	if c.used >= c.filled {
		for i := range c.numbers {
			f.next += 0x9e3779b97f4a7c15
			c.numbers[i] = f.next * 0xbf58476d1ce4e5b9
		}
		c.used = 0
	}
	c.used++
	return c.numbers[c.used-1]
}

func (f *fake) cheaprand() uint32 {
	f.memory[f.cheap] += wyStep
	return uint32(f.memory[f.cheap])
}

func (f *fake) source() source {
	return source{func() thread { return thread(uintptr(unsafe.Pointer(&f.memory))) }, f.rand, f.cheaprand,
		func() int { return 3 }}
}

// The states are found wherever they lie.
func TestFind(t *testing.T) {
	for _, at := range [][3]int{{20, 40, 10}, {0, 1, 250}, {254, 100, 3}} {
		f := newFake()
		f.cheap, f.chacha, f.at = at[0], at[1], at[2]
		*f.state() = chacha{used: blockLen, filled: blockLen}
		f.memory[10] = 10
		f.memory[f.at] = uint64(uintptr(unsafe.Pointer(&f.processor)))
		l, ok := find(f.source())
		want := layout{uintptr(at[0] * 8), uintptr(at[1] * 8), uintptr(at[2] * 8)}
		if !ok || l != want {
			t.Errorf("found %+v, %v, want %+v", l, ok, want)
		}
	}
}

// What is not as expected is not found.
func TestFindRefuses(t *testing.T) {
	for name, spoil := range map[string]func(f *fake, s *source){
		"another generator in the place of wyrand": func(f *fake, s *source) {
			s.cheaprand = func() uint32 { f.memory[f.cheap] ^= f.memory[f.cheap]<<17 + 1; return 0 }
		},
		"two states that grow": func(f *fake, s *source) {
			s.cheaprand = func() uint32 { f.memory[30] += wyStep; return f.cheaprand() }
		},
		"numbers from elsewhere": func(f *fake, s *source) { s.rand = func() uint64 { return 7 } },
		"a block that is longer": func(f *fake,
			s *source) {
			s.rand = func() uint64 { n := f.rand(); f.state().filled = 64; return n }
		},
		"another processor":                      func(f *fake, s *source) { s.processor = func() int { return 4 } },
		"a processor that does not run":          func(f *fake, s *source) { f.processor[0] = 3 },
		"a processor that is another thread's":   func(f *fake, s *source) { f.processor[5] = 0 },
		"an address that no memory has":          func(f *fake, s *source) { f.memory[f.at] = 1 << 20 },
		"an address at which Go would not panic": func(f *fake, s *source) { f.memory[f.at] = 1 << 60 },
		"an address that is not aligned":         func(f *fake, s *source) { f.memory[f.at]++ },
	} {
		f := newFake()
		s := f.source()
		spoil(f, &s)
		if l, ok := find(s); ok {
			t.Errorf("%s: found %+v", name, l)
		}
	}
}

// Where the project is tested the package works: else the other tests would be left out, and nobody would know.
func TestAvailable(t *testing.T) {
	if linked && runtime.GOOS == "linux" && runtime.GOARCH == "amd64" && !Available() {
		t.Error(Why())
	}
}

// A layout that passes for one and is not leaves the package unavailable, and says which Go it is.
func TestProofRefuses(t *testing.T) {
	if !Available() {
		t.Skip(Why())
	}
	if _, why := prove(newFake().source()); !strings.HasPrefix(why, "random numbers of go1.") ||
		!strings.HasSuffix(why, "do not come from where they were expected") {
		t.Errorf("a thread that is made up: %q", why)
	}
	nothing := newFake()
	nothing.processor[5] = 0
	if _, why := prove(nothing.source()); !strings.HasSuffix(why, "were not found where they were expected") {
		t.Errorf("a thread without states: %q", why)
	}
}
