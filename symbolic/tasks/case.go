package tasks

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Case is a class of inputs, with a schedule, and what comes of them.
type Case struct {
	Verdict string // returned, no reply, or how the program failed
	// on the inputs: msg is the message, queued1 the first in the queue, the actor has the name of its receiver
	Constraints []*term.Term
	Initial     []exec.Named // the actor's state before, as far as it was used
	Final       []exec.Named // after, with that of actors that were created
	Result      []exec.Named
	Queued      []string // messages in the queue in the beginning
	Priorities  []string // of the tested actor's tasks, the highest first; (await) is the tested handler
	Steps       []Step
	Sent        []Sent
	Deeds       []Deed       // what actors of the case do to actors, in the order of all
	Pending     []types.Type // of the messages in the queue in the beginning
	Self        *term.Term   // the tested actor
	Sender      *term.Term   // who has sent the message, and gets the result
	Waiting     []string     // tasks that wait in the end
	Marks       []exec.Mark  // why the case is less than exact, or not sure
	Instance    Instance
	Model       *term.Model // that Instance is of; nil: none was found
	Path        *exec.Path  // that the case was made of
	Answers     []*Answer   // of protoactor-go, by actors outside of the run, in the order of asking
	Stashed     []string    // tasks of protoactor-go whose messages come again when their actors restart

	conditions []string // the constraints for people
}

// Instance gives one input of a case, and what comes of it. Nil maps: the solver has found none.
type Instance struct {
	Inputs, Final, Result map[string]term.Value
}

// newCase makes the case of a path.
func (p *Program) newCase(ctx context.Context, solver solve.Solver, s *scheduler, path *exec.Path) *Case {
	c := &Case{Verdict: verdict(s, path), Queued: s.queued, Steps: s.steps, Sent: s.sent, Waiting: s.gone,
		Marks: path.Marks, Result: s.value, Stashed: s.stashed, Path: path,
		Deeds: s.deeds, Pending: s.pending, Self: s.objects[0].ref, Sender: s.result.ref}
	for _, f := range s.asked {
		if f.open != nil {
			c.Answers = append(c.Answers, f.open)
		}
	}
	var given []*term.Term
	for _, cond := range path.PC {
		if given = append(given, cond.Term); !cond.Given {
			c.Constraints = append(c.Constraints, cond.Term)
			c.conditions = append(c.conditions, p.exec.Readable(cond.Term))
		}
	}
	c.states(p.store, s, path)
	if s.config.Policy == Priority {
		for _, t := range s.objects[0].order {
			name := t.name
			if t.answer != nil && t.answer == s.result && s.framework == nil {
				name += " (await)"
			}
			c.Priorities = append(c.Priorities, name)
		}
	}
	c.instance(ctx, p.store, solver, given, path)
	return c
}

// key tells two cases apart that differ in more than when an answer comes that changes nothing until later.
func (c *Case) key() string {
	var answers []string
	for _, a := range c.Answers {
		answers = append(answers, a.Name, a.How)
	}
	steps := slices.Clone(c.Steps)
	for i := range steps {
		steps[i].Came = 0
	}
	return fmt.Sprintln(c.Verdict, c.Constraints, c.Queued, c.Priorities, steps, c.Final, c.Result, c.Sent, c.Waiting,
		c.Stashed, c.Marks, answers)
}

func verdict(s *scheduler, path *exec.Path) string {
	switch {
	case path.Exit != exec.Return:
		return path.Exit.String() + ": " + path.Why
	case !s.result.done:
		return "no reply"
	}
	return "returned"
}

// states lists the fields that were used, before and after.
func (c *Case) states(store *term.Store, s *scheduler, path *exec.Path) {
	recv := s.tested.Fn.Params[0].Name() + "."
	now := map[string]*term.Term{}
	for _, in := range path.Inputs {
		if strings.HasPrefix(in.Var.Name, recv) {
			now[in.Var.Name] = in.Var
			c.Initial = append(c.Initial, exec.Named{Name: in.Var.Name, Term: in.Var})
		}
	}
	for _, out := range path.Out {
		if now[out.Name] == nil && strings.HasPrefix(out.Name, recv) {
			c.Initial = append(c.Initial, exec.Named{Name: out.Name, Term: store.Var(out.Name, out.Term.Sort)})
		}
		now[out.Name] = out.Term
	}
	for name, t := range now {
		c.Final = append(c.Final, exec.Named{Name: name, Term: t})
	}
	sortNamed(c.Initial)
	sortNamed(c.Final)
	c.Final = append(c.Final, s.made...)
}

func sortNamed(list []exec.Named) {
	slices.SortFunc(list, func(a, b exec.Named) int { return strings.Compare(a.Name, b.Name) })
}

// instance finds an input that people like to read, and evaluates the case on it.
func (c *Case) instance(ctx context.Context, store *term.Store, solver solve.Solver, given []*term.Term,
	path *exec.Path) {
	inputs := slices.Clone(c.Initial)
	for _, in := range path.Inputs {
		if in.Aspect == "" && !slices.ContainsFunc(inputs, func(n exec.Named) bool { return n.Term == in.Var }) {
			inputs = append(inputs, exec.Named{Name: in.Var.Name, Term: in.Var})
		}
	}
	sortNamed(inputs)
	var terms []*term.Term
	for _, n := range inputs {
		terms = append(terms, n.Term)
	}
	found := solve.Minimise(ctx, solver, store, given, terms, nil)
	if found.Answer != solve.Sat {
		return
	}
	values := func(list []exec.Named) map[string]term.Value {
		m := map[string]term.Value{}
		for _, n := range list {
			m[n.Name] = found.Model.Eval(n.Term)
		}
		return m
	}
	c.Model = found.Model
	c.Instance = Instance{values(inputs), values(c.Final), values(c.Result)}
}
