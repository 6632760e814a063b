package swarm

import (
	"context"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// workers is what a coordinator knows of the agents.
type workers struct {
	say    func(string) // nil: nobody wants to know
	alive  int          // that work, or could
	failed map[string]string
	nobody int // how often in a row nobody was alive, and some had failed
}

// surelyNobody is how often in a row nobody must be alive until a task that is being executed does not count: whoever
// gives one back leaves it as such.
const surelyNobody = 2

// look asks who is alive. Who cannot do what the job needs says why, and is told of once. If nobody else is there, the
// exploration would not go on: that is an error.
func (w *workers) look(ctx context.Context, j *streams.Job, inProgress int) error {
	list, err := j.Workers(ctx)
	if err != nil {
		return err
	}
	if w.failed == nil {
		w.failed = map[string]string{}
	}
	w.alive = 0
	var failures []error
	for _, one := range list {
		me := about{}
		if strictly(one.Data, &me) != nil || me.Failed == "" {
			w.alive++
			continue
		}
		failures = append(failures, fmt.Errorf("worker %s: %s", one.Name, me.Failed))
		if w.failed[one.Name] != me.Failed && w.say != nil {
			w.say(fmt.Sprintf("worker %s does nothing for it: %s", one.Name, me.Failed))
		}
		w.failed[one.Name] = me.Failed
	}
	if w.alive > 0 || len(failures) == 0 {
		w.nobody = 0
		return nil
	}
	if w.nobody++; inProgress > 0 && w.nobody < surelyNobody {
		return nil
	}
	return errors.Join(failures...)
}
