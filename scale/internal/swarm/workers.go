package swarm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// workers is what a coordinator knows of the agents.
type workers struct {
	say    func(string) // nil: nobody wants to know
	alive  int          // that work, or could
	hosts  int          // of these
	failed map[string]string
	none   time.Time // since when there was nobody but those that failed; zero: there is somebody, or nobody has failed
	alone  time.Time // since when there was nobody at all; zero: there is somebody
	lonely bool      // that was said
}

// tellAlone is how long nobody may be there until people are told.
const tellAlone = 15 * time.Second

// othersCome is how long others may take to begin when those that are there have failed. A task that is being executed
// does not count: whoever gives one back leaves it as such. It is shorter than a failure is remembered.
const othersCome = time.Second

func (w *workers) tell(line string) {
	if w.say != nil {
		w.say(line)
	}
}

// tellAlone tells people that nobody works at the job, once each time.
func (w *workers) tellAlone(there int, j *streams.Job, now time.Time) {
	switch {
	case there > 0:
		w.alone, w.lonely = time.Time{}, false
	case w.alone.IsZero():
		w.alone = now
	case !w.lonely && now.Sub(w.alone) > tellAlone:
		w.lonely = true
		w.tell(fmt.Sprintf("job %s: nobody works at it: start `rehearse worker` on a machine, with the same server. Workers "+
			"that are busy with another job come when that has no tasks", j.Name()))
	}
}

// look asks who is alive. Who cannot do what the job needs says why, and is told of once. If nobody else is there, the
// exploration would not go on: that is an error.
func (w *workers) look(ctx context.Context, j *streams.Job, now time.Time) error {
	list, err := j.Workers(ctx)
	if err != nil {
		return err
	}
	if w.failed == nil {
		w.failed = map[string]string{}
	}
	w.alive = 0
	on := machines{}
	var failures []error
	for _, one := range list {
		me, _ := aboutOf(&one)
		if me.Failed == "" {
			w.alive++
			on.add(&one, &me)
			continue
		}
		failures = append(failures, fmt.Errorf("worker %s: %s", one.Name, me.Failed))
		if w.failed[one.Name] != me.Failed {
			w.tell(fmt.Sprintf("worker %s does nothing for it: %s", one.Name, me.Failed))
		}
		w.failed[one.Name] = me.Failed
	}
	w.hosts = len(on)
	w.tellAlone(len(list), j, now)
	switch {
	case w.alive > 0 || len(failures) == 0:
		w.none = time.Time{}
	case w.none.IsZero():
		w.none = now
	case now.Sub(w.none) > othersCome:
		return fmt.Errorf("job %s: nobody can work at it: %w", j.Name(), errors.Join(failures...))
	}
	return nil
}
