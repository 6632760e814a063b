package prototest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds values of the real program by the names that cases give them.

// inputs are the values that a case may depend on, by the names of their roots.
type inputs struct {
	roots   map[string]reflect.Value
	program *exec.Program
	keys    map[string]string // of indices and keys as names have them: their values in the beginning
	refs    map[string]uint64 // identities of references
}

func newInputs(program *exec.Program) *inputs {
	return &inputs{map[string]reflect.Value{}, program, map[string]string{}, map[string]uint64{}}
}

// model gives the variables of terms their values.
func (in *inputs) model(terms ...*term.Term) (*term.Model, error) {
	m := &term.Model{Vars: map[*term.Term]term.Value{}}
	for _, v := range term.Vars(terms...) {
		x, err := in.value(v.Name, v.Sort)
		if err != nil {
			return nil, err
		}
		m.Vars[v] = x
	}
	return m, nil
}

// value gives what a name stands for.
func (in *inputs) value(name string, sort term.Sort) (term.Value, error) {
	path, aspect, _ := strings.Cut(name, "!")
	v, has, err := in.walk(path)
	if err != nil {
		return term.Value{}, fmt.Errorf("%s: %w", name, err)
	}
	switch aspect {
	case "has":
		return term.BoolValue(has), nil
	case "len":
		return term.WordValue(sort, uint64(length(v))), nil
	case "isNil":
		return term.BoolValue(v.IsValid() && v.IsNil()), nil
	case "type":
		return term.WordValue(sort, in.number(v)), nil
	case "ref":
		return term.WordValue(sort, in.identity(v)), nil
	}
	return in.scalar(v, sort)
}

func length(v reflect.Value) int {
	if !v.IsValid() {
		return 0
	}
	return v.Len()
}

func (in *inputs) scalar(v reflect.Value, sort term.Sort) (term.Value, error) {
	switch {
	case !v.IsValid():
		return term.Value{Sort: sort}, nil
	case v.CanInt():
		return term.WordValue(sort, uint64(v.Int())), nil
	case v.CanUint():
		return term.WordValue(sort, v.Uint()), nil
	case v.Kind() == reflect.Bool:
		return term.BoolValue(v.Bool()), nil
	case v.Kind() == reflect.String:
		return term.TextValue(v.String()), nil
	}
	return term.Value{}, fmt.Errorf("a %s is no scalar", v.Kind())
}

// identity numbers what references and pointers lead to; 0 is nil.
func (in *inputs) identity(v reflect.Value) uint64 {
	if !v.IsValid() || v.IsNil() {
		return 0
	}
	key := fmt.Sprint(v.Pointer())
	if v.Type().String() == "*actor.PID" {
		key = v.Elem().FieldByName("Id").String()
	}
	if _, ok := in.refs[key]; !ok {
		in.refs[key] = uint64(len(in.refs) + 2)
	}
	return in.refs[key]
}

// number gives the number that conditions have for the type of what an interface holds; 0 is nil, and one that no
// condition has stands for all others.
func (in *inputs) number(v reflect.Value) uint64 {
	if !v.IsValid() || v.IsNil() {
		return 0
	}
	for n := uint64(1); ; n++ {
		switch t := in.program.Type(n); {
		case t == nil:
			return 1<<15 - 1
		case model.MessageName(t) == v.Elem().Type().String():
			return n
		}
	}
}

// walk goes down a path. It reports whether the last key of it is in its map, and gives the zero Value where there is
// nothing.
func (in *inputs) walk(path string) (v reflect.Value, has bool, err error) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	v, known := in.roots[path[:end]]
	if !known {
		return v, false, fmt.Errorf("there is no %s", path[:end])
	}
	for rest := path[end:]; rest != ""; {
		for v.IsValid() && v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() {
			return v, false, nil
		}
		var step string
		if step, rest, err = cut(rest); err != nil {
			return v, false, err
		}
		if v, has, err = in.step(v, step); err != nil {
			return v, false, err
		}
	}
	return v, has, nil
}

// cut takes the first step from a path: a field, an assertion, or an index.
func cut(path string) (step, rest string, err error) {
	closing := map[byte]byte{'[': ']', '(': ')'}
	start := 0
	if strings.HasPrefix(path, ".(") {
		start = 1
	}
	want := closing[path[start]]
	if want == 0 {
		end := strings.IndexAny(path[1:], ".[")
		if end < 0 {
			return path, "", nil
		}
		return path[:end+1], path[end+1:], nil
	}
	depth := 0
	for i := start; i < len(path); i++ {
		switch path[i] {
		case path[start]:
			depth++
		case want:
			if depth--; depth == 0 {
				return path[:i+1], path[i+1:], nil
			}
		}
	}
	return "", "", fmt.Errorf("%q is not closed", path)
}

func (in *inputs) step(v reflect.Value, step string) (reflect.Value, bool, error) {
	switch {
	case strings.HasPrefix(step, ".("):
		if v.IsNil() || v.Elem().Type().String() != strings.Trim(step, ".()") {
			return reflect.Value{}, false, nil
		}
		return v.Elem(), true, nil
	case step[0] == '.':
		f := v.FieldByName(step[1:])
		if !f.IsValid() {
			return f, false, fmt.Errorf("no field %s in %s", step, v.Type())
		}
		return f, true, nil
	}
	key, err := in.key(step[1 : len(step)-1])
	if err != nil {
		return v, false, err
	}
	if v.Kind() == reflect.Map {
		e := v.MapIndex(reflect.ValueOf(key).Convert(v.Type().Key()))
		return e, e.IsValid(), nil
	}
	i, err := strconv.Atoi(key)
	if err != nil || i >= v.Len() {
		return reflect.Value{}, false, err
	}
	return v.Index(i), true, nil
}

// key gives the value in the beginning of a key, of strings, or an index.
func (in *inputs) key(text string) (string, error) {
	if known, ok := in.keys[text]; ok {
		return known, nil
	}
	store := term.NewStore()
	t, _, err := term.Parse(store, text, term.Names{Var: in.typed})
	if err != nil {
		return "", fmt.Errorf("key %s: %w", text, err)
	}
	m, err := in.model(t)
	if err != nil {
		return "", err
	}
	x := m.Eval(t)
	in.keys[text] = x.Text
	if x.Sort.Kind == term.WordKind {
		in.keys[text] = fmt.Sprint(x.Int())
	}
	return in.keys[text], nil
}

// typed tells the parser of terms what a variable is.
func (in *inputs) typed(name string) (term.Type, bool) {
	if strings.HasSuffix(name, "!len") {
		return term.Type{Sort: term.Word(64)}, true
	}
	v, _, err := in.walk(name)
	switch {
	case err != nil || !v.IsValid():
		return term.Type{}, false
	case v.Kind() == reflect.String:
		return term.Type{Sort: term.String}, true
	}
	return term.Type{Sort: term.Word(64)}, v.CanInt()
}
