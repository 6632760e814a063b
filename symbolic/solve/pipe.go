package solve

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/solve/internal/smtlib"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// external is a solver on the PATH, asked by SMT-LIB. Every check is a script of its own: what is left of a check that
// was ended cannot matter.
type external struct {
	name    string
	path    string
	process *smtlib.Process
	limit   time.Duration
	stats   Stats
}

// arguments make a solver read commands from standard input, and give up a check by itself a second after we would have
// ended it. If our process is killed, nobody else ends its child.
func arguments(engine Engine, limit time.Duration) []string {
	alone := (limit + time.Second).Milliseconds()
	if engine == Z3 {
		return []string{"-in", "-smt2", fmt.Sprintf("-t:%d", alone)}
	}
	return []string{"--lang=smt2", "--quiet", "--fp-exp", "--strings-exp", fmt.Sprintf("--tlimit-per=%d", alone), "-"}
}

// newExternal finds a solver on the PATH.
func newExternal(engine Engine, config Config) (*external, error) {
	path, err := exec.LookPath(string(engine))
	if err != nil {
		return nil, fmt.Errorf("solve: %w", err)
	}
	return &external{name: string(engine), path: path,
		process: smtlib.NewProcess(path, arguments(engine, config.Limit)...), limit: config.Limit}, nil
}

func (e *external) Scope() Solver {
	s := *e
	s.process, s.stats = smtlib.NewProcess(e.path, arguments(Engine(e.name), e.limit)...), Stats{}
	return &s
}

func (e *external) Stats() Stats { return e.stats }
func (e *external) Close() error { return e.process.Close() }

func (e *external) Check(ctx context.Context, conds ...*term.Term) Result {
	r, ok := trivial(conds)
	if !ok {
		e.stats.External++
		r = e.check(ctx, conds)
	}
	e.stats.count(r)
	return r
}

func (e *external) check(ctx context.Context, conds []*term.Term) Result {
	ctx, cancel := context.WithTimeout(ctx, e.limit)
	defer cancel()
	answer, err := e.process.Ask(ctx, smtlib.Script(conds))
	if err != nil {
		return Result{Why: err.Error(), Err: err}
	}
	switch strings.TrimSpace(answer) {
	case "sat":
		return e.sat(ctx, conds)
	case "unsat":
		return e.unsat(ctx, conds)
	case "unknown":
		return Result{Why: e.name + " does not know"}
	}
	return e.odd(answer)
}

// odd is the result for an answer that is none.
func (e *external) odd(answer string) Result {
	e.process.Close() // it may not be where we think it is
	err := fmt.Errorf("%s answers %q", e.name, strings.TrimSpace(answer))
	return Result{Why: err.Error(), Err: err}
}

// ask asks for one list.
func (e *external) ask(ctx context.Context, command string) ([]smtlib.Expr, Result) {
	answer, err := e.process.Ask(ctx, command+"\n")
	if err != nil {
		return nil, Result{Why: err.Error(), Err: err}
	}
	list, err := smtlib.Parse(answer)
	if err != nil || len(list) != 1 || len(list[0].List) > 0 && list[0].List[0].Atom == "error" {
		return nil, e.odd(answer)
	}
	return list[0].List, Result{}
}

// unsat asks which conditions exclude each other.
func (e *external) unsat(ctx context.Context, conds []*term.Term) Result {
	names, bad := e.ask(ctx, "(get-unsat-core)")
	if names == nil {
		return bad
	}
	in := map[string]bool{}
	for _, n := range names {
		in[n.Atom] = true
	}
	r := Result{Answer: Unsat}
	for i, c := range conds {
		if in[smtlib.Name(i)] {
			r.Core = append(r.Core, c)
		}
	}
	return r
}

// sat asks for the values of variables and calls, and evaluates.
func (e *external) sat(ctx context.Context, conds []*term.Term) Result {
	q := queries{}.of(conds)
	values, bad := e.values(ctx, q)
	if values == nil {
		return bad
	}
	m := &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}
	for _, v := range q.vars {
		m.Vars[v] = values[v]
	}
	for _, t := range q.calls {
		args := make([]term.Value, len(t.Args))
		for i, a := range t.Args {
			args[i] = values[a]
		}
		m.Funcs[t.Signature()] = append(m.Funcs[t.Signature()], term.Entry{Args: args, Result: values[t]})
	}
	if !m.Evaluator().Holds(conds...) {
		return Result{Why: "the model of " + e.name + " does not hold in Go"}
	}
	return Result{Answer: Sat, Model: m}
}

// values asks for the values of variables, calls and their arguments.
func (e *external) values(ctx context.Context, q *query) (map[*term.Term]term.Value, Result) {
	var list []*term.Term
	asked := map[*term.Term]bool{}
	for _, t := range append(append([]*term.Term(nil), q.vars...), q.calls...) {
		for _, x := range append([]*term.Term{t}, t.Args...) {
			if !asked[x] {
				asked[x] = true
				list = append(list, x)
			}
		}
	}
	values := map[*term.Term]term.Value{}
	if len(list) == 0 {
		return values, Result{}
	}
	symbols := make([]string, len(list))
	for i, t := range list {
		symbols[i] = smtlib.Symbol(t)
	}
	pairs, bad := e.ask(ctx, "(get-value ("+strings.Join(symbols, " ")+"))")
	if pairs == nil {
		return nil, bad
	}
	for i, pair := range pairs {
		if i >= len(list) || len(pair.List) != 2 {
			return nil, e.odd(pair.String())
		}
		v, err := pair.List[1].Value(list[i].Sort)
		if err != nil {
			return nil, Result{Why: err.Error(), Err: err}
		}
		values[list[i]] = v
	}
	return values, Result{}
}
