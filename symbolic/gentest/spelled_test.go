package gentest

import (
	"go/token"
	"go/types"
	"testing"
)

// TestHiddenAlias: of an alias that a file cannot name the type is written that it stands for.
func TestHiddenAlias(t *testing.T) {
	own, other := types.NewPackage("here", "here"), types.NewPackage("example.com/ring", "ring")
	data := types.NewTypeName(token.NoPos, other, "Data", nil)
	named := types.NewNamed(data, types.NewStruct(nil, nil), nil)
	hidden := types.NewTypeName(token.NoPos, other, "data", nil)
	alias := types.NewAlias(hidden, named)
	shown := types.NewAlias(types.NewTypeName(token.NoPos, other, "Token", nil), named)
	ours := types.NewAlias(types.NewTypeName(token.NoPos, own, "token", nil), named)
	for _, o := range []types.Object{data, hidden, shown.Obj()} {
		other.Scope().Insert(o)
	}
	own.Scope().Insert(ours.Obj())
	for _, tt := range []struct {
		t    types.Type
		want string
	}{
		{alias, "ring.Data"}, {types.NewPointer(alias), "*ring.Data"}, {types.NewSlice(alias), "[]ring.Data"},
		{types.NewArray(alias, 2), "[2]ring.Data"}, {types.NewMap(types.Typ[types.String], alias), "map[string]ring.Data"},
		{types.NewChan(types.SendOnly, alias), "chan<- ring.Data"}, {shown, "ring.Token"}, {ours, "token"},
	} {
		if got := newNames(own, nil).typ(tt.t); got != tt.want {
			t.Errorf("%v is written as %s, want %s", tt.t, got, tt.want)
		}
	}
}
