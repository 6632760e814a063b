package flow_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// Who is registered to handle requests drives the actors, however that is done; who is not does not. The routers are
// stubs with the signatures of gin v1.10.0, chi v5.1.0, mux v1.8.1 and echo v4.12.0, with which the graph is the same.
func TestRequests(t *testing.T) {
	t.Setenv("GOWORK", "off")
	p, err := load.Load("testdata/web", ".")
	whole(t, p, err)
	g, err := flow.Build(p, flow.Config{})
	if err != nil || len(g.Partial) > 0 {
		t.Fatal(err, g.Partial)
	}
	var want []string
	for _, message := range []string{"byEcho", "byEchoUse", "byFunction", "byMethod", "byPool", "byPost", "byServer", "byTest", "byValue", "byWrapped",
		"chiMethod", "chiMounted", "chiRoute", "chiUse", "chiValue", "ginBody", "ginGroup", "ginHandle", "ginMethod", "ginUse", "ginWrapped",
		"muxMethod", "muxPrefix", "muxSub", "muxValue"} {
		want = append(want, "send environment "+message+" store")
	}
	if got, want := sends(g), strings.Join(want, "; "); got != want {
		t.Errorf("the graph is\n\t%s\nand not\n\t%s", got, want)
	}
}
