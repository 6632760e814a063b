package chance

import "unsafe"

// attach is set in a test that `rehearse test` has built: the runtime of its overlay has a variable of that name. In any other it is nil.
//
//go:linkname attach runtime.rehearseAttach
var attach func(unsafe.Pointer)

// control is what the runtime and this package share. Its layout is part of the overlay, as that of Draw; a change of either gets a new version.
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
	begin     func()
	end       func()
	aside     func() uint32
	back      func(uint32)
}

const (
	controlVersion = 1
	logged         = 1 << 13 // draws of a step that are written down
)

// native is the runtime as a Source.
type native struct {
	control control
	script  []uint32
	log     []Draw
}

// ofProcess is the one that this process has.
var ofProcess native

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
	drawing.Store(&s)
}

// Begin is that of Source.
func (n *native) Begin(hi, lo uint64, script []uint32, sample bool, points int) {
	c := &n.control
	n.script = append(n.script[:0], script...)
	n.scripted()
	c.sample, c.next, c.numbers, c.maps, c.lost = 0, 0, 0, 0, 0
	if sample {
		c.sample = 1
	}
	c.points = int32(max(min(points, 1<<30), -1))
	c.seed, c.drawn = hi^lo*wyStep, lo^hi*wyStep
	// Some executions preempt at every other point, others seldom: a step may have few points, or many.
	c.rate = 2 << (c.drawn >> 8 % 5)
	c.begin()
}

// scripted tells the runtime where the script is.
func (n *native) scripted() {
	n.control.scriptLen = uint32(len(n.script))
	if len(n.script) > 0 {
		n.control.script = &n.script[0]
	}
}

// Extend is that of Source.
func (n *native) Extend(values ...uint32) {
	n.script = append(n.script, values...)
	n.scripted()
}

// End is that of Source.
func (n *native) End() []Draw {
	n.control.end()
	return n.Logged()
}

// Logged is that of Source.
func (n *native) Logged() []Draw { return n.log[:min(n.control.next, logged)] }

// Unnumbered is that of Source.
func (n *native) Unnumbered() Unnumbered {
	return Unnumbered{Numbers: n.control.numbers, Maps: n.control.maps, Lost: n.control.lost}
}

// aside runs f out of control.
func (n *native) aside(f func()) {
	before := n.control.aside()
	defer n.control.back(before)
	f()
}
