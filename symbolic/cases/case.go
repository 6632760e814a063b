package cases

import (
	"go/token"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Verdict says how a case ends.
type Verdict uint8

// The verdicts.
const (
	Returned Verdict = iota
	Panicked
	Failed  // an assertion of a test: the handler goes on after Errorf, and not after Fatal
	NoReply // the handler returns, and its caller waits forever
	Waits   // the handler does not come to its end
)

func (v Verdict) String() string {
	return [...]string{"returned", "panicked", "failed", "no reply", "waits"}[v]
}

// Fails reports whether the program does what it should not.
func (v Verdict) Fails() bool { return v == Panicked || v == Failed }

// Confirmation is what an execution of an instance has shown.
type Confirmation string

// The confirmations.
const (
	NotExecuted  Confirmation = ""
	Confirmed    Confirmation = "confirmed"    // the program does what the case says
	Contradicted Confirmation = "contradicted" // it does not
)

// Case is a class of inputs of a target, and what comes of it. It keeps its symbolic form beside one instance.
type Case struct {
	Target  *Target
	Name    string // from the conditions: unique in the target, and the same as long as they are
	Verdict Verdict
	Why     string    // of a panic its kind or text, of a failed assertion the function
	Pos     token.Pos // of what fails

	Constraints []*term.Term // conditions that the program decided
	Assumed     []*term.Term // conditions of Config.Assume on its inputs
	Domain      []*term.Term // conditions of Config.Numbers and Config.Strings
	Kept        []*term.Term // conditions of fields that keep what constructors give them
	Accepted    []*term.Term // the condition that the actor takes the message
	Sizes       []*term.Term // conditions that slices and maps are not too large to be made
	Initial     []exec.Named // the state of the actor before, or of the function's parameters, as far as it was used
	Final       []exec.Named // after, with that of actors that were created
	Result      []exec.Named // of a function, or the reply that tasks tell
	// what the handler does to actors, in its order; under tasks only what these do not do themselves
	Events []exec.Event
	Marks  []exec.Mark // why the case is less than exact, or not sure

	// Of tasks.
	Task       *tasks.Case  // nil: it is none of package tasks
	Sent       []tasks.Sent // messages to actors that the run does not have
	Queued     []string     // messages in the queue in the beginning: queued1 is the first
	Priorities []string     // the highest first; (await) is the tested handler
	Steps      []tasks.Step
	Waiting    []string        // tasks that wait in the end
	Answers    []*tasks.Answer // of protoactor-go, by actors outside of the run, in the order of asking
	Stashed    []string        // tasks of protoactor-go whose messages come again when their actors restart

	// Of a case that fails: how its state comes about, or why that is not known.
	Reached      *Reached
	StateAssumed string

	// What an execution of the instance has shown; set by those who execute it. Note says more.
	Confirmed Confirmation
	Note      string

	Path       *exec.Path   // what values are made of
	Inputs     []exec.Input // all variables of the case
	Model      *term.Model  // an instance that people like to read; nil: none was found
	NoInstance string       // why there is no instance
}

// Conditions lists all that inputs of the case have.
func (c *Case) Conditions() []*term.Term {
	var list []*term.Term
	for _, cond := range c.Path.PC {
		list = append(list, cond.Term)
	}
	return slices.Concat(list, c.Assumed, c.Domain, c.Kept, c.Accepted, c.Sizes)
}

// Exact reports whether the program does what the case says, on every input of the case.
func (c *Case) Exact() bool { return len(c.Marks) == 0 }

// plainCase makes the case of a path.
func (p *Program) plainCase(t *Target, path *exec.Path) *Case {
	c := &Case{Target: t, Path: path, Events: path.Events, Marks: path.Marks, Inputs: slices.Clone(path.Inputs)}
	c.ends()
	c.constrained()
	c.states(p.store)
	c.Result = path.Returned
	return c
}

// tasksCase makes the case of one of package tasks.
func tasksCase(t *Target, k *tasks.Case) *Case {
	c := &Case{Target: t, Path: k.Path, Events: k.Path.Events, Marks: k.Marks, Inputs: slices.Clone(k.Path.Inputs),
		Constraints: k.Constraints,
		Initial:     k.Initial, Final: k.Final, Result: k.Result, Sent: k.Sent, Queued: k.Queued, Priorities: k.Priorities,
		Steps: k.Steps, Waiting: k.Waiting,
		Answers: k.Answers, Stashed: k.Stashed, Task: k}
	c.ends()
	if c.Verdict == Returned && k.Verdict == "no reply" {
		c.Verdict = NoReply
	}
	return c
}

// Deeds lists what the actors of the case do to actors, those of package tasks and that of the path in one order.
func (c *Case) Deeds() []exec.Event {
	if c.Task == nil {
		return c.Events
	}
	var list []exec.Event
	done := 0
	for _, d := range c.Task.Deeds {
		list = append(list, c.Events[done:d.After]...)
		list, done = append(list, d.Event), d.After
	}
	return append(list, c.Events[done:]...)
}

// ends tells how the case ends.
func (c *Case) ends() {
	c.Pos = c.Path.Pos
	switch c.Path.Exit {
	case exec.Panic:
		c.Verdict, c.Why = Panicked, c.Path.Why
	case exec.Assert:
		c.Verdict, c.Why = Failed, c.Path.Why
	case exec.Refused:
		c.Verdict, c.Why = Waits, c.Path.Why
	default:
		if i := slices.IndexFunc(c.Events, func(e exec.Event) bool { return e.Op == "fail" }); i >= 0 {
			c.Verdict, c.Why, c.Pos = Failed, "Error", c.Events[i].Pos
		}
	}
}

// constrained lists what the program decided.
func (c *Case) constrained() {
	for _, cond := range c.Path.PC {
		if !cond.Given {
			c.Constraints = append(c.Constraints, cond.Term)
		}
	}
}

// states lists the state that was used, before and after.
func (c *Case) states(store *term.Store) {
	names := c.Target.stateNames()
	now := map[string]*term.Term{}
	for _, in := range c.Path.Inputs {
		if slices.Contains(names, rootOf(in.At).Name) {
			now[in.Var.Name] = in.Var
			c.Initial = append(c.Initial, exec.Named{Name: in.Var.Name, Term: in.Var})
		}
	}
	for _, out := range c.Path.Out {
		if !slices.ContainsFunc(names, func(name string) bool { return below(out.Name, name) }) {
			continue
		}
		if now[out.Name] == nil {
			c.Initial = append(c.Initial, exec.Named{Name: out.Name, Term: store.Var(out.Name, out.Term.Sort)})
		}
		now[out.Name] = out.Term
	}
	for name, t := range now {
		c.Final = append(c.Final, exec.Named{Name: name, Term: t})
	}
	sortNamed(c.Initial)
	sortNamed(c.Final)
}

func sortNamed(list []exec.Named) {
	slices.SortFunc(list, func(a, b exec.Named) int { return strings.Compare(a.Name, b.Name) })
}

// rootOf gives the parameter, package variable or the like that a place is in.
func rootOf(at *exec.Place) *exec.Place {
	for at.Up != nil {
		at = at.Up
	}
	return at
}

// below reports whether a name is one of a part of what another name stands for.
func below(name, root string) bool {
	rest, ok := strings.CutPrefix(name, root)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], ".[!"))
}

// stateNames gives the names of what keeps the state: the receiver of a handler, or what it captures; all parameters of
// a function.
func (t *Target) stateNames() (names []string) {
	for _, v := range t.Fn.FreeVars {
		names = append(names, exec.CapturedName(v))
	}
	if t.Kind != Function {
		if t.Fn.Signature.Recv() != nil {
			names = append(names, exec.ParameterName(0, t.Fn.Params[0]))
		}
		return names
	}
	for i, v := range t.Fn.Params {
		names = append(names, exec.ParameterName(i, v))
	}
	return names
}

// self names the identity of the actor, "" if there is none.
func (t *Target) self() string {
	if t.Kind == Function || t.Fn.Signature.Recv() == nil {
		return ""
	}
	return exec.ParameterName(0, t.Fn.Params[0]) + "!ref"
}
