package exec

import (
	"strconv"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Apply gives the result of a function of which the solver knows nothing, where this package knows what it does: parts
// of strings. What it is given are values of the arguments of t.
func Apply(t *term.Term, args []term.Value) (term.Value, bool) {
	if do := applied[t.Name]; do != nil {
		return do(args)
	}
	switch t.Name {
	case decimalFunction:
		return term.TextValue(strconv.FormatInt(args[0].Int(), 10)), true
	case digitsFunction:
		return term.TextValue(strconv.FormatUint(args[0].Uint(), 10)), true
	case indexFunction:
		if i := args[1].Int(); i >= 0 && i < int64(len(args[0].Text)) {
			return term.WordValue(term.Word8, uint64(args[0].Text[i])), true
		}
		return term.Value{Sort: term.Word8}, true
	case sliceFunction:
		low, high := args[1].Int(), args[2].Int()
		if low < 0 || high < low || high > int64(len(args[0].Text)) {
			return term.TextValue(""), true
		}
		return term.TextValue(args[0].Text[low:high]), true
	case runeFunction:
		if n := args[0].Int(); n >= 0 && n <= utf8.MaxRune {
			return term.TextValue(string(rune(n))), true
		}
		return term.TextValue(string(utf8.RuneError)), true
	case bytesFunction:
		var text []byte
		for _, a := range args {
			text = append(text, byte(a.Uint()))
		}
		return term.TextValue(string(text)), true
	case runesFunction:
		var text []byte
		for _, a := range args {
			text = utf8.AppendRune(text, rune(a.Int()))
		}
		return term.TextValue(string(text)), true
	}
	return term.Value{Sort: t.Sort}, false
}
