// Package targets has other processes search for the targets of rehearse target: what they are told, and what they
// answer. Such a process has read the program and knows its targets by their numbers. It searches for those that it is
// told, or tells the user what came of all.
package targets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/internal/child"
)

// Variable is set in the environment of a process that does so, for package child.
const Variable = "REHEARSE_TARGETS"

// Ready is what the process says first.
type Ready struct {
	Names []string `json:"names"` // of the targets, in their order
}

// Digest tells lists apart: two processes that read the same program have the same one.
func (r *Ready) Digest() string {
	h := sha256.New()
	for _, n := range r.Names {
		fmt.Fprintf(h, "%q\n", n)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Do is what the process is to do. The last thing is to tell.
type Do struct {
	Search []int `json:"search,omitempty"` // the numbers of targets, from 0
	Tell   *Tell `json:"tell,omitempty"`
}

// Tell has what came of all targets.
type Tell struct {
	Answers []json.RawMessage `json:"answers"` // null: the target was not searched for
	Why     string            `json:"why,omitempty"`
}

// Did is what came of Search, in its order.
type Did struct {
	Answers []json.RawMessage `json:"answers,omitempty"`
	Error   string            `json:"error,omitempty"` // an operating problem: nothing is known of the targets
}

// Died is the answer for a target whose search has ended the process, or the machine, again and again.
func Died(name, words string) json.RawMessage {
	data, err := json.Marshal(map[string]any{"target": name, "verdict": "gave up", "why": words, "drivers": []any{}})
	if err != nil {
		panic("targets: texts have no JSON: " + err.Error())
	}
	return data
}

// Starter is whoever started this process, to be served.
type Starter struct{ line *child.Line }

// Connect connects to the starter of a process whose Variable is value.
func Connect(value string) (*Starter, error) {
	line, err := child.Connect(Variable, value)
	if err != nil {
		return nil, err
	}
	return &Starter{line}, nil
}

// Serve does what the starter says, until there is nothing more to do. names are those of the targets. search gives an
// answer for each number; tell gets one for each target, or nil. Where the starter is gone, ctx of a search is done.
func (s *Starter) Serve(ctx context.Context, names []string, search func(context.Context, []int) ([]json.RawMessage,
	error), tell func(*Tell) error) error {
	line := s.line
	if err := line.Send(Ready{Names: names}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work := make(chan Do)
	go func() {
		defer close(work)
		defer cancel()
		for {
			var do Do
			if line.Receive(&do) != nil {
				return
			}
			select {
			case work <- do:
			case <-ctx.Done():
				return
			}
		}
	}()
	for do := range work {
		if do.Tell != nil {
			if len(do.Tell.Answers) != len(names) {
				return fmt.Errorf("%d answers for %d targets", len(do.Tell.Answers), len(names))
			}
			return tell(do.Tell)
		}
		if err := CheckNumbers(do.Search, len(names)); err != nil {
			return err
		}
		answers, err := search(ctx, do.Search)
		did := Did{Answers: answers}
		if err != nil {
			did = Did{Error: err.Error()}
		}
		if ctx.Err() != nil {
			break // what was searched for is not searched to its end
		}
		if err := line.Send(did); err != nil {
			return err
		}
	}
	return errors.New("the process that shares the targets has ended; start rehearse swarm again to go on")
}

// CheckNumbers says what is wrong with numbers of so many targets.
func CheckNumbers(numbers []int, of int) error {
	if len(numbers) == 0 {
		return errors.New("no target is asked for")
	}
	for i, n := range numbers {
		if n < 0 || n >= of || i > 0 && n <= numbers[i-1] {
			return fmt.Errorf("target %d: want ascending numbers from 0 to %d", n, of-1)
		}
	}
	return nil
}
