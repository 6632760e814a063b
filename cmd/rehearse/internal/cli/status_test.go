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
		s := newStatus(&out, 0, func() time.Time { return now })
		s.terminal = c.terminal
		s.event(event{Action: "run", Package: "example.org/x", Test: "TestX"})
		began := now
		for i, at := range []int{4, 6, 12, 14, 30, 75} {
			out.Reset()
			if now = began.Add(time.Duration(at) * time.Second); at == 12 {
				s.tell("example.org/x", "TestX", "rehearse: elapsed: 10s, executions: 9\n")
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

// Where there is no terminal, a line is written as often as -progress says. A test is over when its package is, and not
// when one of the same name in another package is.
func TestStatusEveryAndOver(t *testing.T) {
	now := time.Unix(0, 0)
	var out bytes.Buffer
	s := newStatus(&out, 10*time.Second, func() time.Time { return now })
	s.event(event{Action: "run", Package: "example.org/x", Test: "TestX"})
	s.event(event{Action: "run", Package: "example.org/y", Test: "TestX"})
	s.tell("example.org/x", "TestX", "rehearse: elapsed: 0s, executions: 9\n")
	s.event(event{Action: "pass", Package: "example.org/y", Test: "TestX"})
	for range 35 {
		now = now.Add(time.Second)
		s.tick()
	}
	if n := strings.Count(out.String(), "executions: 9"); n != 4 {
		t.Errorf("%d lines in 35 s, want 4:\n%s", n, out.String())
	}
	s.event(event{Action: "fail", Package: "example.org/x"})
	if text := s.text(now); !strings.Contains(text, "packages are built") {
		t.Errorf("when the package died: %q", text)
	}
}

// -progress decides before the variable does.
func TestProgressSetting(t *testing.T) {
	for _, c := range []struct {
		flag, env string
		want      time.Duration
	}{{"", "", 0}, {"30s", "", 30 * time.Second}, {"off", "1s", -1}, {"2s", "off", 2 * time.Second}, {"", "off", -1}} {
		t.Setenv("REHEARSE_PROGRESS", c.env)
		r := &testRun{}
		r.settings.Value = map[string]string{"progress": c.flag}
		if got, err := r.progress(); got != c.want || err != nil {
			t.Errorf("flag %q, variable %q: %v, %v", c.flag, c.env, got, err)
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
