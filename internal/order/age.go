package order

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// eca is [Basset11] 4.2, 1: earliest created actor first. It suits pipelines.
type eca struct{}

func (eca) Name() string { return "ECA" }

func (eca) Actors(into []int32, _ *trace.Trace, enabled []trace.Step) []int32 {
	return byAge(into, enabled)
}

// lca is [Basset11] 4.2, 2: latest created actor first. It suits divide and conquer, where children are to finish
// before their parent takes their results.
type lca struct{}

func (lca) Name() string { return "LCA" }

func (lca) Actors(into []int32, _ *trace.Trace, enabled []trace.Step) []int32 {
	from := len(into)
	into = byAge(into, enabled)
	slices.Reverse(into[from:])
	return into
}
