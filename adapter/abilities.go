package adapter

import (
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has what a Framework may be beside what each has to be: frameworks without system messages, with timers on
// goroutines, with mailboxes that are emptied by the batch.

// Inline is a Framework without system messages. An actor may stop in the handler of any message, and in that of
// whoever creates it.
type Inline interface {
	StopsInline()
}

// Arriving is a Framework that has to know when a captured message is in its receiver's mailbox. It is told in the
// event of the release. touches: that it came before or after what the receiver takes next matters (Shared).
// omits: what is not explored of that, as in Omit; "" if nothing. It is called with the lock of the Runtime.
type Arriving interface {
	Arrives(receiver Actor, kind trace.MessageKind, payload any) (touches bool, omits string)
}

// Remarking is a Framework that leaves out, in its executions, what its own defaults do to programs: a stop after some
// minutes, say. It is asked after the exploration for what people should know of that, "" for nothing.
type Remarking interface {
	Remark() string
}

// Closing is a Framework that relies on handlers running one at a time. It is told when the execution is over, before
// code that still waits runs on: from then on handlers may run at the same time. It may be told more than once.
type Closing interface {
	Closes()
}

// Keeping is a Framework with timers that are goroutines of its own, which last. What they send is a timer's.
type Keeping interface {
	// Keeps reports whether that is what a function starts goroutines for. It is asked for those that are alive where a
	// step has left some behind.
	Keeps(function string) bool
}

// stopsInline reports whether actors may stop in any handler.
func (s *System) stopsInline() bool {
	_, is := s.framework.(Inline)
	return is
}

// arrives tells the framework that message m was released. It is called with the lock.
func (l *releases) arrives(m int32) {
	f, ok := l.sys.framework.(Arriving)
	if !ok {
		return
	}
	msg := &l.tr.Messages[m]
	touches, omits := f.Arrives(l.cast.actors[msg.Receiver].Actor, msg.Kind, l.recorder.payload[m])
	if touches {
		l.recorder.touch(l.recorder.Shared(msg.Receiver), false)
	}
	if omits != "" {
		l.recorder.omitOf(msg.Receiver, omits)
	}
}

// newlyKept gives how many more goroutines of this process the framework keeps than when it was last asked. It dumps
// all stacks, so it is asked in steps that start goroutines only.
func (g *goroutines) newlyKept() (n int) {
	f, ok := g.sys.framework.(Keeping)
	if !ok {
		return 0
	}
	now := 0
	for _, stack := range allStacks() {
		first, rest, _ := strings.Cut(stack, "\n")
		_, by, created := strings.Cut(rest, "\ncreated by ")
		by, _, _ = strings.Cut(by, " in goroutine ")
		if created && strings.Contains(first, "synctest bubble") && f.Keeps(by) {
			now++
		}
	}
	n, g.kept = now-g.kept, now
	return max(0, n)
}

// Queues reports whether messages are taken from mailboxes in the order in which they came.
func (x *execution) Queues() bool {
	return x.cond.Model == trace.Mailbox || x.cond.Model == trace.MailboxSerial
}

// SettingUp reports whether what happens is part of set-up, of which nothing is explored.
func (x *execution) SettingUp() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.phase == settingUp
}

// Choosing reports whether what happens is explored: no set-up, and not the end of the execution.
func (x *execution) Choosing() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.phase == exploring
}

// Crashes reports whether any actor may be stopped, or restarted, by a fault that is injected.
func (x *execution) Crashes() bool {
	f := &x.cond.Faults
	return f.On() && (f.Kinds.Has(trace.Crash) || f.Kinds.Has(trace.CrashLosing) || f.Kinds.Has(trace.Restart))
}

// Unwinds reports whether a panic is ours, which ends the code that is not to go on: nobody may recover from it.
func Unwinds(reason any) bool { return reason == refused{} || explore.IsFailNow(reason) }
