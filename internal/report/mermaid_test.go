package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/trace"
)

func TestMermaid(t *testing.T) {
	s := overdraft()
	v := trace.Violation{Kind: trace.Assertion, Text: "balance is -60", Where: "account.go:41", Event: int(s.e),
		Actor: "Account"}
	o := PictureOptions{Test: "TestTwoClients", Pairs: []explain.Pair{{First: 4, Second: 6}}, Violation: &v}
	got := NewPicture(&s.tr, o).Mermaid(0) + "\n" + NewPicture(&s.tr, o).Mermaid(2) + "\n" +
		NewPicture(&kinds().tr, PictureOptions{}).Mermaid(0)
	const file = "testdata/mermaid.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and look at the difference\n%s", file, got)
	}
}

// mermaidLines are those that a diagram has: nothing else that a program calls things can make one.
var mermaidLines = regexp.MustCompile(`^(sequenceDiagram|    (participant a\d+ as |` +
	`a\d+(->>|-->>|-x)a\d+: |Note over a\d+(,a\d+)?: )` +
	`([ A-Za-z0-9.,()/_-]|#\d+;)*)$`)

// Names and contents that mean something to Mermaid, Markdown or HTML stay text.
func TestMermaidIsInert(t *testing.T) {
	for _, x := range []string{"end", "END\nparticipant x", "a;b", "#35;", "%%{init: {}}%%", "```\n# x", "<script>",
		"loop x", "a->>b: c", "click a0 href \"x\"", "\u202e\x00", "wrap:x", "Legend", "👍", strings.Repeat("x", 500)} {
		s := newStory()
		s.spawn(x)
		s.deliver(s.send(x, x, x))
		s.tr.Events[s.e].Incidents = []trace.Incident{{Kind: trace.Assertion, Actor: 1, Message: -1, Text: x}}
		text := NewPicture(&s.tr, PictureOptions{Test: x}).Mermaid(0)
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if !mermaidLines.MatchString(line) || strings.Contains(strings.ToLower(line), "end") {
				t.Errorf("%q makes the line %q", x, line)
			}
		}
	}
}
