package swarm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
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

// refusedFor is how long an agent does not look again at a job that it could not work at: a disk may have room again,
// or somebody vouch for it.
const refusedFor = 3 * time.Minute

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
	End      time.Duration // see endWithin; 0: that
	Only     string        // the job that it serves; "": all
	counts   struct{ tasks, executions atomic.Int64 }
}

// named is a job.
type named struct{ job, id string }

// Serve executes tasks of the jobs of a server, one job after the other, until ctx is done. An error of a job is
// logged, and told on the server: the next job may be one that can be executed here.
func (a *Agent) Serve(ctx context.Context, nc *nats.Conn) error {
	f := &finder{Agent: a, nc: nc, announced: make(chan named, 1)}
	cancel, err := streams.OnAnnounce(nc, f.announce)
	if err != nil {
		return err
	}
	defer cancel()
	f.look = time.NewTimer(0)
	defer f.look.Stop()
	for {
		job := f.next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		f.serving.Store(job)
		served, err := a.serveEpochs(ctx, nc, job, f.another)
		f.serving.Store(named{})
		refused := err != nil && ctx.Err() == nil && !passing(err)
		if refused {
			f.refused.Store(job, time.Now())
			a.log(err.Error())
		}
		missed := gone(err) && ctx.Err() == nil // it was over before this machine could begin
		if missed {
			a.log(fmt.Sprintf("job %s: over before anything could be executed here", job.job))
		}
		if a.Once && (served || (refused || missed) && a.Only != "") {
			return unlessGone(err)
		}
	}
}

// passing reports whether an error says nothing against the job: the server did not answer, or the job is no more.
func passing(err error) bool { return gone(err) || streams.Passing(err) }

// finder finds jobs for an agent, which is given one at a time.
type finder struct {
	*Agent
	nc        *nats.Conn
	announced chan named
	look      *time.Timer  // for those that nobody announces
	found     []named      // by that
	serving   atomic.Value // named
	refused   sync.Map     // when, by named
}

// announce takes note of a job. It is called from another goroutine.
func (f *finder) announce(job, id string) {
	if n := (named{job, id}); n != f.serving.Load() && f.wants(n) {
		select {
		case f.announced <- n:
		default: // one at a time
		}
	}
}

func (f *finder) wants(n named) bool {
	when, refused := f.refused.Load(n)
	return (!refused || time.Since(when.(time.Time)) > refusedFor) && (f.Only == "" || f.Only == n.job)
}

// another reports whether another job waits.
func (f *finder) another() bool { return len(f.announced) > 0 }

// next waits for a job, until ctx is done.
func (f *finder) next(ctx context.Context) named {
	for {
		select {
		case job := <-f.announced:
			if f.wants(job) {
				return job
			}
			continue
		default:
		}
		if len(f.found) > 0 { // one of them may be stopped: the others come before it is looked at again
			job := f.found[0]
			if f.found = f.found[1:]; f.wants(job) {
				return job
			}
			continue
		}
		select {
		case <-ctx.Done():
			return named{}
		case job := <-f.announced:
			if f.wants(job) {
				return job
			}
		case <-f.look.C:
			f.look.Reset(lookForJobs)
			f.list(ctx)
		}
	}
}

// list looks for jobs that have tasks.
func (f *finder) list(ctx context.Context) {
	list, err := streams.List(ctx, f.nc)
	if err != nil && ctx.Err() == nil {
		f.log(err.Error())
	}
	for _, i := range list {
		if n := (named{i.Job, i.ID}); f.wants(n) && i.Whole && i.Tasks > 0 {
			f.found = append(f.found, n)
		}
	}
}

// gone reports whether an error says that the job is no more: it was finished, or lost, which its coordinator tells.
func gone(err error) bool { return errors.Is(err, streams.ErrLost) || errors.Is(err, streams.ErrNoJob) }

func unlessGone(err error) error {
	if gone(err) {
		return nil
	}
	return err
}

func (a *Agent) log(line string) {
	if a.Log != nil {
		a.Log(line)
	}
}

// nextEpoch is how long an agent waits, the nth time, for the record of the epoch of a task. That was there before the
// task was. A server may have lost it, and whoever can publish may name an epoch that never comes.
func nextEpoch(n int) time.Duration { return 100 * time.Millisecond << min(n, 5) }

