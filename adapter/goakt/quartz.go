package goakt

import (
	"context"
	"fmt"
	"time"

	"github.com/reugn/go-quartz/quartz"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file stands in for the scheduler behind ActorSystem.Schedule and ScheduleOnce. The framework's own is a goroutine
// with one timer for all. Here each message has a timer of the bubble, which is known to be set.

// clock is quartz.Scheduler.
type clock struct {
	system *system
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
	name := detail.JobKey().String()
	if c.jobs[name] != nil {
		return illegal(quartz.ErrJobAlreadyExists)
	}
	j := &job{detail: detail, trigger: trigger}
	next, err := trigger.NextFireTime(time.Now().UnixNano())
	if err != nil {
		return err
	}
	c.jobs[name] = j
	c.set(name, j, next)
	return nil
}

// set sets the timer of a job.
func (c *clock) set(name string, j *job, next int64) {
	rt := c.system.rt
	j.next, j.known = next, rt.SetTimer()
	j.timer = time.AfterFunc(time.Duration(next-time.Now().UnixNano()), func() { c.fire(name, j) })
}

// fire sends the message of a job.
func (c *clock) fire(name string, j *job) {
	rt := c.system.rt
	if !rt.Exploring() {
		return
	}
	rt.FireTimer(j.known)
	if next, err := j.trigger.NextFireTime(j.next); err == nil {
		defer c.set(name, j, next)
	} else {
		delete(c.jobs, name)
	}
	_ = j.detail.Job().Execute(context.Background())
}

// stop stops the timer of a job.
func (c *clock) stop(j *job) {
	if j.timer != nil && j.timer.Stop() {
		c.system.rt.DropTimer(j.known)
	}
	j.timer = nil
}

// GetJobKeys is quartz.Scheduler.
func (c *clock) GetJobKeys(matchers ...quartz.Matcher[quartz.ScheduledJob]) (keys []*quartz.JobKey, err error) {
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
	if j := c.jobs[key.String()]; j != nil {
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
		delete(c.jobs, key.String())
	}
	return err
}

// PauseJob is quartz.Scheduler.
func (c *clock) PauseJob(key *quartz.JobKey) error {
	j, err := c.job(key)
	if err != nil {
		return err
	}
	if j.timer == nil {
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
	if j.timer != nil {
		return illegal(quartz.ErrJobIsActive)
	}
	next, err := j.trigger.NextFireTime(time.Now().UnixNano())
	if err != nil { // the framework loses the job then
		delete(c.jobs, key.String())
		return err
	}
	c.set(key.String(), j, next)
	return nil
}

// Clear is quartz.Scheduler.
func (c *clock) Clear() error {
	for name, j := range c.jobs {
		c.stop(j)
		delete(c.jobs, name)
	}
	return nil
}

// illegal is the error of the framework's scheduler.
func illegal(err error) error { return fmt.Errorf("%w: %w", quartz.ErrIllegalState, err) }
