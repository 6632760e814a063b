package exec

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// folded are functions of strings that are computed where their arguments are constants, some also where they are put
// together of constants and numbers. Elsewhere they are uninterpreted.
var folded = map[string]library{
	"strings.HasPrefix":  either(onTexts(func(a, b string) any { return strings.HasPrefix(a, b) }), prefixMade),
	"strings.HasSuffix":  either(onTexts(func(a, b string) any { return strings.HasSuffix(a, b) }), suffixMade),
	"strings.Contains":   either(onTexts(func(a, b string) any { return strings.Contains(a, b) }), containsMade),
	"strings.Index":      onTexts(func(a, b string) any { return strings.Index(a, b) }),
	"strings.Count":      either(onTexts(func(a, b string) any { return strings.Count(a, b) }), countMade),
	"strings.Compare":    onTexts(func(a, b string) any { return strings.Compare(a, b) }),
	"strings.EqualFold":  onTexts(func(a, b string) any { return strings.EqualFold(a, b) }),
	"strings.Trim":       onTexts(func(a, b string) any { return strings.Trim(a, b) }),
	"strings.TrimPrefix": onTexts(func(a, b string) any { return strings.TrimPrefix(a, b) }),
	"strings.TrimSuffix": onTexts(func(a, b string) any { return strings.TrimSuffix(a, b) }),
	"strings.ToUpper":    onText(strings.ToUpper),
	"strings.ToLower":    onText(strings.ToLower),
	"strings.TrimSpace":  either(onText(strings.TrimSpace), trimMade),
}

func (r *run) constantOf(x any) Value {
	switch x := x.(type) {
	case bool:
		return r.store.Bool(x)
	case int:
		return r.int(x)
	}
	return r.store.Text(x.(string))
}

func onTexts(do func(a, b string) any) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		a, b := args[0].(*term.Term), args[1].(*term.Term)
		if !a.Const() || !b.Const() {
			return nil, false
		}
		return r.constantOf(do(a.Value().Text, b.Value().Text)), true
	}
}

func onText(do func(string) string) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		a := args[0].(*term.Term)
		if !a.Const() {
			return nil, false
		}
		return r.store.Text(do(a.Value().Text)), true
	}
}
