package exec

import (
	"go/types"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// iterator is what a range statement goes through: the entries that a map had when it began, or a string.
type iterator struct {
	m       *Map
	entries []*entry
	text    *term.Term
	at      int
}

// ranges begins a range over a map or a string.
func (r *run) ranges(f *frame, in *ssa.Range) Value {
	x := r.value(f, in.X)
	if t, ok := x.(*term.Term); ok {
		return &iterator{text: t}
	}
	m := r.mustMap(x)
	it := &iterator{m: m, entries: r.close(m)}
	if len(it.entries) > 1 {
		r.mark(Order, "the order of a map of %d entries", len(it.entries))
	}
	return it
}

// next gives the next key and element of an iteration, if there is one.
func (r *run) next(f *frame, in *ssa.Next) Value {
	it := r.value(f, in.Iter).(*iterator)
	if in.IsString {
		return r.nextRune(it)
	}
	t := in.Type().(*types.Tuple)
	for it.at < len(it.entries) {
		e := it.entries[it.at]
		it.at++
		if !e.has.False() { // it may have been deleted since
			return Tuple{r.store.Bool(true), r.force(e.key), r.force(e.val)}
		}
	}
	none := Tuple{r.store.Bool(false), nil, nil}
	for i := 1; i < 3; i++ {
		if b, ok := t.At(i).Type().(*types.Basic); !ok || b.Kind() != types.Invalid {
			none[i] = r.zero(t.At(i).Type())
		}
	}
	return none
}

// nextRune gives the next rune of a string.
func (r *run) nextRune(it *iterator) Value {
	if !it.text.Const() {
		r.mark(Havoc, "the runes of a string")
		if !r.truth(r.store.Var(r.outside("runes"), term.Bool)) {
			return Tuple{r.store.Bool(false), r.int(0), r.store.Int(term.Word32, 0)}
		}
		it.at++
		if it.at > r.config.Loops {
			r.cut("more than %d runes of a string", r.config.Loops)
		}
		return Tuple{r.store.Bool(true), r.havoc("index", types.Typ[types.Int]), r.havoc("rune", types.Typ[types.Rune])}
	}
	text := it.text.Value().Text
	if it.at >= len(text) {
		return Tuple{r.store.Bool(false), r.int(0), r.store.Int(term.Word32, 0)}
	}
	c, n := utf8.DecodeRuneInString(text[it.at:])
	at := it.at
	it.at += n
	return Tuple{r.store.Bool(true), r.int(at), r.store.Int(term.Word32, int64(c))}
}
