package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/effects"
	"github.com/rehearse-go/rehearse/static/load"
)

var factsCommand = command{
	name: "facts", args: "[flags] [packages]",
	short: "write down what handlers read, write and send, so that fewer executions are needed",
	long: `Facts analyses the source of the packages (default: the one in the current directory) and writes, below the folder of each that has
or uses actors, ` + facts.Place + `: which fields the handler of each type of message may read and write, what it may
send, create and do. Check and Explore reckon with the file while the source is what it was: under the models bag, fifo and
causal the strategies auto, source and optimal then take two messages to one actor to commute if their handlers do not
meet. Commit the file, or make it anew whenever you like; rehearse test does so where it is stale. docs/effects.md has the rest.

What the analysis does not understand may do anything, and is listed with the reason.

With -check nothing is written; the exit code is 1 if a file is missing or stale.
`,
	setup: func(fs *flag.FlagSet) func(Streams, arguments) int {
		r := &factsRun{}
		fs.BoolVar(&r.check, "check", false, "write nothing; exit with 1 if a file is missing or stale")
		fs.BoolVar(&r.print, "print", false, "write nothing; print the facts for people")
		return r.run
	},
}

// factsRun is one `rehearse facts`.
type factsRun struct{ check, print bool }

func (r *factsRun) run(s Streams, a arguments) int {
	if len(a.rest) > 0 {
		return usage(s, "facts", fmt.Errorf("unexpected argument %q: only packages are wanted", a.rest[0]))
	}
	if r.check && r.print {
		return usage(s, "facts", errors.New("-check and -print: want at most one"))
	}
	dirs, err := packageDirs(a.operands)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse facts:", err)
		return exitError
	}
	code, alone := exitOK, len(dirs) == 1
	note := func(c int, err error) {
		if err != nil {
			fmt.Fprintln(s.Err, "rehearse facts:", err)
			c = exitError
		}
		code = max(code, c)
	}
	if r.check {
		for _, dir := range dirs {
			note(r.judge(s, filepath.Join(dir, filepath.FromSlash(facts.Place)), alone))
		}
		return code
	}
	programs, err := load.Config{Patterns: dirs}.Each()
	if err != nil {
		note(exitError, err)
		return code
	}
	for p, err := range programs {
		if err != nil {
			note(exitError, err)
			continue
		}
		note(r.one(s, p, alone))
	}
	return code
}

// one makes the facts of a package.
func (r *factsRun) one(s Streams, p *load.Program, alone bool) (int, error) {
	f, folder, err := effects.FactsOf(p)
	if err != nil {
		return exitError, err
	}
	path := filepath.Join(folder, filepath.FromSlash(facts.Place))
	switch {
	case len(f.Actors) == 0 && alone:
		fmt.Fprintf(s.Out, "%s has no actors and uses none: nothing was written\n", f.Package)
		return exitOK, nil
	case len(f.Actors) == 0:
		return exitOK, nil
	case r.print:
		printFacts(s, f)
		return exitOK, nil
	}
	if err := f.Write(path); err != nil {
		return exitError, fmt.Errorf("%w; is the folder writable?", err)
	}
	fmt.Fprintf(s.Out, "%s: %s\n", shown(path), summed(f))
	for i := range f.Handlers {
		if h := &f.Handlers[i]; h.Unknown != "" {
			fmt.Fprintf(s.Out, "  %s by %s: %s\n", h.Message, h.Actor, h.Unknown)
		}
	}
	return exitOK, nil
}

// judge says whether a file is there and about the source as it is.
func (r *factsRun) judge(s Streams, path string, alone bool) (int, error) {
	f, err := facts.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		if !alone {
			return exitOK, nil // it may have no actors
		}
		fmt.Fprintf(s.Out, "%s is missing\n", shown(path))
		return exitFound, nil
	}
	if err != nil {
		return exitError, err
	}
	if why := f.Stale(path); why != "" {
		fmt.Fprintf(s.Out, "%s is stale: %s\n", shown(path), why)
		return exitFound, nil
	}
	return exitOK, nil
}

// summed says how much is known.
func summed(f *facts.File) string {
	unknown := 0
	for i := range f.Handlers {
		if f.Handlers[i].Unknown != "" {
			unknown++
		}
	}
	s := many(len(f.Actors), "actor") + ", " + many(len(f.Handlers), "handler")
	if unknown > 0 {
		s += fmt.Sprintf(", of which %d may do anything:", unknown)
	}
	return s
}

func many(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// printFacts writes facts for people.
func printFacts(s Streams, f *facts.File) {
	for i := range f.Actors {
		a := &f.Actors[i]
		fmt.Fprintf(s.Out, "%s (%s)\n", a.Name, a.At)
		list := func(what string, names []string) {
			if len(names) > 0 {
				fmt.Fprintf(s.Out, "    %-8s %s\n", what, strings.Join(names, ", "))
			}
		}
		list("constant", a.Constants)
		switch {
		case slices.Contains(a.Opaque, facts.Whole):
			fmt.Fprintln(s.Out, "    opaque: it is not told apart by fields, so that no two of its handlers commute")
		case len(a.Opaque) > 0:
			list("opaque", []string{strings.Join(a.Opaque, ", ") + ": cannot be compared, and counts as written by all handlers, so that no two of them commute"})
		}
		for j := range f.Handlers {
			h := &f.Handlers[j]
			if h.Actor != a.Name {
				continue
			}
			if h.Message == facts.Rest {
				fmt.Fprintln(s.Out, "  any other message")
			} else {
				fmt.Fprintf(s.Out, "  %s\n", h.Message)
			}
			if h.Unknown != "" {
				fmt.Fprintf(s.Out, "    anything: %s\n", h.Unknown)
			}
			list("reads", h.Reads)
			list("writes", h.Writes)
			for _, x := range h.Sends {
				fmt.Fprintf(s.Out, "    %-8s %s, under %s (%s)\n", "sends", x.Message, many(x.Conditions, "condition"), x.At)
			}
			list("creates", h.Spawns)
			list("also", also(h))
		}
	}
}

func also(h *facts.Handler) []string {
	list := slices.Clone(h.Other)
	for what, is := range map[string]bool{"changes behaviour": h.Becomes, "stops": h.Stops, "waits": h.Blocks} {
		if is {
			list = append(list, what)
		}
	}
	slices.Sort(list)
	return list
}

// shown gives a path relative to the current folder where that is shorter.
func shown(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

// packageDirs gives the folders of the packages that patterns name.
func packageDirs(patterns []string) ([]string, error) {
	listed, err := listPackages(".", append([]string{"-find", "-json=Dir", "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, p := range listed {
		dirs = append(dirs, p.Dir)
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no package matches %q: name packages that exist, such as ./...", patterns)
	}
	return dirs, nil
}
