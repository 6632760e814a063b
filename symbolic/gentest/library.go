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

// borrowed makes what a pointer of the inputs leads to, whose methods the handler calls.
func borrowed(name string, t types.Type) *value {
	how, ok := makers[types.TypeString(t, nil)]
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
