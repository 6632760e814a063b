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
	in := &parallel.IncomingTask{}
	if err := strictly(data, in); err != nil {
		return nil, err
	}
	return in.Read()
}

// checkedFrom is the size of a result from which who sends it looks whether it can be read, in bytes: it may have more
// items than others read. One that is stored and cannot be read is the end of the job.
const checkedFrom = 1 << 20

func (r *result) encode() ([]byte, error) {
	data, err := json.Marshal(r)
	if err == nil && len(data) > checkedFrom {
		if err = fmt.Errorf("has %d bytes: at most %d are sent", len(data), streams.MaxData); len(data) <= streams.MaxData {
			_, err = readResult(data)
		}
		if err != nil {
			err = fmt.Errorf("what came of a task, and what is left of it, is too much for one message: it %w; what is left is "+
				"larger the longer an execution is: bound its steps, or use -workers on one machine", err)
		}
	}
	return data, err
}

// readResult reads the answer to a task of an exploration.
func readResult(data []byte) (*result, error) {
	var in struct {
		result
		Report *parallel.IncomingReport `json:"report"` // in the place of that of the result
	}
	err := strictly(data, &in)
	if err == nil && in.Report != nil {
		in.result.Report, err = in.Report.Read()
	}
	return &in.result, err
}

// decodeResult reads the answer to a task.
func decodeResult(data []byte, t *parallel.Task) (*result, error) {
	r, err := readResult(data)
	if err != nil {
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
