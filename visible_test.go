package rehearse

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Names, messages and what a program says are shown as what they are: nothing in them drives the terminal or turns a
// line round.
func TestHostileTexts(t *testing.T) {
	folder(t)
	f, r := try(t, Config{}, actor.New(func(t *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("pay\u202Eee\x1b[31m\u2066\ufeff", &account{})
		ctx.Send(a, deposit{1})
		t.Log("log\u202E\x07")
		t.AtEnd(func() { t.Error("bad\u202E text \x1b[2J over \x00") })
	}), env{})
	all := f.text() + f.log() + r.String() + r.Findings[0].Diagram + r.Findings[0].States
	for _, c := range all {
		if c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf) {
			t.Fatalf("%q is shown as it is:\n%q", c, all)
		}
	}
	contains(t, all, `pay\u202eee\x1b[31m`, `bad\u202e text \x1b[2J over \x00`, `log\u202e`)
	for line := range strings.Lines(r.Findings[0].Diagram) {
		if n := len([]rune(line)); n > 101 {
			t.Errorf("a line of %d runes: %s", n, line)
		}
	}
	if s := fmt.Sprint(Result{Verdict: explore.Verdict{Beyond: "tick\u202E"}}); strings.Contains(s, "\u202E") {
		t.Error(s)
	}
}
