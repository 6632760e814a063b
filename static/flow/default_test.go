package flow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
)

// A default clause is a branch for all else, unless it says that there is none.
func TestDefaults(t *testing.T) {
	const source = native + `
type a struct{}

func (*a) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping:
	default:
		CLAUSE
	}
}

func main() { run(func(ctx *actor.Context) { ctx.Send(ctx.Spawn(&a{}), pong{}) }) }
`
	clauses := map[string]string{"empty": "", "work": "ctx.Stop()", "refusal": "ctx.Unhandled()",
		"refusal beside more": "println()\n\t\tctx.Unhandled()", "refusal of some": "if ctx.Now() > 0 {\n\t\t\tctx.Unhandled()\n\t\t}"}
	sources := map[string]string{}
	for name, clause := range clauses {
		sources[name] = strings.Replace(source, "CLAUSE", clause, 1)
	}
	for name, p := range programs(t, sources) {
		g, err := flow.Build(p, flow.Config{})
		if err != nil || len(g.Partial) > 0 {
			t.Fatalf("%s: %v, missing %q", name, err, g.Partial)
		}
		refuses := name == "refusal" || name == "refusal beside more"
		if i := slices.IndexFunc(g.Actors, func(a *flow.Actor) bool { return strings.HasSuffix(a.Name, ".a") }); i < 0 ||
			g.Actors[i].Default == refuses {
			t.Errorf("%s: %+v", name, g.Actors)
		}
		found := slices.ContainsFunc(finding.Of(g).Findings,
			func(f finding.Finding) bool { return f.Kind == finding.Unhandled })
		if found != refuses {
			t.Errorf("%s: reported %t", name, found)
		}
	}
}
