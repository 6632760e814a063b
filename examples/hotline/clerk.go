package hotline

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Line.
type Config struct {
	Day   time.Duration // how long the clerk stays
	Fixed bool          // who waits at the end of the day is still served
}

// room is how many calls may wait.
const room = 8

// Line is a help line.
type Line struct {
	root  *actor.RootContext
	pid   *actor.PID
	clerk *clerk
}

// Open starts a line in an actor system of its own.
func Open(cfg Config) (*Line, error) {
	l := &Line{root: actor.NewActorSystem().Root}
	l.clerk = &clerk{calls: make(chan Call, room), over: time.NewTimer(cfg.Day).C, patient: cfg.Fixed}
	var err error
	l.pid, err = l.root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return l.clerk }), "clerk")
	if err != nil {
		return nil, fmt.Errorf("hotline: start clerk: %w", err)
	}
	return l, nil
}

// Call puts a call into the queue.
func (l *Line) Call(from string) { l.root.Send(l.pid, Call{from}) }

// Ring has the clerk look.
func (l *Line) Ring() { l.root.Send(l.pid, Bell{}) }

// Waiting is how many calls nobody has served. Ask when the line is at rest.
func (l *Line) Waiting() int { return len(l.clerk.calls) }

// clerk serves calls until the day is over.
type clerk struct {
	calls   chan Call
	over    <-chan time.Time
	home    bool
	patient bool
}

// Receive implements actor.Actor.
func (c *clerk) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Call:
		c.calls <- msg //rehearse:allow channel it is the bug that is shown
	case Bell:
		if !c.home {
			c.look()
		}
	}
}

// look serves one call, or goes home. Where a call waits at the end of the day, select takes either case.
func (c *clerk) look() {
	select { //rehearse:allow channel it is the bug that is shown
	case <-c.calls:
	case <-c.over:
		c.home = true
		for c.patient && len(c.calls) > 0 {
			<-c.calls //rehearse:allow channel the queue of the bug that is shown
		}
	}
}
