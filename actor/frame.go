package actor

// This file catches what escapes the program's code: panics, and the end of the goroutine (runtime.Goexit). The loop
// has one frame at the bottom of its goroutine for all handlers that run there. Two deferred functions for
// each handler took 4% of the time.
//
// SUBTLE: two frames, one within the other. A panic that is recovered while runtime.Goexit runs does not end the
// Goexit, so what recovers cannot tell the two apart; the outer frame can.

// frame is the bottom of a goroutine of the loop.
type frame struct {
	h *handler // that runs on this goroutine, or waits there; nil while the loop itself runs, whose panics are our own
}

// base runs the loop on a new goroutine, after a handler of driver if there is one.
func (hs *handlers) base(driver *Context) {
	f := &frame{}
	hs.frame = f
	returned := false
	defer func() {
		if !returned && f.h != nil {
			hs.exited(f.h)
		}
	}()
	for !hs.caught(f, driver) {
		h := f.h
		h.left()
		f.h = nil
		if !hs.finish(h) {
			break
		}
		driver = nil
	}
	returned = true
}

// caught runs the loop. It is false if a handler has panicked: that is recovered, and noted.
func (hs *handlers) caught(f *frame, driver *Context) (done bool) {
	defer func() {
		if !done && f.h != nil {
			hs.recovered(f.h, recover())
		}
	}()
	if driver == nil || hs.run(driver, -1) {
		hs.m.drive()
	}
	return true
}

// recovered is told what was recovered at the end of a handler, nil if nothing was.
func (hs *handlers) recovered(h *handler, r any) {
	if h.lost {
		return
	}
	hs.codeOver(h)
	if r != nil {
		hs.panicked(h.ctx, r)
	}
}

// guard runs the program's code in frames of its own: of a handler that is run again, of a start hook that the loop
// runs, and where timers are watched. It does not return if the code ended its goroutine.
func (hs *handlers) guard(h *handler) {
	returned := false
	defer func() {
		if !returned {
			hs.exited(h)
		}
	}()
	hs.guarded(h)
	h.left()
	returned = true
}

func (hs *handlers) guarded(h *handler) {
	m := hs.m
	defer func() { hs.recovered(h, recover()) }()
	if m.outliving.samples {
		m.sys.timers.Begin()
		defer func() {
			m.lost.drain() // it takes a lock, at which other goroutines could go on
			m.sys.timers.End()
		}()
	}
	hs.invoke(h)
}
