package gentest

import (
	"go/types"
	"path"
	"regexp"
)

// This file makes values of libraries. A zero value of them mostly panics where a method is called.

// makers say how a value of a library is made that does nothing that anybody sees: of those that actors have most,
// which write logs. Packages are in braces.
var makers = map[string]string{
	"*log.Logger":                    `{log}.New({io}.Discard, "", 0)`,
	"*log/slog.Logger":               `{log/slog}.New({log/slog}.DiscardHandler)`,
	"*go.uber.org/zap.Logger":        `{go.uber.org/zap}.NewNop()`,
	"*go.uber.org/zap.SugaredLogger": `{go.uber.org/zap}.NewNop().Sugar()`,
}

// numbers say how a number of any size is made, by its type: in messages from outside, which an execution confirms.
// What its methods give is not modelled. So there are two of each type, 0 and a large one: in their sign and size they
// differ from each other, which is what a handler mostly asks for.
var numbers = map[string][2]string{
	"*math/big.Int":   {"{math/big}.NewInt(0)", "{math/big}.NewInt(1 << 62)"},
	"*math/big.Rat":   {"{math/big}.NewRat(0, 1)", "{math/big}.NewRat(1<<62, 1)"},
	"*math/big.Float": {"{math/big}.NewFloat(0)", "{math/big}.NewFloat(1 << 62)"},
}

// borrowed makes what a pointer of the inputs leads to, whose methods the handler calls.
func (w *world) borrowed(name string, t types.Type) *value {
	of := types.TypeString(t, nil)
	how, ok := makers[of]
	if number, is := numbers[of]; is && w.outside {
		how, ok = number[0], true
		if w.large {
			how = number[1]
		}
	}
	if !ok {
		fail("the handler calls methods of %s, a %s: a test cannot make one", name,
			types.TypeString(t, (*types.Package).Name))
	}
	return &value{kind: libraryKind, typ: t, lit: how}
}

// isMessage reports whether a type is one of messages of protocol buffers, whose methods take nil.
func isMessage(t types.Type) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "ProtoReflect")
	return o != nil
}

var inBraces = regexp.MustCompile(`\{([^}]+)\}`)

// library writes what makes a value of a library.
func (s *source) library(v *value) string {
	return inBraces.ReplaceAllStringFunc(v.lit, func(p string) string {
		p = p[1 : len(p)-1]
		return s.names.imported(p, path.Base(p))
	})
}
