package exec

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has Sprint and Sprintf of texts and whole numbers: their result is put together of these. Of all else, and
// of other formats, nothing is known but that the result depends on the arguments.

// printable is an argument that is printed in one way.
type printable struct {
	text   *term.Term
	number bool
}

// printables gives the arguments of a function that prints; false if one is of another kind.
func (r *run) printables(v Value) (list []printable, ok bool) {
	s := r.mustSlice(v)
	if s.mem.Obj != nil && s.len < 0 {
		return nil, false
	}
	for _, e := range r.elems(s) {
		f, ok := settled(r.force(e)).(Face)
		if !ok || f.Type == nil {
			return nil, false
		}
		p, ok := r.printable(f)
		if !ok {
			return nil, false
		}
		list = append(list, p)
	}
	return list, true
}

// printable gives what is printed of a value. Types with methods may print themselves.
func (r *run) printable(f Face) (p printable, ok bool) {
	if n, named := types.Unalias(f.Type).(*types.Named); named && n.NumMethods() > 0 {
		return p, false
	}
	b, ok := f.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return p, false
	}
	t, ok := r.force(f.Val).(*term.Term)
	switch {
	case !ok:
		return p, false
	case b.Info()&types.IsString != 0:
		return printable{text: t}, true
	case b.Info()&types.IsUnsigned == 0:
		return printable{r.decimal(r.wide(t, f.Type)), true}, true
	}
	return printable{r.digits(r.wide(t, f.Type)), true}, true
}

// sprint is fmt.Sprint, which puts spaces between numbers.
func sprint(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	list, ok := r.printables(args[0])
	if !ok {
		return nil, false
	}
	var all []*term.Term
	for i, p := range list {
		if i > 0 && p.number && list[i-1].number {
			all = append(all, r.store.Text(" "))
		}
		all = append(all, p.text)
	}
	return r.store.Concat(all...), true
}

// sprintf is fmt.Sprintf with nothing but %d, %s, %v and %%.
func sprintf(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	format, ok := args[0].(*term.Term)
	if !ok || !format.Const() {
		return nil, false
	}
	list, ok := r.printables(args[1])
	if !ok {
		return nil, false
	}
	var all []*term.Term
	before, rest, found := strings.Cut(format.Value().Text, "%")
	for ; found; before, rest, found = strings.Cut(rest, "%") {
		all = append(all, r.store.Text(before))
		switch {
		case strings.HasPrefix(rest, "%"):
			all = append(all, r.store.Text("%"))
		case len(list) == 0 || !strings.HasPrefix(rest, "v") && !strings.HasPrefix(rest, "d") &&
			!strings.HasPrefix(rest, "s"):
			return nil, false
		case rest[0] == 'd' && !list[0].number || rest[0] == 's' && list[0].number:
			return nil, false
		default:
			all, list = append(all, list[0].text), list[1:]
		}
		rest = rest[1:]
	}
	if len(list) > 0 { // it complains of arguments that are too many
		return nil, false
	}
	return r.store.Concat(append(all, r.store.Text(before))...), true
}
