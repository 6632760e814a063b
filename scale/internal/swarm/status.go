package swarm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// Status is how far a job is. A machine is a host, on which several workers may be. One that was killed counts for
// streams.DefaultAlive more; one that has ended does not.
type Status struct {
	Job        string    `json:"job"`
	State      string    `json:"state"` // open, stopped, damaged, of another version
	Made       time.Time `json:"made"`
	Results    int       `json:"results"`
	Waiting    int       `json:"waiting"` // tasks
	AtWork     int       `json:"at_work"` // tasks
	Machines   int       `json:"machines"`
	Processes  int       `json:"processes"`
	Executions int64     `json:"executions"` // by the machines that are alive, since they began
	Bytes      int64     `json:"bytes"`      // on the server
	Failed     []string  `json:"failed,omitempty"`
}

// StatusOf tells of all jobs of a server, or of the one that has the name.
func StatusOf(ctx context.Context, nc *nats.Conn, job string) ([]Status, error) {
	list, err := streams.List(ctx, nc)
	if err != nil {
		return nil, err
	}
	var all []Status
	for _, i := range list {
		if job != "" && job != i.Job {
			continue
		}
		one := Status{Job: i.Job, State: "open", Made: i.Made, Results: i.Results, Waiting: i.Tasks, Bytes: i.Bytes}
		if i.Foreign {
			one.State = "of another version"
		} else if !i.Whole {
			one.State = "damaged"
		} else if err := one.look(ctx, nc, i.ID); err != nil && !errors.Is(err, streams.ErrLost) {
			return nil, err
		}
		all = append(all, one)
	}
	if job != "" && len(all) == 0 {
		return nil, fmt.Errorf("%s: %w: `rehearse swarm status` lists those that it has", job, streams.ErrNoJob)
	}
	return all, nil
}

// look adds what only the job itself knows.
func (s *Status) look(ctx context.Context, nc *nats.Conn, id string) error {
	j, err := streams.Open(ctx, nc, s.Job, id)
	if err != nil {
		return err
	}
	if _, stopped, err := j.Stopped(ctx); err != nil {
		return err
	} else if stopped {
		s.State = "stopped"
	}
	d, err := j.Depth(ctx)
	if err != nil {
		return err
	}
	s.Waiting, s.AtWork = d.Pending, d.InProgress
	list, err := j.Workers(ctx)
	on := machines{}
	for _, w := range list {
		me, ok := aboutOf(&w)
		if !ok {
			continue
		}
		if me.Failed != "" {
			s.Failed = append(s.Failed, fmt.Sprintf("worker %s: %s", w.Name, me.Failed))
			continue
		}
		on.add(&w, &me)
		s.Processes += me.Hands
		s.Executions += me.Executions
	}
	s.Machines = len(on)
	return err
}
