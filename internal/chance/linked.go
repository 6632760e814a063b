package chance

import (
	"unsafe"
)

// attach is set in a test that `rehearse test` has built: the runtime of its overlay has a variable of that name. In
// any other it is nil.
//
//go:linkname attach runtime.rehearseAttach
var attach func(unsafe.Pointer)

// control is what the runtime and this package share. Its layout is part of the overlay, as that of Draw; a change of
// either gets a new version.
type control struct {
	version   uint32
	sample    uint32
	points    int32
	rate      uint32 // a sampled preemption happens at one point in so many
	next      uint32 // draws so far
	scriptLen uint32
	logCap    uint32
	script    *uint32
	log       *Draw
	seed      uint64
	drawn     uint64
	numbers   uint64
	maps      uint64
	lost      uint64
	spent     uint64
	begin     func()
	end       func()
	aside     func() uint32
	back      func(uint32)

	timers   uint64
	awoken   uint64
	sparse   uint32
	idle     uint32
	nblocked uint32
	blocked  [64]uint64
	await    func()
	wake     func()
	stuck    func() uint32
	giveUp   func()
	drain    func()
	outlived uint32
	fresh    uint32
	locked   func() bool
	abandon  func()
}

const (
	controlVersion = 7
	logged         = 1 << 13 // draws of a step that are written down
)

// ofRuntime is the runtime as a Source.
type ofRuntime struct {
	control control
	script  []uint32
	log     []Draw
}

// ofProcess is the one that this process has.
var ofProcess ofRuntime

func init() {
	if attach == nil {
		return
	}
	c := &ofProcess.control
	c.version = controlVersion
	if attach(unsafe.Pointer(c)); c.begin == nil {
		return
	}
	ofProcess.log = make([]Draw, logged)
	c.log, c.logCap = &ofProcess.log[0], logged
	s := Source(&ofProcess)
	swap(&s)
}

// Sparse has no point lie in a WaitGroup, and has a goroutine that was preempted be among those that go on at once,
// until restore is called. It is for counts that were published for such a control.
func Sparse() (restore func()) {
	ofProcess.control.sparse = 1
	return func() { ofProcess.control.sparse = 0 }
}

// Begin is that of Source.
func (r *ofRuntime) Begin(hi, lo uint64, script []uint32, sample bool, points int) {
	c := &r.control
	r.script = append(r.script[:0], script...)
	if c.scriptLen = uint32(len(script)); c.scriptLen > 0 {
		c.script = &r.script[0]
	}
	c.sample, c.next, c.numbers, c.maps, c.lost, c.spent = 0, 0, 0, 0, 0, 0
	if sample {
		c.sample = 1
	}
	c.points = int32(max(min(points, 1<<30), -1))
	c.seed, c.drawn = hi^lo*wyStep, lo^hi*wyStep
	// Some executions preempt at every other point, others seldom: a step may have few points, or many.
	c.rate = 2 << (c.drawn >> 8 % 5)
	c.begin()
}

// End is that of Source.
func (r *ofRuntime) End() []Draw {
	r.control.end()
	return r.Logged()
}

// Logged is that of Source.
func (r *ofRuntime) Logged() []Draw { return r.log[:min(r.control.next, logged)] }

// Unnumbered is that of Source.
func (r *ofRuntime) Unnumbered() Unnumbered {
	return Unnumbered{Numbers: r.control.numbers, Maps: r.control.maps, Lost: r.control.lost, Spent: r.control.spent}
}

// Leave is that of Source.
func (r *ofRuntime) Leave() uint32 { return r.control.aside() }

// Return is that of Source.
func (r *ofRuntime) Return(before uint32) { r.control.back(before) }
