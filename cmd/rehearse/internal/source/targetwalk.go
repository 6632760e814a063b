package source

import (
	"context"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// otherwise looks for ways with messages as drivers make them, and then executes drivers as they are. A way that was
// found is none, or no test can be written of it.
func (r *targetRun) otherwise(ctx context.Context, a *targetAnswer, starts []concern, t *target.Target,
	at *reachtest.Line, id string, left time.Duration, take func(*targetAnswer, *reachtest.Job) (bool, error)) error {
	var again []concern
	if len(r.receptionists) == 0 {
		again = begunBy(starts, r.madeOf)
	}
	began := time.Now()
	taken, err := r.by(ctx, r.engine.Made, a, again, t, at, id, left/2, take)
	if err == nil && !taken {
		_, err = r.by(ctx, r.engine.Walked, a, starts, t, at, id, left-time.Since(began), take)
	}
	return err
}

// begunBy are the concerns of other starts, which of gives; nil is none.
func begunBy(starts []concern, of func(*system.Start) *system.Start) (others []concern) {
	for _, c := range starts {
		if c.start = of(c.start); c.start != nil {
			others = append(others, c)
		}
	}
	return others
}

// startsOf are starts that were made of others, which are made once.
type startsOf map[*system.Start]*system.Start

func (known *startsOf) of(s *system.Start, made func() *system.Start) *system.Start {
	if _, ok := (*known)[s]; !ok {
		if *known == nil {
			*known = startsOf{}
		}
		(*known)[s] = made()
	}
	return (*known)[s]
}

// oddOf is a start whose messages from outside are those that receptionists have no case for, the same one each time.
// It is nil if there are none.
func (r *targetRun) oddOf(s *system.Start) *system.Start {
	return r.odd.of(s, func() *system.Start { return r.system.Foreign(context.Background(), s) })
}

// unasked looks for a way with messages that receptionists have no case for.
func (r *targetRun) unasked(ctx context.Context, a *targetAnswer, starts []concern, t *target.Target,
	at *reachtest.Line, id string, take func(*targetAnswer, *reachtest.Job) (bool, error)) (taken bool, err error) {
	if r.isBounded() {
		return false, nil
	}
	probes := r.config.Probes
	defer func() { r.config.Probes = probes }()
	r.config.Probes = 1
	return r.by(ctx, r.engine.Made, a, begunBy(starts, r.oddOf), t, at, id, r.config.Timeout, take)
}

// madeOf is a start whose messages from outside are as the driver makes them, the same one each time; nil if there are
// none.
func (r *targetRun) madeOf(s *system.Start) *system.Start { return r.made.of(s, s.Made) }

// by has an engine look for a way from one driver after the other, and reports whether one was taken.
func (r *targetRun) by(ctx context.Context, find search, a *targetAnswer, starts []concern, t *target.Target,
	at *reachtest.Line, id string, left time.Duration,
	take func(*targetAnswer, *reachtest.Job) (bool, error)) (taken bool, err error) {
	began := time.Now()
	for i, of := range starts {
		c := r.config
		c.Timeout = max((left-time.Since(began))/time.Duration(len(starts)-i), time.Millisecond)
		r.conditions(&c, of.start)
		found, err := find(ctx, of.start, of.in(t), c)
		if err != nil {
			return false, err
		}
		if found.Verdict != target.Found {
			continue
		}
		d := toldDriver{Driver: r.place(of.start.Driver), Model: c.Model.String()}
		taken, err := r.found(a, &d, found.Way, at, id, take)
		if err != nil || taken {
			a.Drivers = append(a.Drivers, d)
			return taken, err
		}
	}
	return false, nil
}

// search is one of package target.
type search func(ctx context.Context, start *system.Start, t *target.Target, c target.Config) (*target.Answer, error)
