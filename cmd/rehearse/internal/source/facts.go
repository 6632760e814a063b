package source

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/effects"
	"github.com/rehearse-go/rehearse/static/load"
)

var factsCommand = cli.Command{
	Name: "facts", Args: "[flags] [packages]",
	Short: "write down what handlers read, write and send, so that fewer executions are needed",
	Long: `Facts analyses the source of the packages (default: the one in the current directory) and writes, below the folder of each that has
or uses actors, ` + facts.Place + `: which fields the handler of each type of message may read and write, what it may
send, create and do. Check and Explore reckon with the file while the source is what it was: under the models bag, fifo and
causal the strategies auto, source and optimal then take two messages to one actor to commute if their handlers do not
meet. Under all models, messages that a handler of protoactor-go has no case for are reported. Commit the file, or make it anew whenever you like; rehearse test does so where it is stale. docs/effects.md has the rest.

What the analysis does not understand may do anything, and is listed with the reason.

With -check nothing is written; the exit code is 1 if a file is missing or stale.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		r := &factsRun{}
		fs.BoolVar(&r.check, "check", false, "write nothing; exit with 1 if a file is missing or stale")
		fs.BoolVar(&r.print, "print", false, "write nothing; print the facts for people")
		return r.run
	},
}

// factsRun is one `rehearse facts`.
type factsRun struct{ check, print bool }

func (r *factsRun) run(s cli.Streams, a cli.Arguments) int {
	if len(a.Rest) > 0 {
		return cli.Usage(s, "facts", fmt.Errorf("unexpected argument %q: only packages are wanted", a.Rest[0]))
	}
	if r.check && r.print {
		return cli.Usage(s, "facts", errors.New("-check and -print: want at most one"))
	}
	dirs, err := cli.PackageDirs(a.Operands)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse facts:", err)
		return cli.ExitError
	}
	code, alone := cli.ExitOK, len(dirs) == 1
	note := func(c int, err error) {
		if err != nil {
			fmt.Fprintln(s.Err, "rehearse facts:", err)
			c = cli.ExitError
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
		note(cli.ExitError, err)
		return code
	}
	for p, err := range programs {
		if err != nil {
			note(cli.ExitError, err)
			continue
		}
		note(r.one(s, p, alone))
	}
	return code
}

// one makes the facts of a package.
func (r *factsRun) one(s cli.Streams, p *load.Program, alone bool) (int, error) {
	f, folder, err := effects.FactsOf(p)
	if err != nil {
		return cli.ExitError, err
	}
	path := filepath.Join(folder, filepath.FromSlash(facts.Place))
	switch {
	case len(f.Actors) == 0 && alone:
		fmt.Fprintf(s.Out, "%s has no actors and uses none: nothing was written\n", f.Package)
		return cli.ExitOK, nil
	case len(f.Actors) == 0:
		return cli.ExitOK, nil
	case r.print:
		printFacts(s, f)
		return cli.ExitOK, nil
	}
	if err := f.Write(path); err != nil {
		return cli.ExitError, fmt.Errorf("%w; is the folder writable?", err)
	}
	fmt.Fprintf(s.Out, "%s: %s\n", cli.Shown(path), cli.Summed(f))
	for i := range f.Handlers {
		if h := &f.Handlers[i]; h.Unknown != "" {
			fmt.Fprintf(s.Out, "  %s by %s: %s\n", h.Message, h.Actor, h.Unknown)
		}
	}
	return cli.ExitOK, nil
}

// judge says whether a file is there and about the source as it is.
func (r *factsRun) judge(s cli.Streams, path string, alone bool) (int, error) {
	f, err := facts.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		if !alone {
			return cli.ExitOK, nil // it may have no actors
		}
		fmt.Fprintf(s.Out, "%s is missing\n", cli.Shown(path))
		return cli.ExitFound, nil
	}
	if err != nil {
		return cli.ExitError, err
	}
	if why := f.Stale(path); why != "" {
		fmt.Fprintf(s.Out, "%s is stale: %s\n", cli.Shown(path), why)
		return cli.ExitFound, nil
	}
	return cli.ExitOK, nil
}

// printFacts writes facts for people.
func printFacts(s cli.Streams, f *facts.File) {
	for i := range f.Actors {
		a := &f.Actors[i]
		fmt.Fprintf(s.Out, "%s (%s)\n", a.Name, a.At)
		list := func(what string, names []string) {
			if len(names) > 0 {
				fmt.Fprintf(s.Out, "    %-8s %s\n", what, strings.Join(names, ", "))
			}
		}
		list("constant", a.Constants)
		list("cases", a.Cases)
		list("ignores", a.Ignored)
		if a.Ignores {
			fmt.Fprintln(s.Out, "    ignores  messages of any other type: they are reported as unhandled")
		}
		if a.Unclear != "" {
			list("unclear", []string{"whether it has a case for each message, since " + a.Unclear})
		}
		switch {
		case slices.Contains(a.Opaque, facts.WholeState):
			fmt.Fprintln(s.Out, "    opaque: it is not told apart by fields, so that no two of its handlers commute")
		case len(a.Opaque) > 0:
			list("opaque", []string{strings.Join(a.Opaque, ", ") +
				": cannot be compared, and counts as written by all handlers, so that no two of them commute"})
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
				fmt.Fprintf(s.Out, "    %-8s %s, under %s (%s)\n", "sends", x.Message, cli.Many(x.Conditions, "condition"), x.At)
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
