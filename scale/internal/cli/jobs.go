package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// askWithin is how long the server may take to answer a question.
const askWithin = time.Minute

// jobLine is what is told of a job.
type jobLine struct {
	Job      string     `json:"job"`
	Made     time.Time  `json:"made"`
	Finished *time.Time `json:"finished,omitempty"`
	Stopped  string     `json:"stopped,omitempty"` // why
	Tasks    int        `json:"tasks"`             // that wait or are executed
	Results  int        `json:"results"`
	Bytes    int64      `json:"bytes"`
	Workers  int        `json:"workers"` // machines
	Lost     bool       `json:"lost,omitempty"`
}

// tellStatus lists jobs.
func tellStatus(ctx context.Context, s command.Streams, r *statusRequest) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	nc, err := r.ask(ctx, s)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	list, err := streams.List(ctx, nc)
	if err != nil {
		return 0, err
	}
	var lines []jobLine
	for _, i := range list {
		if r.job == "" || r.job == i.Job {
			lines = append(lines, lineOf(ctx, nc, i))
		}
	}
	if r.job != "" && len(lines) == 0 {
		return 0, fmt.Errorf("there is no job %q: `rehearse swarm status` lists those that there are", r.job)
	}
	if r.json {
		enc := json.NewEncoder(s.Out)
		for _, l := range lines {
			if err := enc.Encode(l); err != nil {
				return 0, err
			}
		}
		return command.ExitOK, nil
	}
	return command.ExitOK, tellJobs(s, lines)
}

// lineOf asks what is to be told of a job. What cannot be learned, since it is being removed, is left out.
func lineOf(ctx context.Context, nc *nats.Conn, i streams.Info) jobLine {
	l := jobLine{Job: i.Job, Made: i.Made, Tasks: i.Tasks, Results: i.Results, Bytes: i.Bytes, Lost: !i.Whole}
	if !i.Finished.IsZero() {
		l.Finished = &i.Finished
	}
	j, err := streams.Open(ctx, nc, i.Job, i.ID)
	if err != nil {
		return l
	}
	if workers, err := j.Workers(ctx); err == nil {
		l.Workers = len(workers)
	}
	if why, stopped, err := j.Stopped(ctx); err == nil && stopped {
		l.Stopped = why
	}
	return l
}

func tellJobs(s command.Streams, lines []jobLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(s.Out, "no jobs")
		return err
	}
	t := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "job\tbegan\ttasks\tresults\tbytes\tmachines\t")
	for _, l := range lines {
		state := ""
		switch {
		case l.Lost:
			state = "not whole: it begins anew, or is removed with stop -discard"
		case l.Finished != nil:
			state = "finished"
		case l.Stopped != "":
			state = "stopped: " + l.Stopped
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", l.Job, l.Made.Local().Format(time.DateTime), l.Tasks, l.Results,
			l.Bytes, l.Workers, state)
	}
	return t.Flush()
}

// stopJob has the machines of a job end with what they have. The job stays, unless it is to be forgotten.
func stopJob(ctx context.Context, s command.Streams, r *stopRequest) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	nc, err := r.ask(ctx, s)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	j, err := streams.Open(ctx, nc, r.job, "")
	if err == nil {
		err = j.Stop(ctx, "`rehearse swarm stop`")
	}
	if r.discard {
		err = streams.Delete(ctx, nc, r.job) // one that is not whole too
	}
	if err != nil {
		return 0, err
	}
	return command.ExitOK, nil
}

// ask connects to ask something.
func (s *server) ask(ctx context.Context, to command.Streams) (*nats.Conn, error) {
	return connect(ctx, func(string) (o broker.ConnectOptions, err error) {
		o, err = s.reach()
		o.Wait = 0
		return o, err
	}, "question", logger(to.Err, "swarm"))
}
