package target

import (
	"context"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// Made looks for a way with messages as the driver makes them (system.Start.Made). It is for those whose first way
// could not be written as a test, since nobody but the driver can make its messages. Their number and their order are
// searched for, by probes and by chance. It concludes nothing where it finds none.
func (e *Engine) Made(ctx context.Context, made *system.Start, t *Target, c Config) (*Answer, error) {
	c, err := c.defaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	e.start, e.target, e.config = made, t, c
	e.answer = &Answer{Verdict: GaveUp, Why: "no messages as the driver makes them that were tried lead there"}
	if e.assume, err = e.assumes(ctx, c); err != nil {
		return nil, err
	}
	if e.probe(ctx); e.answer.Verdict != Found {
		e.wander(ctx)
	}
	return e.answer, nil
}
