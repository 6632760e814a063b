package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var summaryCommand = cli.Command{
	Name: "summary", Args: "[flags] [packages]",
	Short: "tell what handlers do on each path: conditions, changes, messages, panics",
	Long: `Summary executes the handlers of the packages (default: the one in the current directory) on symbolic inputs, and prints their paths: under
which conditions on the actor's state and the message they are taken, what is sent and created, what is written, and how they end.
Nothing is run. Inputs are named by how the handler gets at them, as in s.balance and msg.Amount.

Loops and the lengths of slices and maps are followed up to a bound, and what is beyond is listed as not followed. A summary is exact if
its paths do what the program does; what is not modelled is named on the path: havoc (a value is guessed), opaque, env, order, closed.
docs/summary.md has the rest.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		r := &summaryRun{}
		fs.IntVar(&r.config.Loops, "loops", 3, "`turns` of a loop that are followed")
		fs.IntVar(&r.config.Elements, "elements", 3,
			"`number` of elements that a slice or map of the state or message may have, at most")
		fs.DurationVar(&r.timeout, "timeout", time.Minute, "`time` for one handler")
		r.solver.add(fs)
		fs.BoolVar(&r.short, "short", false, "print one line a handler")
		return r.run
	},
}

// summaryRun is one `rehearse summary`.
type summaryRun struct {
	config  exec.Config
	timeout time.Duration
	solver  solverFlag
	short   bool
}

func (r *summaryRun) run(s cli.Streams, a cli.Arguments) int {
	if len(a.Rest) > 0 {
		return cli.Usage(s, "summary", fmt.Errorf("unexpected argument %q: only packages are wanted", a.Rest[0]))
	}
	if r.config.Loops < 1 || r.config.Elements < 1 {
		return cli.Usage(s, "summary",
			fmt.Errorf("-loops %d, -elements %d: want at least 1", r.config.Loops, r.config.Elements))
	}
	if err := r.solver.check(); err != nil {
		return cli.Usage(s, "summary", err)
	}
	patterns := a.Operands
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if err := r.print(s, patterns); err != nil {
		fmt.Fprintln(s.Err, "rehearse summary:", err)
		return cli.ExitError
	}
	return cli.ExitOK
}

func (r *summaryRun) print(s cli.Streams, patterns []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	p, err := summary.Load(load.Config{Dir: dir, Patterns: patterns, NoTests: true})
	if err != nil {
		return err
	}
	for _, problem := range p.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	store := term.NewStore()
	solver, err := r.solver.make(store)
	if err != nil {
		return err
	}
	defer solver.Close()
	q := summary.New(p, store, solver)
	handlers := q.Handlers(context.Background())
	tellGeneric(s.Err, q)
	if len(handlers) == 0 {
		fmt.Fprintln(s.Out, "no handlers: none of these packages has an actor outside of its test files, which are not read")
		return nil
	}
	var exact, complete int
	for _, h := range handlers {
		sum := r.one(q, h)
		if sum.Exact() {
			exact++
			if sum.Complete() {
				complete++
			}
		}
		if r.short {
			q.PrintLine(s.Out, sum)
		} else {
			q.Print(s.Out, sum)
		}
	}
	fmt.Fprintf(s.Out, "%d handlers: %d exact, %d of them complete\n", len(handlers), exact, complete)
	if p.Broken() {
		return errors.New("packages could not be read, and their handlers are not among these")
	}
	return nil
}

// tellGeneric names actors that have no handlers to execute.
func tellGeneric(w io.Writer, q interface{ Generic() []string }) {
	for _, name := range q.Generic() {
		fmt.Fprintf(w, "%s is generic, and these packages make no type of it: it is not looked at\n", name)
	}
}

// one summarises a handler within its time.
func (r *summaryRun) one(q *summary.Program, h summary.Handler) *summary.Summary {
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	return q.Of(ctx, h, r.config)
}
