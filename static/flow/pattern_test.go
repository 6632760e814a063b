package flow_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
)

func TestPattern(t *testing.T) {
	proto := func(body string) string {
		return protoactor + "type a struct{ next func(actor.Context) }\nfunc (a *a) Receive(ctx actor.Context) {" + body + "}\nfunc main() {}"
	}
	cases := map[string]struct {
		source        string
		matching, all int
	}{
		"switch":            {proto(`switch ctx.Message().(type) {}`), 1, 1},
		"switch by name":    {proto(`switch m := ctx.Message().(type) { case ping: _ = m }`), 1, 1},
		"switch with init":  {proto(`switch m := ctx.Message(); m.(type) {}`), 1, 1},
		"switch, held":      {proto(`m := ctx.Message(); switch m.(type) {}`), 1, 1},
		"if":                {proto(`if _, ok := ctx.Message().(ping); ok { return }`), 1, 1},
		"if, asked before":  {proto(`m, ok := ctx.Message().(ping); if !ok { return }; _ = m`), 1, 1},
		"after others":      {proto(`println(); switch ctx.Message().(type) {}`), 1, 1},
		"not on top":        {proto(`for { switch ctx.Message().(type) {} }`), 0, 1},
		"of something else": {proto(`switch any(a).(type) {}; if _, ok := any(a).(ping); ok { return }`), 0, 1},
		"handed on":         {proto(`a.next(ctx)`), 0, 1},
		"behaviours": {protoactor + `
func one(ctx actor.Context) { switch ctx.Message().(type) {} }
func two(ctx actor.Context) { _ = ctx.Message() }
func called(ctx actor.Context) { switch ctx.Message().(type) {} }
func main() {
	actor.PropsFromFunc(one); actor.PropsFromFunc(two); called(nil)
	actor.PropsFromFunc(func(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { return } })
	func(ctx actor.Context) {}(nil)
}`, 2, 3},
		"native": {native + `
type a struct{}
func (a) Receive(ctx *actor.Context, msg any) { switch msg.(type) {} }
type b struct{}
func (b) Receive(ctx *actor.Context, msg any) { ctx.Reply(msg) }
func (b) Receive2(ctx *actor.Context, msg any) { switch msg.(type) {} }
func main() { run(func(ctx *actor.Context) {}) }`, 1, 2},
	}
	sources := map[string]string{}
	for name, c := range cases {
		sources[name] = c.source
	}
	loaded := programs(t, sources)
	for name, c := range cases {
		if matching, all := flow.Pattern(loaded[name]); matching != c.matching || all != c.all {
			t.Errorf("%s: %d of %d match, want %d of %d", name, matching, all, c.matching, c.all)
		}
	}
}

// The share of handlers that match, as docs/graph.md has it; [TAP18] 7.1 counts 92% in its subjects. -v prints it.
func TestShareOfPattern(t *testing.T) {
	for _, c := range []struct {
		dir      string
		patterns []string
	}{{"../../examples", []string{"./..."}}, {"../..", []string{"./subjects"}},
		{"../../examples", []string{"github.com/asynkron/protoactor-go/actor", "github.com/asynkron/protoactor-go/router"}}} {
		p := read(t, c.dir, c.patterns...)
		matching, all := flow.Pattern(p)
		t.Logf("%v: %d of %d handlers, %d packages, %d left out", c.patterns, matching, all, len(p.Packages), len(p.Problems))
		if all == 0 || matching*2 < all {
			t.Errorf("%v: %d of %d handlers match, want most", c.patterns, matching, all)
		}
	}
}
