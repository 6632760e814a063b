package exec

import (
	"context"
	"fmt"
	"go/types"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Entry is what is explored: a function, with inputs for its parameters.
type Entry struct {
	Fn *ssa.Function

	// Handler says that the function handles the messages of an actor: its receiver is there, and so is what a closure
	// captures. It gets the context of a framework, and a message.
	Handler bool
	Message types.Type // of the message; nil: any
	Others  bool       // the message is of none of the types that the handler asks for
	Ask     bool       // end where the type of the message is decided: only the types are asked for

	// Known is what numbers, texts, truth values and lengths in the receiver are known to be, by the names of inputs.
	Known map[string]*term.Term

	// Driver, if it is set, makes what is executed in each run in place of Fn, which then is the function that the
	// exploration is about.
	Driver func() Driver
}

// exploration is the state of one.
type exploration struct {
	program *Program
	config  Config
	entry   Entry
	ctx     context.Context
	store   *term.Store
	solver  solve.Solver
	memo    map[string]bool
	result  *Result
	work    [][]int // prefixes to explore, the next last
	steps   int     // instructions of all runs
	before  int     // steps of the solver before
}

// Explore finds the paths of a function, by the bounds of a configuration. It never fails: what was left out is in the
// result.
func (p *Program) Explore(ctx context.Context, store *term.Store, solver solve.Solver, entry Entry, c Config) *Result {
	x := &exploration{program: p, config: c.defaults(), entry: entry, ctx: ctx, store: store, solver: solver,
		before: solver.Stats().Steps, work: [][]int{nil},
		memo: map[string]bool{}, result: &Result{Cuts: map[string]int{}}}
	for len(x.work) > 0 {
		if why := x.exhausted(); why != "" {
			x.result.Cuts[why] += len(x.work)
			break
		}
		x.one(x.next())
		if x.result.Defect != "" {
			break
		}
	}
	x.result.Work = x.worked()
	return x.result
}

// next takes the prefix to explore next: the deepest. Where the work is bounded, and half of it is done, that is the
// shallowest. What is deep in one path of many that are alike is of less use than a path that leaves it early.
func (x *exploration) next() (prefix []int) {
	i := len(x.work) - 1
	if x.config.Work > 0 && x.worked() > x.config.Work/2 {
		for k, other := range x.work {
			if len(other) < len(x.work[i]) {
				i = k
			}
		}
	}
	prefix = x.work[i]
	x.work = slices.Delete(x.work, i, i+1)
	return prefix
}

// HardStep is the work of a step of the solver that was over without an answer: it takes as long as so many
// instructions.
const HardStep = 1000

// worked gives the work of all runs, in instructions. A question counts as 50 of them, and a hard one as more.
func (x *exploration) worked() int {
	return x.steps + 50*x.result.Queries + HardStep*(x.solver.Stats().Steps-x.before)
}

// exhausted says which bound on the whole exploration is reached.
func (x *exploration) exhausted() string {
	switch {
	case x.ctx.Err() != nil:
		return "the time is over"
	case x.result.Runs >= x.config.Paths:
		return fmt.Sprintf("more than %d paths", x.config.Paths)
	case x.config.Work > 0 && x.worked() >= x.config.Work:
		return fmt.Sprintf("the work of all paths is more than %d", x.config.Work)
	case x.result.Queries >= x.config.Queries:
		return fmt.Sprintf("more than %d questions to the solver", x.config.Queries)
	}
	return ""
}

// one executes one path.
func (x *exploration) one(prefix []int) {
	x.result.Runs++
	r := &run{exploration: x, prefix: prefix, path: &Path{}, inputs: map[*term.Term]*Place{},
		globals: map[*ssa.Global]*Object{}, named: map[string]Value{},
		written: map[string]bool{}, blocks: map[*ssa.BasicBlock]bool{}, branches: map[Branch]bool{}, marked: map[Mark]bool{},
		fresh: map[string]int{}, grown: map[*Object]bool{}, guess: map[*Object]*guess{}, doing: map[pointerKey]bool{},
		spawned: map[*term.Term]bool{}, vague: map[*term.Term]bool{}, wraps: map[*Object][]Value{}}
	r.guarded(func() {
		r.execution()
		r.finish()
	})
	x.steps += r.steps
	if x.result.Defect != "" {
		return
	}
	if r.path.Exit == Cut {
		x.result.Cuts[r.path.Why]++
	}
	x.result.Paths = append(x.result.Paths, r.path)
}

// execution runs the function and notes how it ends.
func (r *run) execution() {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *thrown:
			r.path.Exit, r.path.Why, r.path.Panic, r.path.Pos = Panic, v.why, v.val, v.pos
		case *stop:
			r.path.Exit, r.path.Why, r.path.Pos = v.exit, v.why, v.pos
		default:
			panic(v)
		}
		r.frame, r.depth = nil, 0
	}()
	fn := r.entry.Fn
	if r.entry.Driver != nil {
		r.driven()
		return
	}
	if r.entry.Handler {
		r.receive()
	}
	for i, p := range fn.Params {
		r.path.Args = append(r.path.Args, r.parameter(i, p))
	}
	switch v := r.callEntry(fn).(type) {
	case nil:
	case Tuple:
		r.path.Results = v
	default:
		r.path.Results = []Value{v}
	}
}

