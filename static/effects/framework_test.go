package effects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/load"
)

// frameworkFacts gives the facts of the programs by which the message flow graph is tested with what the framework does
// beside sending.
func frameworkFacts(t *testing.T) *facts.File {
	t.Helper()
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	c := load.Config{Dir: dir, Overlay: map[string][]byte{}}
	for _, name := range []string{"layered", "routed", "wrapped"} {
		files, err := filepath.Glob(filepath.Join("../flow/testdata/proto", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", name, err, len(files))
		}
		for _, file := range files {
			if c.Overlay[filepath.Join(dir, name, filepath.Base(file))], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		c.Patterns = append(c.Patterns, "./"+name)
	}
	p, err := c.Load()
	if err != nil {
		t.Fatal(err)
	}
	if p.Partial() {
		t.Fatal(p.Problems)
	}
	r := Analyze(p)
	if err := r.meet(p); err != nil {
		t.Fatal(err)
	}
	return &facts.File{Actors: r.Actors, Handlers: r.Handlers, Sent: r.Sent}
}

// What handlers do through behaviours is known; who may get what they send is too; those whose messages or actors do
// more than the handlers say may do anything.
func TestFramework(t *testing.T) {
	f := frameworkFacts(t)
	for who, want := range map[string]string{
		"wrapped.door/wrapped.turn":      "reads [bell does], writes [does], sends [wrapped.ping to [wrapped.sink]], becomes",
		"wrapped.window/wrapped.turn":    "reads [bell does later], writes [does later], sends [wrapped.pong to [wrapped.sink]]",
		"wrapped.automat/wrapped.auto":   "unknown: its message answers itself",
		"wrapped.automat/wrapped.quiet":  "",
		"wrapped.packer/actor.Started":   "unknown: it sends a batch, whose members are messages too",
		"layered.player/layered.ping":    "unknown: its actor has receiver middleware",
		"layered.sayer/layered.swap":     "unknown: its actor has sender middleware",
		"layered.parent/layered.ping":    "unknown: its actor has spawn middleware",
		"layered.decorated/layered.ping": "unknown: its actor has a decorated context",
		"routed.client/routed.job":       "reads [to], sends [routed.job to [routed.worker]]",
		"routed.worker/routed.job":       "reads [boss], sends [routed.done back to [routed.client] routed.note to [routed.boss]]",
		"routed.two/routed.note":         "sends [routed.done back to [routed.manager]]",
		"routed.manager/routed.job":      "reads [extra group], sends [router.AddRoutee to [router.groupRouterActor] router.BroadcastMessage to [router.groupRouterActor] router.GetRoutees to [router.groupRouterActor]]",
		"routed.shelver/routed.key":      "reads [asked hashed random], sends [routed.job to [routed.asked] routed.key to [routed.shelf]]",
		"layered.hearer/layered.ping":    "sends [layered.pong back to [layered.sayer]]",
		"layered.auditor/layered.copied": "",
		"wrapped.sink/wrapped.ping":      "sends [wrapped.pong back to [wrapped.keeper wrapped.other wrapped.sink]]",
	} {
		actor, message, _ := strings.Cut(who, "/")
		if got := toldWithReceivers(f.Of(actor, message)); got != want {
			t.Errorf("%s: %s\n\twant %s", who, got, want)
		}
	}
}

// toldWithReceivers is what facts say of a handler, with who gets what it sends, and without places.
func toldWithReceivers(h *facts.Handler) string {
	text, _, _ := strings.Cut(said(h), " (")
	if h == nil {
		return text
	}
	for _, s := range h.Sends {
		back := ""
		if s.Reply {
			back = " back"
		}
		text = strings.Replace(text, s.Message, fmt.Sprintf("%s%s to %v", s.Message, back, s.To), 1)
	}
	return text
}
