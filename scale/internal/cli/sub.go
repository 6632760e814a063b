package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// part is what the first operand of rehearse swarm may ask for, in the place of a package.
type part = func(context.Context, command.Streams, command.Arguments) (int, error)

// sub gives the part of that name, nil if it is a package. One of that name is written ./status.
func (r *swarmRun) sub(name string) part {
	return map[string]part{"status": r.status, "stop": r.stop, "key": r.key, "target": r.target}[name]
}

func (r *swarmRun) status(ctx context.Context, s command.Streams, a command.Arguments) (int, error) {
	if len(a.Operands) > 2 || len(a.Rest) > 0 {
		return 0, usage("status: want one job at most")
	}
	if err := r.only("status", append(serverFlags, "json")...); err != nil {
		return 0, err
	}
	if err := checkServer(r.fs, &r.Server); err != nil {
		return 0, err
	}
	q := &request.Status{Server: r.Server, JSON: r.JSON}
	if len(a.Operands) == 2 {
		q.Job = a.Operands[1]
	}
	return r.do.Status(ctx, s, q)
}

func (r *swarmRun) stop(ctx context.Context, s command.Streams, a command.Arguments) (int, error) {
	if len(a.Operands) != 2 || len(a.Rest) > 0 {
		return 0, usage("stop: want one job, as `rehearse swarm status` names it")
	}
	if err := r.only("stop", append(serverFlags, "discard")...); err != nil {
		return 0, err
	}
	if err := checkServer(r.fs, &r.Server); err != nil {
		return 0, err
	}
	return r.do.Stop(ctx, s, &request.Stop{Server: r.Server, Job: a.Operands[1], Discard: r.discard})
}

func (r *swarmRun) key(_ context.Context, s command.Streams, a command.Arguments) (int, error) {
	if len(a.Operands) != 2 || len(a.Rest) > 0 || slices.Contains(a.Operands, "") {
		return 0, usage("key: want one file, which the seed is written to")
	}
	if err := r.only("key"); err != nil {
		return 0, err
	}
	public, err := bundle.NewKey(a.Operands[1])
	if err != nil {
		return 0, fmt.Errorf("key: %w", err)
	}
	fmt.Fprintln(s.Out, public)
	fmt.Fprintf(s.Err, "rehearse: %s has the seed, which is secret: sign jobs with -sign %[1]s\n"+
		"rehearse: the line above is the public key: start workers with -trust and this key\n", a.Operands[1])
	return command.ExitOK, nil
}
