package reachtest

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/rehearse-go/rehearse/static/model"
)

// What takes a future apart is told by the rows of each framework, also where the future is an interface.
func TestTakesApart(t *testing.T) {
	for _, c := range []struct {
		path, typ, method string
		iface, want       bool
	}{
		{model.ProtoactorPath, "Future", "Result", false, true},
		{model.ProtoactorPath, "Future", "Wait", false, true},
		{model.ProtoactorPath, "Future", "PID", false, true},
		{model.ProtoactorPath, "Future", "Result", true, true}, // in versions since 2025
		{model.ProtoactorPath, "PID", "String", false, false},
		{model.HollywoodPath, "Response", "Result", false, true},
		{model.HollywoodPath, "Engine", "Stop", false, false},
		{"a.org/app", "Future", "Result", false, false},
	} {
		pkg := types.NewPackage(c.path, "actor")
		under := types.Type(types.NewStruct(nil, nil))
		if c.iface {
			under = types.NewInterfaceType(nil, nil)
		}
		recv := types.Type(types.NewNamed(types.NewTypeName(token.NoPos, pkg, c.typ, nil), under, nil))
		if !c.iface {
			recv = types.NewPointer(recv)
		}
		sig := types.NewSignatureType(types.NewVar(token.NoPos, pkg, "", recv), nil, nil, nil, nil, false)
		if got := takesApart(types.NewFunc(token.NoPos, pkg, c.method, sig)); got != c.want {
			t.Errorf("%s.%s.%s: %t", c.path, c.typ, c.method, got)
		}
	}
}
