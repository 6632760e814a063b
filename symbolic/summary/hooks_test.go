package summary_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// TestHooksApart: with Config.Hooks events tell which new actor's start hook does them, spawns tell what is left
// behind the hook, and a panic ends the new actor alone.
func TestHooksApart(t *testing.T) {
	p, err := summary.Load(load.Config{Dir: "../gentest", Patterns: []string{"./testdata/starts"}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store, solver := embedded(t)
	q, text := summary.New(p, store, solver), ""
	for _, h := range q.Handlers(t.Context()) {
		if h.Message == nil || !strings.HasSuffix(h.Actor, "Yard") {
			continue
		}
		s := q.Of(t.Context(), h, exec.Config{Hooks: true})
		for why := range s.Cuts {
			t.Errorf("%s: cut: %s", h.Name(), why)
		}
		for _, path := range s.Paths {
			text += h.Name() + ":" + path.Exit.String()
			for _, e := range path.Events {
				text += "; " + e.Op
				if e.By != nil {
					text += " by " + e.By.String()
				}
				for _, n := range e.Flat {
					if e.Op == "spawn" && n.Name == "msg.n" {
						text += " n " + n.Term.String()
					}
				}
				text += map[bool]string{true: " hooked"}[e.Hooked] + map[bool]string{true: " over"}[e.Over]
			}
			text += "\n"
		}
	}
	same(t, text, `starts.Open:return; spawn n 1 hooked; timer by ref(spawn1); send by ref(spawn1); spawn by ref(spawn1) hooked; send by ref(spawn2); send by ref(spawn1); send
starts.Open:return; spawn n 1 hooked; send by ref(spawn1); spawn by ref(spawn1) hooked; send by ref(spawn2); send by ref(spawn1); send
starts.Work:return; spawn hooked over; panic by ref(spawn1)
starts.Work:return; spawn hooked; timer by ref(spawn1); send by ref(spawn1)
starts.Work:return; spawn hooked; timer by ref(spawn1); spawn by ref(spawn1); send by ref(spawn1)
`)
}
