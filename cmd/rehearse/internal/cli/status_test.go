package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A run says how far it is, and where it hears nothing, since when.
func TestStatus(t *testing.T) {
	t.Setenv("COLUMNS", "90")
	now := time.Unix(0, 0)
	for _, c := range []struct {
		terminal bool
		want     []string // at 4, 6, 12, 14, 30 and 75 seconds: what was written since
	}{
		{true, []string{"", "\r\x1b[Krehearse: elapsed: 6s: x.TestX runs",
			"\r\x1b[Krehearse: TestX: elapsed: 10s, executions: 9", "\r\x1b[Krehearse: TestX: elapsed: 10s, executions: 9",
			"\r\x1b[Krehearse: TestX: elapsed: 10s, executions: 9, last change: 18s ago",
			"\r\x1b[Krehearse: TestX: elapsed: 10s, executions: 9, last change: 1m3s ago"}},
		{false, []string{"", "", "rehearse: TestX: elapsed: 10s, executions: 9\n", "", "",
			"rehearse: TestX: elapsed: 10s, executions: 9, last change: 1m3s ago\n"}},
	} {
		var out bytes.Buffer
		s := newStatus(&out, func() time.Time { return now })
		s.terminal = c.terminal
		s.event(event{Action: "run", Package: "example.org/x", Test: "TestX"})
		began := now
		for i, at := range []int{4, 6, 12, 14, 30, 75} {
			out.Reset()
			if now = began.Add(time.Duration(at) * time.Second); at == 12 {
				s.tell("TestX", "rehearse: elapsed: 10s, executions: 9\n")
			} else {
				s.tick()
			}
			if out.String() != c.want[i] {
				t.Errorf("terminal %v, %d s: %q, want %q", c.terminal, at, out.String(), c.want[i])
			}
		}
		s.event(event{Action: "pass", Package: "example.org/x", Test: "TestX"})
		if text := s.text(now); !strings.Contains(text, "packages are built") {
			t.Errorf("when it is over: %q", text)
		}
		out.Reset()
		s.beside(&out).Write([]byte("other\n"))
		if want := strings.Repeat("\r\x1b[K", map[bool]int{true: 1}[c.terminal]) + "other\n"; out.String() != want {
			t.Errorf("terminal %v: %q, want %q", c.terminal, out.String(), want)
		}
	}
}

// Nothing but a terminal gets colours, and taking them away gives the text.
func TestColours(t *testing.T) {
	text := " 1   ├─ a ─▶│   (A)✗\n 2   │◀─ b ─┤  (B)\n  ✗ assertion: no\n   (B) b was not handled\n" +
		"--- FAIL: TestX\nok  \tx\t1s\n  ⋮ 3 steps\nplain\nrest"
	var out bytes.Buffer
	if Coloured(&out) != &out {
		t.Error("a buffer gets colours")
	}
	p := &painter{w: &out}
	for _, part := range []string{text[:9], text[9:40], text[40:]} {
		if n, err := p.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	p.Close()
	got := out.String()
	if n := strings.Count(got, plain); n != 7 {
		t.Errorf("%d coloured lines: %q", n, got)
	}
	for _, c := range []string{red, green, yellow, dim, plain} {
		got = strings.ReplaceAll(got, c, "")
	}
	if got != text {
		t.Errorf("without colours:\n%s\nwant\n%s", got, text)
	}
}
