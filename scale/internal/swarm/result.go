package swarm

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// result is the answer to a task: a report, what came of targets, or why there will be none.
type result struct {
	Worker  string            `json:"worker"`
	Report  *parallel.Report  `json:"report,omitempty"`
	Answers []json.RawMessage `json:"answers,omitempty"`
	Error   string            `json:"error,omitempty"`
}

// refusal is the error of a result that says that the task is none.
func (r *result) refusal(task string) error {
	return fmt.Errorf("worker %.100q cannot execute task %s: %.500s", r.Worker, task, printable(r.Error))
}

// spoilt is an error that stays, since what is stored is wrong: it says what to do.
func spoilt(j *streams.Job, err error) error {
	return fmt.Errorf("job %s: %w; delete it (rehearse swarm stop -discard %[1]s) and begin anew", j.Name(), err)
}

func encodeTask(t *parallel.Task) ([]byte, error) { return json.Marshal(t) }

// decodeTask reads a task. It came over the network: any bytes give a task or an error.
func decodeTask(data []byte) (*parallel.Task, error) {
	t := &parallel.Task{}
	if err := strictly(data, t); err != nil {
		return nil, err
	}
	return t, t.Check()
}

func (r *result) encode() ([]byte, error) { return json.Marshal(r) }

// decodeResult reads the answer to a task.
func decodeResult(data []byte, t *parallel.Task) (*result, error) {
	r := &result{}
	if err := strictly(data, r); err != nil {
		return nil, err
	}
	if r.Error != "" {
		return r, nil
	}
	if r.Report == nil {
		return nil, errors.New("it has no report")
	}
	if err := r.Report.Closes(t); err != nil {
		return nil, fmt.Errorf("its report %w", err)
	}
	return r, nil
}
