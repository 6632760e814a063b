package swarm

import (
	"context"
	"errors"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

const (
	lookEvery    = 50 * time.Millisecond // at the depth of the queue
	quietFor     = 2 * time.Second       // after which tasks are looked for that the queue lost
	announceEach = time.Second
	askWorkers   = 2 * time.Second // how they are
	answerSoon   = 2 * time.Second // else it is asked later, and others are heard meanwhile
)

// watch is what a coordinator does beside reading results: it has agents know of the job, and looks how they and the
// queue are.
type watch struct {
	job     *streams.Job
	workers workers
	depth   streams.Depth
	looked  time.Time // at the queue
	heard   time.Time // of a result, or of a task in the queue
	told    time.Time // that the job is there
	asked   time.Time // how workers are
}

func newWatch(j *streams.Job) watch { return watch{job: j, heard: time.Now()} }

// look does that of it for which it is time. fresh: the depth was read. lost: nobody has a task, and the queue has
// none; if some have no result, a server lost what it had acknowledged.
func (w *watch) look(ctx context.Context) (fresh, lost bool, err error) {
	now := time.Now()
	if now.Sub(w.told) > announceEach {
		w.told = now
		if err := w.job.Announce(); patient(err) != nil {
			return false, false, err
		}
	}
	if now.Sub(w.asked) > askWorkers {
		w.asked = now
		bounded, cancel := context.WithTimeout(ctx, answerSoon)
		defer cancel()
		if err := w.workers.look(bounded, w.job, w.depth.InProgress); patient(err) != nil {
			return false, false, err
		}
	}
	if now.Sub(w.looked) < lookEvery {
		return false, false, nil
	}
	w.looked = now
	bounded, cancel := context.WithTimeout(ctx, answerSoon)
	defer cancel()
	depth, err := w.job.Depth(bounded)
	if err != nil {
		return false, false, patient(err)
	}
	w.depth = depth
	if depth.Pending+depth.InProgress > 0 {
		w.heard = now
	} else if now.Sub(w.heard) > quietFor {
		w.heard = now
		return true, true, nil
	}
	return true, false, nil
}

// patient leaves out that a server does not answer: it may come back, and the streams wait for it.
func patient(err error) error {
	if streams.Passing(err) && !errors.Is(err, streams.ErrLost) {
		return nil
	}
	return err
}
