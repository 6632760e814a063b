package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file is about what a handler hangs on a future, under mailbox: a pipe, or a continuation. The handler runs at
// its delivery, whole, and its request is released afterwards. In a process the answer may come before the pipe is
// there. Then the handler hands it on itself, in its turn; else whoever answers does, before all that it still sends.
// So what is hung there is captured like a send, and is there when that is released. That step and the release of the
// answer depend on each other.
//
// Such steps double the classes for each future, and the order seldom matters. So they are taken in programs in which
// it does: in the first execution something comes of the answer that goes to the same actor (latehooks.go).

// hook is the payload of what is hung on a future.
type hook struct {
	call   *Call
	attach func() // hangs it there, or hands the answer on that is there
}

// Hang captures what the running actor has hung on the future of a call, which name is for people; attach does so
// when it is released. It reports whether it will.
func (ml *mail) Hang(c *Call, name string, attach func()) bool {
	ml.mu.Lock()
	defer ml.mu.Unlock()
	if !ml.sys.hooks || !ml.Captures() || ml.cast.handing != nothing || ml.act == actAdvance {
		return false
	}
	a := ml.cast.who()
	if a == c.owner && !ml.pool.Holds(a) {
		return false // what would come before it might as well come before the step
	}
	ml.ends.noteEnd(a)
	m := ml.tr.AddMessage(ml.tr.TypeNamed(name), trace.Hook, a, a, ml.recorder.event(), nil)
	ml.recorder.keep(m, &hook{c, attach})
	ml.pool.Send(m)
	c.hung++
	ml.workers.signal()
	return true
}

// hooked reports whether something hangs on the future of a call, or is about to.
func (c *Call) hooked() bool { return c.hung > 0 || c.Hooked != nil && c.Hooked() }
