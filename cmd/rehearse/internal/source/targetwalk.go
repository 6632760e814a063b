package source

import (
	"context"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// walks executes drivers as they are, since a way that was found is none, or no test can be written of it.
func (r *targetRun) walks(ctx context.Context, a *targetAnswer, starts []concern, t *target.Target, at *reachtest.Line, id string, left time.Duration, take func(*targetAnswer, *reachtest.Job) (bool, error)) error {
	began := time.Now()
	for i, of := range starts {
		c := r.config
		c.Timeout = max((left-time.Since(began))/time.Duration(len(starts)-i), time.Millisecond)
		r.conditions(&c, of.start)
		found, err := r.engine.Walked(ctx, of.start, of.in(t), c)
		if err != nil {
			return err
		}
		if found.Verdict != target.Found {
			continue
		}
		d := toldDriver{Driver: r.place(of.start.Driver), Model: c.Model.String()}
		taken, err := r.found(a, &d, found.Way, at, id, take)
		if err != nil || taken {
			a.Drivers = append(a.Drivers, d)
			return err
		}
	}
	return nil
}
