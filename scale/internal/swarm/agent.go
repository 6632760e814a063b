package swarm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// leastWork is how long a task is worked at before it is divided. mostWork is how long at most: so much is lost when a
// machine dies.
const (
	leastWork = 100 * time.Millisecond
	mostWork  = 10 * time.Second
)

// lookForJobs is how often an agent without a job looks for one. Most are announced.
const lookForJobs = 30 * time.Second

// Agent executes tasks on a machine. Its fields are set before Serve.
type Agent struct {
	Name     string   // of this agent on the server, unlike any other: letters, digits, - and _
	Hands    int      // processes
	Cache    string   // folder of bundles
	Trust    []string // public keys, one of which must vouch for a job; empty: whoever may write to the server is trusted
	Tool     string   // version of Rehearse
	Limits   bundle.Limits
	Patience time.Duration // a process that works at a task for so long is killed; 0: never
	Log      func(string)  // gets a line when something happens; nil: nobody
	Once     bool          // serve one job, and return
	Most     time.Duration // see mostWork; 0: that
	Only     string        // the job that it serves; "": all
	counts   struct{ tasks, executions atomic.Int64 }
	serving  atomic.Value // named
}

// named is a job.
type named struct{ job, id string }

// about is what an agent tells of itself.
type about struct {
	Hands      int    `json:"hands"`
	Tasks      int64  `json:"tasks"`
	Executions int64  `json:"executions"`
	Failed     string `json:"failed,omitempty"`
}

// Serve executes tasks of the jobs of a server, one job after the other, until ctx is done. An error of a job is
// logged, and told on the server: the next job may be one that can be executed here.
func (a *Agent) Serve(ctx context.Context, nc *nats.Conn) error {
	jobs := make(chan named, 1)
	a.serving.Store(named{})
	cancel, err := streams.OnAnnounce(nc, func(job, id string) {
		if n := (named{job, id}); n != a.serving.Load() && a.wants(job) {
			select {
			case jobs <- n:
			default: // one at a time
			}
		}
	})
	if err != nil {
		return err
	}
	defer cancel()
	look := time.NewTimer(0)
	defer look.Stop()
	refused := map[named]bool{}
	for {
		var job named
		select {
		case <-ctx.Done():
			return nil
		case job = <-jobs:
		case <-look.C:
			look.Reset(lookForJobs)
			list, err := streams.List(ctx, nc)
			if err != nil {
				a.log(err.Error())
				continue
			}
			for _, i := range list {
				if n := (named{i.Job, i.ID}); a.wants(i.Job) && i.Whole && i.Finished.IsZero() && i.Tasks > 0 && !refused[n] {
					job = n
					break
				}
			}
		}
		if job.job == "" || refused[job] {
			continue
		}
		a.serving.Store(job)
		served, err := a.serveJob(ctx, nc, job, func() bool { return len(jobs) > 0 })
		a.serving.Store(named{})
		if err != nil && ctx.Err() == nil && !gone(err) && !streams.Passing(err) {
			refused[job] = true
			a.log(err.Error())
		}
		if a.Once && served {
			return err
		}
	}
}

func (a *Agent) wants(job string) bool { return a.Only == "" || a.Only == job }

// gone reports whether an error says that the job is no more: it was finished, or lost, which its coordinator tells.
func gone(err error) bool { return errors.Is(err, streams.ErrLost) || errors.Is(err, streams.ErrNoJob) }

func (a *Agent) log(line string) {
	if a.Log != nil {
		a.Log(line)
	}
}

