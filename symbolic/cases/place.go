package cases

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds the input that an expression of Go means, as package exec names it.

// walk gives the place that a path of selectors and indices means, from the place of its base.
func walk(x ast.Expr, base func(name string) *exec.Place) (*exec.Place, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return walk(x.X, base)
	case *ast.Ident:
		if at := base(x.Name); at != nil {
			return at, nil
		}
		return nil, fmt.Errorf("nothing is called %s", x.Name)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok { // a type with its package
			if at := base(id.Name + "." + x.Sel.Name); at != nil {
				return at, nil
			}
		}
		at, err := walk(x.X, base)
		if err != nil {
			return nil, err
		}
		return selected(at, x.Sel.Name)
	case *ast.IndexExpr:
		at, err := walk(x.X, base)
		if err != nil {
			return nil, err
		}
		return indexed(at, x.Index)
	}
	return nil, fmt.Errorf("%s is no field or element", types.ExprString(x))
}

// selected gives the place of a field, also one of an embedded struct.
func selected(at *exec.Place, name string) (*exec.Place, error) {
	obj, index, _ := types.LookupFieldOrMethod(at.Type, true, packageOfType(at.Type), name)
	if v, ok := obj.(*types.Var); !ok || !v.IsField() {
		return nil, fmt.Errorf("%s has no field %s%s", typeText(at.Type), name, fieldsOf(at.Type))
	}
	for _, i := range index {
		at = behind(at)
		f := at.Type.Underlying().(*types.Struct).Field(i)
		at = &exec.Place{Name: at.Name + "." + f.Name(), Type: f.Type(), Up: at, Step: exec.Field, Index: i}
	}
	return at, nil
}

// behind gives the place of what a pointer to a struct leads to, which has the pointer's name.
func behind(at *exec.Place) *exec.Place {
	if p, ok := at.Type.Underlying().(*types.Pointer); ok {
		return &exec.Place{Name: at.Name, Type: p.Elem(), Up: at, Step: exec.Deref}
	}
	return at
}

// indexed gives the place of an element of a slice or an array.
func indexed(at *exec.Place, index ast.Expr) (*exec.Place, error) {
	var elem types.Type
	switch u := at.Type.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	default:
		return nil, fmt.Errorf("an element of %s: want one of a slice or an array", typeText(at.Type))
	}
	lit, ok := index.(*ast.BasicLit)
	if !ok {
		return nil, fmt.Errorf("element %s: want a number", types.ExprString(index))
	}
	i, err := strconv.Atoi(lit.Value)
	if err != nil {
		return nil, fmt.Errorf("element %s: want a number", lit.Value)
	}
	return &exec.Place{Name: fmt.Sprintf("%s[%d]", at.Name, i), Type: elem, Up: at, Step: exec.Elem, Index: i}, nil
}

func packageOfType(t types.Type) *types.Package {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

// fieldsOf lists the fields of a struct.
func fieldsOf(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 {
		return ""
	}
	var names []string
	for f := range s.Fields() {
		names = append(names, f.Name())
	}
	return ": it has " + strings.Join(names, ", ")
}

// aspectOf gives the input that a place and a property of it are: "len" of a slice, "ref" for whether a pointer or
// interface is nil, "" for a value.
func aspectOf(at *exec.Place, property string) (exec.Input, term.Type, error) {
	reference := model.Reference(at.Type) || model.Stands(at.Type)
	switch at.Type.Underlying().(type) {
	case *types.Slice:
		if property == "len" {
			return exec.Input{At: at, Aspect: "!len"}, term.Type{Sort: term.Word64}, nil
		}
	case *types.Pointer, *types.Signature:
		if property == "ref" || reference && property == "" {
			return exec.Input{At: at, Aspect: "!ref"}, term.Type{Sort: term.Word16, Unsigned: true}, nil
		}
	case *types.Interface:
		if property == "ref" {
			return exec.Input{At: at, Aspect: "!type"}, term.Type{Sort: term.Word16, Unsigned: true}, nil
		}
	default:
		if reference && property == "" {
			return exec.Input{At: at, Aspect: "!ref"}, term.Type{Sort: term.Word16, Unsigned: true}, nil
		}
	}
	if t, ok := term.TypeOf(at.Type); ok && property == "" && !reference {
		return exec.Input{At: at}, t, nil
	}
	if property != "" {
		return exec.Input{}, term.Type{}, fmt.Errorf("%s of a value of type %s is not known before the program is run",
			property, typeText(at.Type))
	}
	return exec.Input{}, term.Type{}, fmt.Errorf("a value of type %s: want a number, a string, a truth value or a reference", typeText(at.Type))
}

// renaming gives inputs of some roots the names of others, all at once.
type renaming struct {
	roots *regexp.Regexp
	names map[string]string
}

func newRenaming(names map[string]string) renaming {
	var roots []string
	for name := range names {
		roots = append(roots, regexp.QuoteMeta(name))
	}
	slices.Sort(roots)
	return renaming{regexp.MustCompile(`(^|[^.\w"])(` + strings.Join(roots, "|") + `)\b`), names}
}

func (r renaming) name(s string) string {
	return r.roots.ReplaceAllStringFunc(s, func(found string) string {
		part := r.roots.FindStringSubmatch(found)
		return part[1] + r.names[part[2]]
	})
}

// place gives a place another root.
func (r renaming) place(at *exec.Place) *exec.Place {
	if at == nil {
		return nil
	}
	q := *at
	q.Name, q.Up = r.name(at.Name), r.place(at.Up)
	return &q
}

// terms renames the variables of terms.
func (r renaming) terms(store *term.Store, list []*term.Term) []*term.Term {
	return store.Subst(func(v *term.Term) *term.Term {
		if name := r.name(v.Name); name != v.Name {
			return store.Var(name, v.Sort)
		}
		return nil
	}).All(list)
}
