package exec

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// folded are functions of strings that are computed where their arguments are constants. Elsewhere they are uninterpreted.
var folded = map[string]library{
	"strings.HasPrefix":  onTexts(func(a, b string) any { return strings.HasPrefix(a, b) }),
	"strings.HasSuffix":  onTexts(func(a, b string) any { return strings.HasSuffix(a, b) }),
	"strings.Contains":   onTexts(func(a, b string) any { return strings.Contains(a, b) }),
	"strings.Index":      onTexts(func(a, b string) any { return strings.Index(a, b) }),
	"strings.Count":      onTexts(func(a, b string) any { return strings.Count(a, b) }),
	"strings.Compare":    onTexts(func(a, b string) any { return strings.Compare(a, b) }),
	"strings.EqualFold":  onTexts(func(a, b string) any { return strings.EqualFold(a, b) }),
	"strings.Trim":       onTexts(func(a, b string) any { return strings.Trim(a, b) }),
	"strings.TrimPrefix": onTexts(func(a, b string) any { return strings.TrimPrefix(a, b) }),
	"strings.TrimSuffix": onTexts(func(a, b string) any { return strings.TrimSuffix(a, b) }),
	"strings.ToUpper":    onText(strings.ToUpper),
	"strings.ToLower":    onText(strings.ToLower),
	"strings.TrimSpace":  onText(strings.TrimSpace),
	"strconv.Itoa":       itoa,
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

func itoa(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	a := args[0].(*term.Term)
	if !a.Const() {
		return nil, false
	}
	return r.store.Text(strconv.FormatInt(a.Value().Int(), 10)), true
}
