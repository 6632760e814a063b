package source

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	shared "github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// This file has another process say which targets are searched for here, and what came of them elsewhere.

// beginShared connects to that process, if there is one, before anything is run: what this one runs has no part in it.
func (r *targetRun) beginShared() (err error) {
	value := os.Getenv(shared.Variable)
	if value == "" {
		return nil
	}
	os.Unsetenv(shared.Variable)
	// The other one ends this one, or has it tell what there is.
	signal.Ignore(os.Interrupt)
	r.starter, err = shared.Connect(value)
	return err
}

// share serves that process.
func (r *targetRun) share(ctx context.Context, s cli.Streams, targets []*target.Listed) (code int, err error) {
	list := numbered(targets)
	names := make([]string, len(list))
	for i, t := range list {
		r.lineOf(t.Listed)
		names[i] = t.Name
	}
	search := func(ctx context.Context, numbers []int) (data []json.RawMessage, err error) {
		var asked []wanted
		for _, n := range numbers {
			asked = append(asked, list[n])
		}
		answers, err := r.answers(ctx, uninterrupted, io.Discard, asked)
		if err != nil {
			return nil, err
		}
		for _, a := range answers {
			one, err := json.Marshal(a)
			if err != nil {
				return nil, err
			}
			data = append(data, one)
		}
		return data, nil
	}
	tell := func(t *shared.Tell) error {
		answers, err := r.toldElsewhere(t, names)
		if err == nil {
			code, err = r.tellAll(s, answers)
		}
		return err
	}
	err = r.starter.Serve(ctx, names, search, tell)
	return code, err
}

func uninterrupted(ctx context.Context) (context.Context, func()) { return ctx, func() {} }

// toldElsewhere reads what came of the targets.
func (r *targetRun) toldElsewhere(t *shared.Tell, names []string) (answers []*targetAnswer, err error) {
	verdicts := []string{verdictCovered, verdictUnconfirmed, verdictInfeasible, verdictGaveUp}
	for i, data := range t.Answers {
		a := &targetAnswer{Target: names[i], Verdict: verdictGaveUp, Why: t.Why, Notes: r.notes}
		if data != nil && string(data) != "null" {
			a = &targetAnswer{}
			if err := json.Unmarshal(data, a); err != nil {
				return nil, fmt.Errorf("the answer for %s: %w", names[i], err)
			}
			if a.Target != names[i] || !slices.Contains(verdicts, a.Verdict) {
				return nil, fmt.Errorf("the answer for %s is of %q, with the verdict %q", names[i], a.Target, a.Verdict)
			}
		}
		answers = append(answers, a)
	}
	return answers, nil
}
