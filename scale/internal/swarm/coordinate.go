package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// Run is one run of a test binary whose explorations are shared among machines.
type Run struct {
	Manifest *bundle.Manifest
	Pack     func(io.Writer) error // the bundle with the manifest
	Binary   string                // that runs here, and asks for the explorations
	Args     []string              // of it
	Dir      string                // it runs in
	Env      []string              // it has
	Sign     string                // file of a seed; "": nobody vouches for jobs
	Streams  streams.Options
	Job      string    // its name, "" if that is made; further explorations of the run have numbers behind it
	Out, Err io.Writer // of the binary
	Progress *Progress

	explorations int           // so far
	othersRead   time.Duration // see there; 0: that
}

// Explorations is how many the binary has asked for.
func (r *Run) Explorations() int { return r.explorations }

// Coordinate runs the binary and makes jobs of its explorations, until it has ended. It gives the exit code of the
// binary.
func (r *Run) Coordinate(ctx context.Context, nc *nats.Conn) (code int, err error) {
	cmd := exec.CommandContext(ctx, r.Binary, r.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, r.Out, r.Err
	p, err := child.Start(cmd, parallel.ElsewhereVariable)
	if err != nil {
		return 0, fmt.Errorf("the test binary cannot be started: %w", err)
	}
	asked := parallel.NewAsked(p.Line)
	var errs error
	for job := range asked.Jobs() {
		out, err := r.explore(ctx, nc, asked, job)
		errs = errors.Join(errs, err)
		_ = asked.End(out, err) // that nobody is there is seen below
	}
	p.HangUp()
	var exit *exec.ExitError
	if ctx.Err() != nil {
		_ = p.Wait()
		return 0, errors.New("interrupted")
	}
	if err := p.Wait(); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil // it has told of errors
	} else if err != nil {
		return 0, errors.Join(errs, fmt.Errorf("the test binary died: %w", err))
	}
	return 0, errs
}

// explore has one exploration made by whoever pulls its tasks.
func (r *Run) explore(ctx context.Context, nc *nats.Conn, asked *parallel.Asked, pj *parallel.Job) (parallel.Outcome,
	error) {
	r.explorations++
	rec := &record{Bundle: r.Manifest.Digest().String(), Job: *pj}
	j, epochs, err := r.open(ctx, nc, rec)
	if err != nil {
		return parallel.Failed(), err
	}
	me, err := j.Coordinate()
	if err != nil {
		return parallel.Failed(), err
	}
	defer me.Leave()
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped, err := r.stopOf(watching, j)
	if err != nil {
		return parallel.Failed(), err
	}
	strategy, err := strategies.New(pj.Header.Strategy, pj.Header.Seed, 0)
	if err != nil {
		return parallel.Failed(), err
	}
	divisible, ok := strategy.(explore.Divisible)
	if !ok {
		return parallel.Failed(), fmt.Errorf("strategy %s cannot be divided", strategy.Name())
	}
	t := newTransport(ctx, j, epochs)
	t.alone = me.Alone
	t.watch.workers.say = r.Progress.say
	c := asked.Config(pj, strategies.Limited(divisible, pj.Executions))
	watch, ends := c.Watch, c.Stop
	c.Watch = func(open, found int, estimate parallel.Estimator) {
		r.Progress.items(open, found, estimate, t)
		watch(open, found, estimate)
	}
	c.Stop = func(n *explore.Counters) bool {
		r.Progress.tick(n)
		return ends(n) || stopped()
	}
	r.Progress.begin(j, pj.Header.Call)
	out, err := parallel.Run(c, t)
	out.Tasks = t.answers
	r.Progress.end(&out)
	return out, r.end(ctx, j, me, out.Exhausted || out.Reason == "found", err)
}

