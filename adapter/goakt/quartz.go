package goakt

import (
	"context"
	"fmt"
	"time"

	"github.com/reugn/go-quartz/quartz"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file stands in for the scheduler behind ActorSystem.Schedule and ScheduleOnce. The framework's own is a
// goroutine with one timer for all. Here each message has a timer of the bubble, which is known to be set.

// clock is quartz.Scheduler.
type clock struct {
	system *system
	mu     adapter.Mutex // guards jobs, which timers reach
	jobs   map[string]*job
}

var _ quartz.Scheduler = (*clock)(nil)

// job is a message that is to be sent later, or again and again.
type job struct {
	detail  *quartz.JobDetail
	trigger quartz.Trigger
	next    int64
	timer   *time.Timer
	known   *adapter.Timer
}

// JobDetail is quartz.ScheduledJob.
func (j *job) JobDetail() *quartz.JobDetail { return j.detail }

// Trigger is quartz.ScheduledJob.
func (j *job) Trigger() quartz.Trigger { return j.trigger }

// NextRunTime is quartz.ScheduledJob.
func (j *job) NextRunTime() int64 { return j.next }

// Start is quartz.Scheduler.
func (c *clock) Start(context.Context) {}

// IsStarted is quartz.Scheduler.
func (c *clock) IsStarted() bool { return true }

// Wait is quartz.Scheduler.
func (c *clock) Wait(context.Context) {}

// Stop is quartz.Scheduler.
func (c *clock) Stop() { _ = c.Clear() }

// ScheduleJob is quartz.Scheduler.
func (c *clock) ScheduleJob(detail *quartz.JobDetail, trigger quartz.Trigger) error {
	defer adapter.Together(adapter.Apart())
	switch trigger.(type) {
	case *quartz.RunOnceTrigger, *quartz.SimpleTrigger:
	default:
		c.system.rt.Refuse(errCron(caller()))
	}
	c.touches(detail.JobKey())
	name := detail.JobKey().String()
	if c.find(name) != nil {
		return illegal(quartz.ErrJobAlreadyExists)
	}
	j := &job{detail: detail, trigger: trigger}
	next, err := trigger.NextFireTime(time.Now().UnixNano())
	if err != nil {
		return err
	}
	c.keep(name, j)
	c.set(name, j, next)
	return nil
}

// touches notes that a reference is looked up, or used. One that the framework has drawn is nobody else's.
func (c *clock) touches(key *quartz.JobKey) {
	if !isRandom(key.Name()) {
		c.system.rt.Access(adapter.Name("schedule "+key.Name()), true)
	}
}

// find gives the job of a name, nil if there is none; keep keeps one, nil takes it out.
func (c *clock) find(name string) *job {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.jobs[name]
}

func (c *clock) keep(name string, j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jobs[name] = j; j == nil {
		delete(c.jobs, name)
	}
}

// set sets the timer of a job.
func (c *clock) set(name string, j *job, next int64) {
	known := c.system.rt.SetTimer()
	c.mu.Lock()
	defer c.mu.Unlock()
	j.next, j.known = next, known
	j.timer = time.AfterFunc(time.Duration(next-time.Now().UnixNano()), func() { c.fire(name, j) })
}

// timing gives when a job is due, and its timer.
func (c *clock) timing(j *job) (next int64, timer *time.Timer, known *adapter.Timer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return j.next, j.timer, j.known
}

// fire sends the message of a job.
func (c *clock) fire(name string, j *job) {
	defer adapter.Together(adapter.Apart())
	rt := c.system.rt
	if !rt.Exploring() {
		return
	}
	due, _, known := c.timing(j)
	rt.FireTimer(known)
	if !isRandom(j.detail.JobKey().Name()) {
		rt.Touch(adapter.Name("schedule "+j.detail.JobKey().Name()), true)
	}
	if next, err := j.trigger.NextFireTime(due); err == nil {
		defer c.set(name, j, next)
	} else {
		c.keep(name, nil)
	}
	_ = j.detail.Job().Execute(context.Background())
}

// stop stops the timer of a job.
func (c *clock) stop(j *job) {
	rt := c.system.rt
	_, timer, known := c.timing(j)
	if timer != nil && timer.Stop() {
		rt.DropTimer(known)
		if rt.AnyTime() && rt.Captured() {
			rt.Omit(rt.Running(), "cancels or pauses a message that is sent later, behind what it has sent: that the message "+
				"comes in between is not explored; do that first, or use -timers quiescent")
		}
	}
	c.mu.Lock()
	j.timer = nil
	c.mu.Unlock()
}

// GetJobKeys is quartz.Scheduler.
func (c *clock) GetJobKeys(matchers ...quartz.Matcher[quartz.ScheduledJob]) (keys []*quartz.JobKey, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
jobs:
	for _, j := range c.jobs {
		for _, m := range matchers {
			if !m.IsMatch(j) {
				continue jobs
			}
		}
		keys = append(keys, j.detail.JobKey())
	}
	return keys, nil
}

func (c *clock) job(key *quartz.JobKey) (*job, error) {
	c.touches(key)
	if j := c.find(key.String()); j != nil {
		return j, nil
	}
	return nil, illegal(quartz.ErrJobNotFound)
}

// GetScheduledJob is quartz.Scheduler.
func (c *clock) GetScheduledJob(key *quartz.JobKey) (quartz.ScheduledJob, error) { return c.job(key) }

// DeleteJob is quartz.Scheduler.
func (c *clock) DeleteJob(key *quartz.JobKey) error {
	j, err := c.job(key)
	if err == nil {
		c.stop(j)
		c.keep(key.String(), nil)
	}
	return err
}

// PauseJob is quartz.Scheduler.
func (c *clock) PauseJob(key *quartz.JobKey) error {
	j, err := c.job(key)
	if err != nil {
		return err
	}
	if _, timer, _ := c.timing(j); timer == nil {
		return illegal(quartz.ErrJobIsSuspended)
	}
	c.stop(j)
	return nil
}

// ResumeJob is quartz.Scheduler.
func (c *clock) ResumeJob(key *quartz.JobKey) error {
	j, err := c.job(key)
	if err != nil {
		return err
	}
	if _, timer, _ := c.timing(j); timer != nil {
		return illegal(quartz.ErrJobIsActive)
	}
	next, err := j.trigger.NextFireTime(time.Now().UnixNano())
	if err != nil { // the framework loses the job then
		c.keep(key.String(), nil)
		return err
	}
	c.set(key.String(), j, next)
	return nil
}

// Clear is quartz.Scheduler.
func (c *clock) Clear() error {
	c.mu.Lock()
	jobs := c.jobs
	c.jobs = map[string]*job{}
	c.mu.Unlock()
	for _, j := range jobs {
		c.stop(j)
	}
	return nil
}

// illegal is the error of the framework's scheduler.
func illegal(err error) error { return fmt.Errorf("%w: %w", quartz.ErrIllegalState, err) }
