package streams

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Coordinator is a process that reads the results of a job and publishes what they leave. Where the same command was
// begun twice there are two, and each comes to the same end by itself. What one of them does to the whole job, such as
// removing it, would end the other too early. So each asks the others before.
type Coordinator struct {
	job   *Job
	needs *nats.Subscription // while it needs executions
	reads *nats.Subscription // while it reads results

	mu      sync.Mutex
	waiting []*nats.Msg // of those that remove the job when this one reads no more
	removed string      // why that is; "": nobody has said so
	left    bool
}

// Coordinate says that this process is a coordinator of the job, until it calls Leave.
func (j *Job) Coordinate() (*Coordinator, error) {
	c := &Coordinator{job: j}
	var err error
	if c.needs, err = j.nc.Subscribe(j.needs(), func(m *nats.Msg) { _ = m.Respond(nil) }); err == nil {
		c.reads, err = j.nc.Subscribe(j.reads(), c.hear)
	}
	return c, j.plain("listening to other coordinators", err)
}

func (n names) needs() string { return n.subject("needs") }
func (n names) reads() string { return n.subject("reads") }

// hear takes note that the job is about to be removed, and why. It is answered when this one reads no more.
func (c *Coordinator) hear(m *nats.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.removed == "" {
		c.removed = string(m.Data[:min(len(m.Data), maxWhy)])
	}
	if c.left {
		_ = m.Respond(nil) // that it is not heard costs the other one some time
		return
	}
	c.waiting = append(c.waiting, m)
}

// Removed is why another process has removed the job, or is about to; "" if none has said so.
func (c *Coordinator) Removed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.removed
}

// Leave says that this process reads no results any more. It may be called twice.
func (c *Coordinator) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	for _, m := range c.waiting {
		_ = m.Respond(nil)
	}
	c.waiting = nil
	_, _ = c.needs.Drain(), c.reads.Drain() // what came before is answered
}

// coordinatorAnswers is how long another coordinator may take to say that it is here; else it is gone.
const coordinatorAnswers = 2 * time.Second

// Alone says that this process needs no more executions, and reports whether nobody else does. Where there is no
// connection nobody is heard.
//
// SUBTLE: of two that call it at the same time at least one is told that it is alone. The server hears that one does
// not need any before it is asked about others.
func (c *Coordinator) Alone(ctx context.Context) bool {
	_ = c.needs.Drain()
	if !c.job.Connected() {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, coordinatorAnswers)
	defer cancel()
	_, err := c.job.nc.RequestWithContext(ctx, c.job.needs(), nil)
	return err != nil
}

// Farewell tells whoever coordinates the job that it is about to be removed, and why. It waits until they read its
// results no more, at most until ctx is done. Who has called Leave is not waited for.
func (j *Job) Farewell(ctx context.Context, why string) {
	for j.Connected() {
		until, end := j.untilReconnected(ctx) // SUBTLE: a request that was sent before that is not answered
		_, err := j.nc.RequestWithContext(until, j.reads(), []byte(why))
		end()
		if err != nil { // mostly that nobody listens
			return
		}
	}
}
