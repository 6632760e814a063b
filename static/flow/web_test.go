package flow_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// Who is registered to handle requests drives the actors, however that is done; who is not does not.
func TestRequests(t *testing.T) {
	t.Setenv("GOWORK", "off")
	p, err := load.Load("testdata/web", ".")
	whole(t, p, err)
	g, err := flow.Build(p, flow.Config{})
	if err != nil || len(g.Partial) > 0 {
		t.Fatal(err, g.Partial)
	}
	const want = "send environment byEcho store; send environment byFunction store; send environment byMethod store; send environment byPost store; " +
		"send environment byServer store; send environment byTest store; send environment byValue store; send environment byWrapped store"
	if got := sends(g); got != want {
		t.Errorf("the graph is\n\t%s\nand not\n\t%s", got, want)
	}
}
