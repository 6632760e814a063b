package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// This file is rehearse swarm target: the targets of rehearse target, which reads sources and runs tests of its own.

// sourceReader is the program that does rehearse target. It travels with the sources.
const sourceReader = "rehearse-source"

// targetFlags are those of swarm that mean something for targets.
var targetFlags = append([]string{"workers", "limit", "job", "replicas", "sync", "sign", "env", "json"},
	serverFlags...)

// hereOnly are flags of rehearse target that name what only this machine has, and those of one line.
var hereOnly = map[string]string{
	"diff":      "it asks git, and no repository travels",
	"uncovered": "its file does not travel",
	"o":         "of many targets nothing is written",
	"n":         "of many targets nothing is written",
	"json":      "give it before --, as -json of swarm",
}

func (r *swarmRun) target(ctx context.Context, s command.Streams, a command.Arguments) (int, error) {
	if err := r.only("target", targetFlags...); err != nil {
		return 0, err
	}
	if err := r.checkShared(); err != nil {
		return 0, err
	}
	if len(a.Rest) == 0 {
		return 0, usage("target: say which targets, as in `rehearse swarm target ./account -- -panics`: what follows -- " +
			"are flags of rehearse target")
	}
	for _, word := range a.Rest {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if why := hereOnly[name]; why != "" && strings.HasPrefix(word, "-") {
			return 0, usage("-%s of rehearse target means nothing here: %s", name, why)
		}
	}
	if err := r.reach(ctx, s); err != nil {
		return 0, err
	}
	patterns := a.Operands[1:]
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	temp, remove, err := files.TempFolder("rehearse-swarm")
	if err != nil {
		return 0, err
	}
	defer remove()
	if err := r.collectTargets(ctx, temp, s, patterns, a.Rest); err != nil {
		return 0, err
	}
	return r.do.Swarm(ctx, s, &r.Swarm)
}

// collectTargets finds what a job of targets consists of.
func (r *swarmRun) collectTargets(ctx context.Context, temp string, s command.Streams, patterns,
	flags []string) (err error) {
	if r.Binary, err = r.caller.Companion(ctx, s.Err, sourceReader); err != nil {
		return err
	}
	if r.Dir, err = os.Getwd(); err != nil {
		return err
	}
	root, err := bundle.ModuleOf(ctx, r.Dir)
	if err != nil {
		return err
	}
	env, err := bundle.Environment(os.Environ(), r.env)
	if err != nil {
		return usage("%w", err)
	}
	args := command.HandOn(command.Caller{Called: "rehearse"}, slices.Concat([]string{"target"}, flags, patterns))
	fmt.Fprintf(s.Err, "rehearse swarm: collecting the sources of %s\n", strings.Join(patterns, " "))
	r.Contents, err = bundle.Collect(bundle.Source{Root: root, Dir: r.Dir, Package: strings.Join(patterns, " "),
		Test: strings.Join(flags, " "), Tool: command.Version(), Binary: r.Binary, Args: args, Env: env, Limits: r.limits,
		Sources: &bundle.Sources{Packages: patterns, Scratch: filepath.Clean(temp)}})
	if err != nil {
		return err
	}
	for _, note := range r.Contents.Notes {
		fmt.Fprintf(s.Err, "rehearse swarm: %s\n", note)
	}
	r.Targets, r.Environ = true, os.Environ()
	return nil
}