// serveJob executes tasks of a job until that is over, or until it has none for some time, and another job is there.
// served: some could have been executed.
func (a *Agent) serveJob(ctx context.Context, nc *nats.Conn, job named, another func() bool) (served bool, err error) {
	j, err := streams.Open(ctx, nc, job.job, job.id)
	if err != nil {
		return false, err
	}
	if _, stopped, err := j.Stopped(ctx); err != nil || stopped {
		return false, err
	}
	s, err := readSeal(ctx, j)
	if err != nil || s == nil {
		return false, err
	}
	r, b, err := a.fetch(ctx, j, s)
	if err != nil {
		a.tell(ctx, j, err)
		return false, err
	}
	a.log(fmt.Sprintf("job %s: %s, %d processes", job.job, r.about(b.Manifest), a.Hands))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop, err := j.WatchStop(ctx)
	if err != nil {
		return false, err
	}
	var crew crew
	var running sync.WaitGroup
	running.Go(func() {
		if _, ok := <-stop; ok {
			crew.stop()
			cancel()
		}
	})
	running.Go(func() { a.beat(ctx, j) })
	running.Go(func() {
		if crew.forsaken(ctx, another) {
			cancel()
		}
	})
	errs := make(chan error, a.Hands)
	for range a.Hands {
		running.Go(func() {
			err := a.work(ctx, j, r, b, &crew)
			if err != nil {
				cancel()
			}
			errs <- err
		})
	}
	for range a.Hands {
		if e := <-errs; !gone(e) {
			err = errors.Join(err, e)
		}
	}
	cancel()
	running.Wait()
	a.log(fmt.Sprintf("job %s: over", job.job))
	if err != nil {
		a.tell(context.WithoutCancel(ctx), j, err)
	} else {
		_ = j.Bye(context.WithoutCancel(ctx), a.Name) // it is forgotten soon
	}
	return true, err
}

// fetch gives what a job is about and what runs it, if this agent may.
func (a *Agent) fetch(ctx context.Context, j *streams.Job, s *seal) (*record, *bundle.Bundle, error) {
	r, err := fetchRecord(ctx, j, s)
	if err != nil {
		return nil, nil, err
	}
	digest, err := bundle.ParseDigest(r.Bundle)
	if err != nil {
		return nil, nil, err
	}
	if len(a.Trust) > 0 { // before anything of it is fetched
		if err := bundle.Verify(a.Trust, vouched(j.Name(), s.Record), digest, s.Signature); err != nil {
			return nil, nil, err
		}
	}
	b, err := bundle.Open(a.Cache, digest)
	if err != nil {
		err = j.GetFile(ctx, bundleFile, func(from io.Reader) (err error) {
			b, err = bundle.Unpack(from, a.Cache, digest, a.Limits)
			return err
		})
	}
	if err != nil {
		return nil, nil, err
	}
	return r, b, b.Manifest.RunsOn(runtime.GOOS, runtime.GOARCH, a.Tool)
}

// beat says that the agent is alive, until ctx is done.
func (a *Agent) beat(ctx context.Context, j *streams.Job) {
	every := time.NewTicker(j.Alive() / 3)
	defer every.Stop()
	for {
		a.tell(ctx, j, nil)
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// tell says what the agent is at, and why it does not go on if it does not.
func (a *Agent) tell(ctx context.Context, j *streams.Job, failed error) {
	me := about{Hands: a.Hands, Tasks: a.counts.tasks.Load(), Executions: a.counts.executions.Load()}
	if failed != nil {
		me.Failed = fmt.Sprintf("%.2000s", failed.Error())
	}
	data, err := json.Marshal(me)
	if err == nil {
		err = j.Beat(ctx, a.Name, data)
	}
	if err != nil && ctx.Err() == nil && !gone(err) {
		a.log(err.Error())
	}
}

// crew are the hands of an agent that work at a job.
type crew struct {
	mu      sync.Mutex
	hands   []hand
	stopped bool
	busy    int       // hands that have a task
	since   time.Time // when that became so few
}

// idleFor is how long a job may have no tasks before its agents look at another one.
const idleFor = 3 * time.Second

// works says that a hand has a task, or that it has none any more.
func (c *crew) works(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy += n
	c.since = time.Now()
}

// forsaken waits until nobody has had a task for some time while another job is there; false: the job was over before.
func (c *crew) forsaken(ctx context.Context, another func() bool) bool {
	look := time.NewTicker(idleFor / 3)
	defer look.Stop()
	c.works(0)
	for {
		select {
		case <-ctx.Done():
			return false
		case now := <-look.C:
			c.mu.Lock()
			idle := c.busy == 0 && now.Sub(c.since) > idleFor
			c.mu.Unlock()
			if idle && another() {
				return true
			}
		}
	}
}

func (c *crew) join(h hand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hands = append(c.hands, h)
	if c.stopped {
		h.Stop()
	}
}

// stop has them answer with what they have.
func (c *crew) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	for _, h := range c.hands {
		h.Stop()
	}
}