// parameter makes the input for a parameter.
func (r *run) parameter(i int, p *ssa.Parameter) Value {
	name := ParameterName(i, p)
	if r.entry.Handler {
		return r.handed(i, name, p.Type())
	}
	return r.input(root(name, p.Type()))
}

// ParameterName gives the name of the inputs of a parameter, by its place among the parameters.
func ParameterName(i int, p *ssa.Parameter) string {
	if name := p.Name(); name != "" && name != "_" {
		return name
	}
	return fmt.Sprintf("arg%d", i)
}

// CapturedName names the input that a captured variable is. Those of a handler that are not captured have names of
// their own: the message, who sent it, and answers.
func CapturedName(v *ssa.FreeVar) string {
	name := v.Name()
	if name == "msg" || name == "sender" || name == "self" || strings.HasPrefix(name, "answer") {
		return name + "~"
	}
	return name
}

func (r *run) callEntry(fn *ssa.Function) Value {
	var free []Value
	for _, v := range fn.FreeVars {
		free = append(free, r.there(root(CapturedName(v), v.Type())))
	}
	return r.enter(fn, slices.Clone(r.path.Args), free, nil)
}

// guarded does something, and tells of a failure of this package as a defect of the exploration.
func (r *run) guarded(do func()) {
	defer func() {
		if v := recover(); v != nil {
			r.result.Defect = fmt.Sprintf("%v in %s%s: %s", v, r.entry.Fn, r.instructionText(), failedAt())
		}
	}()
	do()
}

// instructionText tells which instruction runs.
func (r *run) instructionText() string {
	if r.frame == nil || r.frame.instr == nil {
		return ""
	}
	return fmt.Sprintf(", at %q of %s (%s)", r.frame.instr, r.frame.fn, r.program.load.Position(r.pos()))
}

// failedAt names the functions of this package in which it failed.
func failedAt() string {
	buf := make([]byte, 1<<14)
	buf = buf[:runtime.Stack(buf, false)]
	var names []string
	for line := range strings.Lines(string(buf)) {
		if strings.Contains(line, "/symbolic/") && strings.Contains(line, ".go:") {
			place := strings.Fields(line)[0]
			names = append(names, place[strings.LastIndexByte(place, '/')+1:])
		}
	}
	return strings.Join(names[:min(len(names), 8)], " < ")
}

// ask asks the solver whether all conditions may hold together.
func (x *exploration) ask(conds []*term.Term) solve.Answer {
	return x.solver.Check(x.ctx, conds...).Answer
}
