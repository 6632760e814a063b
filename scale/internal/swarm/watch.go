package swarm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

const (
	lookEvery    = 50 * time.Millisecond // at the depth of the queue
	quietFor     = 2 * time.Second       // after which tasks are looked for that the queue lost
	announceEach = time.Second
	askWorkers   = 2 * time.Second // how they are
	askNobody    = time.Second / 5 // the same, where nobody was there
	answerSoon   = 2 * time.Second // else it is asked later, and others are heard meanwhile
	tellAway     = 5 * time.Second // that the server is
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
	away    time.Time // since when the server is; zero: it is there
	said    bool      // that it is away
}

func newWatch(j *streams.Job) watch { return watch{job: j, heard: time.Now()} }

// look does that of it for which it is time. fresh: the depth was read. lost: nobody has a task, and the queue has
// none; if some have no result, a server lost what it had acknowledged.
func (w *watch) look(ctx context.Context) (fresh, lost bool, err error) {
	now := time.Now()
	if w.isAway(now) {
		return false, false, nil
	}
	if err := w.keepUp(ctx, now); err != nil || now.Sub(w.looked) < lookEvery {
		return false, false, err
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

// isAway reports whether there is no connection. Then nothing is asked, which would take its time. People are told.
func (w *watch) isAway(now time.Time) bool {
	switch {
	case w.job.Connected():
		if w.said {
			w.workers.tell(fmt.Sprintf("job %s: the server is there again", w.job.Name()))
		}
		w.away, w.said = time.Time{}, false
		return false
	case w.away.IsZero():
		w.away = now
	case !w.said && now.Sub(w.away) > tellAway:
		w.said = true
		w.workers.tell(fmt.Sprintf("job %s: there is no connection to the server: it is waited for", w.job.Name()))
	}
	return true
}

// keepUp tells that the job is there, and asks who works at it.
func (w *watch) keepUp(ctx context.Context, now time.Time) error {
	if now.Sub(w.told) > announceEach {
		w.told = now
		if err := w.job.Announce(); patient(err) != nil {
			return err
		}
	}
	every := askWorkers
	if w.workers.alive == 0 {
		every = askNobody // it is told how many there are
	}
	if now.Sub(w.asked) <= every {
		return nil
	}
	w.asked = now
	ctx, cancel := context.WithTimeout(ctx, answerSoon)
	defer cancel()
	return patient(w.workers.look(ctx, w.job, now))
}

// patient leaves out that a server does not answer: it may come back, and the streams wait for it.
func patient(err error) error {
	if streams.Passing(err) && !errors.Is(err, streams.ErrLost) {
		return nil
	}
	return err
}
