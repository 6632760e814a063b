package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// prepare builds the test and finds what travels with it.
func (r *swarmRun) prepare(ctx context.Context, s command.Streams, a command.Arguments) (remove func(), err error) {
	temp, remove, err := files.TempFolder("rehearse-swarm")
	if err != nil {
		return nil, err
	}
	if err := r.prepareIn(ctx, temp, s, a); err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

func (r *swarmRun) prepareIn(ctx context.Context, temp string, s command.Streams, a command.Arguments) error {
	build, args := forBinary(a.Rest)
	r.Binary = filepath.Join(temp, "test")
	fmt.Fprintf(s.Err, "rehearse swarm: building the test of %s\n", a.Operands[0]) // which may take minutes
	built, err := r.caller.Build(ctx, s.Err, slices.Concat(r.buildFlags(), a.Operands, []string{"--"}, build))
	if err != nil {
		return err
	}
	if file := r.settings.Value["coverprofile"]; file != "" {
		if r.settings.Value["coverprofile"], err = filepath.Abs(file); err != nil {
			return err
		}
	}
	if r.settings.Value["facts"] == "make" {
		r.settings.Value["facts"] = "on" // it was made
	}
	r.Environ = append(append(r.defaults(), os.Environ()...), command.Environment(&r.settings)...)
	env, err := bundle.Environment(r.Environ, r.env)
	if err != nil {
		return usage("%w", err)
	}
	// The arguments are part of each exploration, which is signed too.
	src := bundle.Source{Root: built.Root, Dir: built.Dir, Package: built.Package, Test: r.run, Tool: command.Version(),
		Binary: r.Binary, Env: env, Limits: r.limits}
	for _, text := range r.named {
		n, err := bundle.ParseNamed(text)
		if err != nil {
			return usage("-file: %w", err)
		}
		src.Named = append(src.Named, n)
	}
	if r.Contents, err = bundle.Collect(src); err != nil {
		return err
	}
	for _, note := range r.Contents.Notes {
		fmt.Fprintf(s.Err, "rehearse swarm: %s\n", note)
	}
	r.Dir, r.Args = built.Dir, r.testArgs(args)
	// What workers see is what is seen here: facts may be off for all.
	r.Environ = append(r.Environ, r.Contents.Manifest.Env...)
	if r.caller.Called != "" {
		r.Environ = append(r.Environ, chance.CommandVariable+"="+r.caller.Called)
	}
	return nil
}

// defaults are the settings that a swarm has where nothing else is said: to go on after a finding, unless -first is
// given.
func (r *swarmRun) defaults() []string {
	goOn := "1"
	if r.First {
		goOn = "off"
	}
	return []string{command.Variable("keep-going") + "=" + goOn}
}

// buildFlags are those with which rehearse builds the test.
func (r *swarmRun) buildFlags() []string {
	flags := []string{"-o", r.Binary}
	if r.plain {
		flags = append(flags, "-no-overlay")
	}
	for _, name := range []string{"choices", "facts"} {
		if value := r.settings.Value[name]; value != "" {
			flags = append(flags, "-"+name, value)
		}
	}
	return flags
}

// testArgs are the arguments of the test binary here. What it says is shown.
func (r *swarmRun) testArgs(more []string) []string {
	args := []string{"-test.run=" + r.run, "-test.timeout=0", "-test.v=true"}
	if r.short {
		args = append(args, "-test.short=true")
	}
	return append(args, more...)
}

// forBinary tells flags of go test from what follows -args, which is for the test binary.
func forBinary(rest []string) (build, binary []string) {
	for i, word := range rest {
		if word == "-args" || word == "--args" {
			return rest[:i], rest[i+1:]
		}
	}
	return rest, nil
}