// stopOf reports, when it is called, whether the job was told to stop, until ctx is done.
func (r *Run) stopOf(ctx context.Context, j *streams.Job) (func() bool, error) {
	var stopped atomic.Bool
	var stop <-chan string
	if err := r.persistently(ctx, func(context.Context) (err error) {
		stop, err = j.WatchStop(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	go func() {
		// A job that is lost is one that was not stopped: whoever reads its results is told.
		if _, ok := <-stop; ok && !errors.Is(j.Check(ctx), streams.ErrLost) {
			stopped.Store(true)
		}
	}()
	return stopped.Load, nil
}

// How long a server may take for what a job begins with: the first attempt, each further one twice as long, and all.
const (
	firstAttempt = 30 * time.Second
	lastAttempt  = 8 * time.Minute
)

// errRemovedNow says that somebody has removed a job since it was found.
var errRemovedNow = errors.New("another process has removed it at this moment")

// overtaken reports whether an error says that another process was quicker.
func overtaken(err error) bool {
	return errors.Is(err, streams.ErrStale) || errors.Is(err, streams.ErrExists) || errors.Is(err, errRemovedNow)
}

// persistently tries again while the server does not answer, or another coordinator was quicker, and says so.
func (r *Run) persistently(ctx context.Context, f func(context.Context) error) error {
	for within := firstAttempt; ; within *= 2 {
		one, cancel := context.WithTimeout(ctx, within)
		err := f(one)
		cancel()
		again := streams.Passing(err) && !errors.Is(err, streams.ErrLost) || overtaken(err)
		if !again || ctx.Err() != nil || within > lastAttempt {
			return err
		}
		r.Progress.say(err.Error() + ": trying again")
		select {
		case <-ctx.Done():
		case <-time.After(time.Second / 2):
		}
	}
}

// open gives the job of an exploration, and its epochs, as soon as the server answers.
func (r *Run) open(ctx context.Context, nc *nats.Conn, rec *record) (j *streams.Job, epochs []epoch, err error) {
	err = r.persistently(ctx, func(ctx context.Context) (err error) {
		if j, err = r.job(ctx, nc, rec); err != nil {
			return err
		}
		defer func() {
			if errors.Is(err, streams.ErrLost) { // it was whole
				err = fmt.Errorf("job %s: %w", j.Name(), errRemovedNow)
			}
		}()
		epochs, err = publishRecord(ctx, j, rec, r.Pack, func(vouched string) (*bundle.Signature, error) {
			if r.Sign == "" {
				return nil, nil
			}
			return bundle.Sign(r.Sign, vouched, r.Manifest.Digest())
		})
		if err != nil {
			return err
		}
		_, stopped, err := j.Stopped(ctx)
		if err == nil && stopped { // of an earlier run
			err = j.Resume(ctx)
		}
		return err
	})
	return j, epochs, err
}

// beingMade is how long a job may lack something until it is taken for one that is lost. Another coordinator of the
// same command may be making it.
const beingMade = 2 * time.Second

// job gives the job of an exploration: that of an earlier run, or a new one.
func (r *Run) job(ctx context.Context, nc *nats.Conn, rec *record) (*streams.Job, error) {
	name := rec.jobName()
	if r.Job != "" {
		if name = r.Job; r.explorations > 1 {
			name = fmt.Sprintf("%s-%d", r.Job, r.explorations)
		}
	}
	j, err := streams.Open(ctx, nc, name, "")
	for began := time.Now(); errors.Is(err, streams.ErrLost) && time.Since(began) < beingMade; {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(beingMade / 20):
			j, err = streams.Open(ctx, nc, name, "")
		}
	}
	switch {
	case errors.Is(err, streams.ErrLost):
		r.Progress.say(err.Error() + ": it begins anew")
		if err := streams.Delete(ctx, nc, name); err != nil {
			return nil, err
		}
		fallthrough
	case errors.Is(err, streams.ErrNoJob):
		j, err = streams.Create(ctx, nc, name, r.Streams)
	}
	return j, err
}