// serveEpochs is serveJob, again whenever a coordinator has begun another epoch.
func (a *Agent) serveEpochs(ctx context.Context, nc *nats.Conn, job named, another func() bool) (bool, error) {
	for n := 0; ; n++ {
		served, err := a.serveJob(ctx, nc, job, another)
		if !errors.Is(err, errOtherEpoch) {
			return served, err
		}
		select {
		case <-ctx.Done():
			return served, nil
		case <-time.After(nextEpoch(n)):
		}
	}
}

// serveJob executes tasks of a job until that is over, or until it has none for some time, and another job is there.
// served: some could have been executed.
func (a *Agent) serveJob(ctx context.Context, nc *nats.Conn, job named, another func() bool) (served bool, err error) {
	j, err := streams.Open(ctx, nc, job.job, job.id)
	if err != nil {
		return false, err
	}
	defer j.Close()
	if _, stopped, err := j.Stopped(ctx); err != nil || stopped {
		return false, err
	}
	s, err := readSeal(ctx, j)
	if err != nil || s == nil {
		return false, err
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	var beating sync.WaitGroup
	beating.Go(func() { a.beat(within, j) }) // also while it fetches: others may have failed
	r, b, err := a.fetch(ctx, j, s)
	if err == nil {
		a.log(fmt.Sprintf("job %s: %s, processes: %d", job.job, r.about(b.Manifest), a.Hands))
		served, err = true, a.workAll(within, work{j, r, b, s.number(), ctx}, another)
		a.log(fmt.Sprintf("job %s: over", job.job))
	}
	cancel()
	beating.Wait()
	last, done := lasting(within, j, ctx)
	defer done()
	switch {
	case errors.Is(err, errOtherEpoch): // it is about to serve that
	case err != nil && ctx.Err() == nil && !passing(err):
		_ = a.tell(last, j, err) // it is logged, and told again by the next attempt
	default:
		soon, done := context.WithTimeout(last, answerSoon)
		defer done()
		_ = j.Bye(soon, a.Name) // it is forgotten soon
	}
	return served, err
}

// work is what hands work at.
type work struct {
	job    *streams.Job
	record *record
	bundle *bundle.Bundle
	epoch  int             // number of that of the record
	ends   context.Context // done when the agent is to end
}

// workAll has all hands work at a job. It ends when each of them has.
func (a *Agent) workAll(ctx context.Context, w work, another func() bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop, err := w.job.WatchStop(ctx)
	if err != nil {
		return err
	}
	crew := crew{ended: make(chan struct{}), within: cmp.Or(a.End, endWithin)}
	var running, hands sync.WaitGroup
	running.Go(func() {
		<-stop // or ctx is done
		cancel()
		crew.stop()
	})
	running.Go(func() {
		if crew.forsaken(ctx, another) {
			cancel()
		}
	})
	errs := make([]error, a.Hands)
	for i := range errs {
		hands.Go(func() {
			if errs[i] = a.work(ctx, w, &crew); errs[i] != nil {
				cancel()
			}
		})
	}
	hands.Wait()
	close(crew.ended)
	cancel()
	running.Wait()
	return errors.Join(slices.DeleteFunc(errs, gone)...)
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
			return nil, nil, fmt.Errorf("job %s: %w", j.Name(), err)
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
	for silent := false; ; {
		err := a.tell(ctx, j, nil)
		if err != nil && !silent && ctx.Err() == nil && !gone(err) {
			a.log(err.Error()) // once, until it succeeds: a server may be away for a night
		}
		silent = err != nil
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// tell says what the agent is at, and why it does not go on if it does not.
func (a *Agent) tell(ctx context.Context, j *streams.Job, failed error) error {
	me := about{Host: host(), Hands: a.Hands, Tasks: a.counts.tasks.Load(), Executions: a.counts.executions.Load()}
	if failed != nil {
		me.Failed = fmt.Sprintf("%.2000s", failed.Error())
	}
	data, err := json.Marshal(me)
	if err == nil {
		err = j.Beat(ctx, a.Name, data)
	}
	return err
}
