package cases_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// TestForm: the symbolic form of a case tells its conditions, what is done, the state in the end and how it ends,
// without lines of the source.
func TestForm(t *testing.T) {
	p := more(t)
	var got []string
	found, err := p.Select("Till.(Take|Never)")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range found {
		s := of(t, p, target, cases.Config{Cover: cases.Branches, Assume: []string{"Take.N < 100"}})
		for _, c := range s.Cases {
			got = append(append(got, target.Name+" "+c.Name), p.Form(c, s.Config)...)
		}
	}
	if text := strings.Join(got, "\n"); text != strings.TrimSpace(wantForm) {
		t.Errorf("got\n%s\nwant\n%s", text, wantForm)
	}
}

const wantForm = `
Till.Never t.calls!=nil,t.limit<10
if       t.calls != nil, t.limit < 10
after    t.calls.* = t.calls.* + 1; t.calls, t.limit as before
ends     panicked, assuming Take.N < 100
Till.Never t.calls!=nil,t.limit>=10
if       t.calls != nil, t.limit >= 10
after    t.calls.* = t.calls.* + 1; t.calls, t.limit as before
ends     returned, assuming Take.N < 100
Till.Take t.calls!=nil,t.limit>=21,t.open,t.sum-msg.N<0
if       t.calls != nil, t.open, t.sum - msg.N < 0, t.limit >= 21
after    t.calls.* = t.calls.* + 1; t.calls, t.limit, t.open, t.sum as before
ends     panicked, assuming Take.N < 100
Till.Take t.calls!=nil,t.limit<21,t.open,t.sum-msg.N<0
if       t.calls != nil, t.open, t.sum - msg.N < 0, t.limit < 21
after    t.calls.* = t.calls.* + 1; t.calls, t.limit, t.open, t.sum as before
ends     returned, assuming Take.N < 100
Till.Take t.calls!=nil,t.open,t.sum-msg.N>=0
if       t.calls != nil, t.open, t.sum - msg.N >= 0
after    t.calls.* = t.calls.* + 1; t.calls, t.open, t.sum as before
ends     returned, assuming Take.N < 100
Till.Take !t.open,t.calls!=nil
if       t.calls != nil, !t.open
after    t.calls.* = t.calls.* + 1; t.calls, t.open as before
ends     returned, assuming Take.N < 100
`

// TestCommented: no text ends a comment of Go, begins another line, or changes the direction of writing.
func TestCommented(t *testing.T) {
	for _, text := range []string{"a\nb\r\u2028c", "*/ x := 1 /*", "**//", "\u202ehidden\u2066", "\xff\xc0", "\ufeffbom", "plain, with ÷ and 日本", "tab\there", "\x00", "soft\u00adhyphen"} {
		got := cases.Commented(text)
		if strings.Contains(got, "*/") || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
			t.Errorf("%q becomes %q", text, got)
		}
		if strings.HasPrefix(text, "plain") && got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// TestFolded: a long text takes several lines, and of one that is too long the length is told.
func TestFolded(t *testing.T) {
	lines := cases.FormOf("does", strings.Repeat("word ", 200))
	if n := slices.IndexFunc(lines, func(l string) bool { return len(l) > 140 }); n >= 0 {
		t.Errorf("line %d is long: %s", n, lines[n])
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(lines[0], "does     word") || !strings.HasPrefix(lines[1], strings.Repeat(" ", 11)+"word") || !strings.Contains(last, "1000 characters") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	if long := cases.FormOf("if", strings.Repeat("x", 300)); len(long) != 1 {
		t.Errorf("a word is broken: %q", long)
	}
}
