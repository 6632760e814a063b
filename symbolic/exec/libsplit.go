package exec

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has the functions of texts that give more than one value. They are computed where their arguments are
// constants, as where a driver sends its own messages.

func init() {
	folded["strings.Split"] = either(parts(func(s, sep string) []string { return strings.Split(s, sep) }),
		madeParts(splitPieces))
	folded["strings.SplitAfter"] = parts(func(s, sep string) []string { return strings.SplitAfter(s, sep) })
	folded["strings.Fields"] = either(parts(func(s, _ string) []string { return strings.Fields(s) }),
		madeParts(fieldPieces))
	folded["strings.Cut"] = either(cut, cutMade)
	folded["strings.Join"] = joins
	folded["strconv.Atoi"] = either(atoi, atoiMade)
	folded["strconv.Itoa"] = itoa
	folded["strconv.FormatInt"] = itoa
	folded["strings.ReplaceAll"] = func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		texts, ok := constantTexts(args)
		if !ok {
			return nil, false
		}
		return r.store.Text(strings.ReplaceAll(texts[0], texts[1], texts[2])), true
	}
}

// constantTexts gives the texts that arguments are, if all of them are constants.
func constantTexts(args []Value) (texts []string, ok bool) {
	for _, a := range args {
		t, ok := a.(*term.Term)
		if !ok || !t.Const() {
			return nil, false
		}
		texts = append(texts, t.Value().Text)
	}
	return texts, true
}

// parts makes a slice of texts, which has no room behind its end.
func parts(do func(a, b string) []string) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		texts, ok := constantTexts(args)
		if !ok {
			return nil, false
		}
		var elems []Value
		for _, part := range do(texts[0], texts[len(texts)-1]) {
			elems = append(elems, r.store.Text(part))
		}
		return r.newSlice(types.Typ[types.String], elems, len(elems)), true
	}
}

// cut gives what is before a separator and behind it, and whether it is there.
func cut(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	texts, ok := constantTexts(args)
	if !ok {
		return nil, false
	}
	before, after, found := strings.Cut(texts[0], texts[1])
	return Tuple{r.store.Text(before), r.store.Text(after), r.store.Bool(found)}, true
}

// atoi gives a number, or an error.
func atoi(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	texts, ok := constantTexts(args)
	if !ok {
		return nil, false
	}
	n, err := strconv.Atoi(texts[0])
	if err != nil {
		return Tuple{r.int(n), r.noNumber(fn, args[0])}, true
	}
	return Tuple{r.int(n), Face{}}, true
}
