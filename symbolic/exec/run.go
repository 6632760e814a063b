package exec

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// run is one execution.
type run struct {
	*exploration
	prefix []int // decisions to take first
	path   *Path

	objects   int
	inputs    map[*term.Term]*Place
	sizes     []*term.Term // conditions on the sizes among them, which hold of all that can be made
	lazies    []*InputPtr  // what pointers among the inputs lead to, in the order of looking
	globals   map[*ssa.Global]*Object
	named     map[string]Value // inputs by name, so that each is made once
	written   map[string]bool
	blocks    map[*ssa.BasicBlock]bool
	branches  map[Branch]bool
	marked    map[Mark]bool
	steps     int
	writes    int // to memory
	older     int // of these to memory that was there at the fence
	fence     int // what is made behind it has greater numbers
	depth     int
	fresh     map[string]int      // counts names that calls outside give
	frame     *frame              // that runs
	message   Value               // that is handled, nil in a plain function
	children  []*term.Term        // of the actor, that GoAkt has given
	responded bool                // to that, in GoAkt
	wraps     map[*Object][]Value // errors that an error was made of
	memories  []*Object           // of inputs
	maps      []*Map              // of inputs
	vague     map[*term.Term]bool // conditions on what is not modelled
	grown     map[*Object]bool    // memory whose capacity append has chosen
	guess     map[*Object]*guess  // and what that may make a difference to
	spawned   map[*term.Term]bool // references to actors that this run has created
	doing     map[pointerKey]bool // calls of sync.Once that are not over
	acting    *term.Term          // the new actor whose start hook runs, nil for the actor of the entry
	machine   *Machine            // for the driver, if there is one

	// packages whose variables have got their values, nil unless the run is of a whole program
	initialised map[*ssa.Package]bool

	// reads package variables that the program may have changed before the run began; nil: it begins with the program
	begun        func(*ssa.Global) (Value, bool)
	reread       map[*ssa.Global]bool // those that were
	initialising int

	reproduced bool // props have got another producer
}

// stop ends an execution: a cut, or the function's own end in the middle.
type stop struct {
	exit Exit
	why  string
	pos  token.Pos
}

// cut ends the execution because of a bound.
func (r *run) cut(format string, args ...any) {
	panic(&stop{Cut, fmt.Sprintf(format, args...), r.pos()})
}

// pos is where the execution is.
func (r *run) pos() token.Pos {
	for f := r.frame; f != nil; f = f.up {
		if f.at.IsValid() {
			return f.at
		}
	}
	return token.NoPos
}

// mark notes that the path is less than exact.
func (r *run) mark(kind MarkKind, format string, args ...any) {
	m := Mark{kind, fmt.Sprintf(format, args...), r.pos()}
	if !r.marked[m] {
		r.marked[m] = true
		r.path.Marks = append(r.path.Marks, m)
	}
}

// assume adds a condition that the rest of the path may rely on: all inputs have it, or those that this path is for.
func (r *run) assume(c *term.Term) { r.condition(c, true) }

func (r *run) condition(c *term.Term, given bool) {
	if c.True() || slices.ContainsFunc(r.path.PC, func(known Cond) bool { return known.Term == c }) {
		return
	}
	var fn *ssa.Function
	if r.frame != nil {
		fn = r.frame.fn
	}
	if r.unmodelled(c) {
		r.mark(Unsure, "a condition depends on what is not modelled: %v", c)
	}
	r.path.PC = append(r.path.PC, Cond{c, r.pos(), fn, given})
}

// truth decides a condition.
func (r *run) truth(c *term.Term) bool {
	switch {
	case c.True():
		return true
	case c.False():
		return false
	}
	return r.fork(c, r.store.Not(c)) == 0
}

// fork takes one of several outcomes, of which one and only one holds. The others are left to later executions.
func (r *run) fork(outcomes ...*term.Term) int {
	var live []int
	for i, c := range outcomes {
		if c.True() {
			return i
		}
		if !c.False() {
			live = append(live, i)
		}
	}
	if len(live) == 0 {
		panic(fmt.Sprintf("exec: none of %v holds", outcomes))
	}
	if n := len(r.path.Decisions); n < len(r.prefix) {
		i := r.prefix[n]
		r.take(i, outcomes[i])
		return i
	}
	if chance := r.config.Chance; chance != nil {
		chance.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	}
	var possible []int
	for n, i := range live {
		if r.config.Chance != nil && len(possible) > 0 {
			break
		}
		if n == len(live)-1 && len(possible) == 0 || r.possible(outcomes[i]) {
			possible = append(possible, i)
		}
	}
	for _, i := range slices.Backward(possible[1:]) {
		r.work = append(r.work, append(slices.Clone(r.path.Decisions), i))
	}
	r.take(possible[0], outcomes[possible[0]])
	return possible[0]
}

func (r *run) take(i int, c *term.Term) {
	r.path.Decisions = append(r.path.Decisions, i)
	r.condition(c, false)
}

// possible reports whether a condition may hold on this path.
func (r *run) possible(c *term.Term) bool {
	key := make([]int, 0, len(r.path.PC)+1)
	conds := make([]*term.Term, 0, len(r.path.PC)+1)
	for _, known := range r.path.PC {
		conds = append(conds, known.Term)
	}
	conds = append(append(conds, r.sizes...), c)
	for _, t := range conds {
		key = append(key, t.ID)
	}
	slices.Sort(key)
	k := fmt.Sprint(slices.Compact(key))
	if known, ok := r.memo[k]; ok {
		return known
	}
	if r.ctx.Err() != nil {
		r.cut("the time is over")
	}
	if r.result.Queries >= r.config.Queries {
		r.cut("more than %d questions to the solver", r.config.Queries)
	}
	if r.config.Work > 0 && r.worked()+r.steps >= 2*r.config.Work { // one path may ask many hard questions
		r.cut("the work of all paths is more than %d", r.config.Work)
	}
	r.result.Queries++
	answer := r.ask(conds)
	if answer == solve.Unknown {
		if r.result.Unknown++; r.config.Chance != nil {
			r.cut("a question that the solver leaves open")
		}
	}
	r.memo[k] = answer != solve.Unsat
	return r.memo[k]
}

// variable gives the variable that tells something of a place.
func (r *run) variable(at *Place, aspect string, sort term.Sort) *term.Term {
	if t := r.entry.Known[at.Name+aspect]; t != nil && t.Sort == sort && at.own() {
		return t
	}
	v := r.store.Var(at.Name+aspect, sort)
	if r.inputs[v] == nil {
		r.inputs[v] = at
		in := Input{v, at, aspect}
		r.path.Inputs = append(r.path.Inputs, in)
		r.sizes = append(r.sizes, Sizes(r.store, []Input{in})...)
	}
	return v
}

// outside gives the name of something that comes from outside of the program, each time another.
func (r *run) outside(what string) string {
	for {
		r.fresh[what]++
		name := fmt.Sprintf("%s%d", what, r.fresh[what])
		if !slices.ContainsFunc(r.entry.Fn.Params, func(p *ssa.Parameter) bool { return p.Name() == name }) {
			return name
		}
	}
}
