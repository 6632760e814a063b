package gentest

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// evaluator gives terms their values in a model, also where functions of the standard library are in them.
type evaluator struct {
	program *exec.Program
	model   *term.Model
	done    map[*term.Term]bool
	roots   map[*term.Term]*exec.Place // of the inputs
}

func newEvaluator(p *exec.Program, m *term.Model) *evaluator {
	return &evaluator{program: p, model: m, done: map[*term.Term]bool{}}
}

// value gives the value of a term. It fails where a function is in it of which nothing is known.
func (e *evaluator) value(t *term.Term) term.Value {
	for _, v := range term.Vars(t) {
		if at := e.roots[v]; at != nil && (at.Random || at.Clock) {
			fail("%s is another one each time", at.Name)
		}
	}
	term.Walk(func(a *term.Term) {
		if a.Op == term.OpApply && !e.done[a] {
			e.apply(a)
			e.done[a] = true
		}
	}, t)
	return e.model.Eval(t)
}

// apply notes the result of a function in the model.
func (e *evaluator) apply(a *term.Term) {
	var args []term.Value
	for _, x := range a.Args {
		args = append(args, e.model.Eval(x))
	}
	for _, row := range e.model.Funcs[a.Signature()] {
		same := true
		for i := range args {
			same = same && row.Args[i] == args[i]
		}
		if same {
			return
		}
	}
	result, ok := exec.Apply(a, args)
	if !ok {
		result, ok = e.library(a, args)
	}
	if !ok {
		fail("the result of %s is not known", a.Name)
	}
	if e.model.Funcs == nil {
		e.model.Funcs = map[string][]term.Entry{}
	}
	e.model.Funcs[a.Signature()] = append(e.model.Funcs[a.Signature()], term.Entry{Args: args, Result: result})
}

// library calls a function of the standard library.
func (e *evaluator) library(t *term.Term, args []term.Value) (term.Value, bool) {
	texts := func(do func(a, b string) bool) (term.Value, bool) {
		return term.BoolValue(do(args[0].Text, args[1].Text)), true
	}
	changed := func(do func(string) string) (term.Value, bool) { return term.TextValue(do(args[0].Text)), true }
	switch t.Name {
	case "fmt.Sprintf", "fmt.Errorf":
		if list, ok := e.variadic(t.Args[1:], args[1:]); ok {
			return term.TextValue(fmt.Sprintf(args[0].Text, list...)), true
		}
	case "fmt.Sprint", "fmt.Sprintln":
		if list, ok := e.variadic(t.Args, args); ok && t.Name == "fmt.Sprint" {
			return term.TextValue(fmt.Sprint(list...)), true
		} else if ok {
			return term.TextValue(fmt.Sprintln(list...)), true
		}
	case "strconv.Itoa":
		return term.TextValue(strconv.FormatInt(args[0].Int(), 10)), true
	case "strings.HasPrefix":
		return texts(strings.HasPrefix)
	case "strings.HasSuffix":
		return texts(strings.HasSuffix)
	case "strings.Contains":
		return texts(strings.Contains)
	case "strings.EqualFold":
		return texts(strings.EqualFold)
	case "strings.ToUpper":
		return changed(strings.ToUpper)
	case "strings.ToLower":
		return changed(strings.ToLower)
	case "strings.TrimSpace":
		return changed(strings.TrimSpace)
	}
	return term.Value{}, false
}

// variadic gives the arguments of a print function: their number, then type and value of each. Values that are no
// scalars, or that print themselves, are not known.
func (e *evaluator) variadic(ts []*term.Term, args []term.Value) (list []any, ok bool) {
	if len(args) == 0 {
		return nil, false
	}
	n := int(args[0].Int())
	ts, args = ts[1:], args[1:]
	for range n {
		if len(args) == 0 {
			return nil, false
		}
		t := e.program.Type(args[0].Uint())
		args, ts = args[1:], ts[1:]
		if t == nil {
			list = append(list, nil)
			continue
		}
		of, scalar := term.TypeOf(t)
		if !scalar || len(args) == 0 || types.NewMethodSet(t).Len() > 0 {
			return nil, false
		}
		list = append(list, native(of, args[0]))
		args, ts = args[1:], ts[1:]
	}
	return list, len(args) == 0
}

// native gives a scalar as Go has it.
func native(t term.Type, v term.Value) any {
	switch {
	case t.Kind == term.BoolKind:
		return v.Bool()
	case t.Kind == term.StringKind:
		return v.Text
	case t.Kind == term.FloatKind && t.Bits == 32:
		return float32(v.Float())
	case t.Kind == term.FloatKind:
		return v.Float()
	case t.Unsigned:
		return v.Uint()
	}
	return v.Int()
}
