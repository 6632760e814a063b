package record

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/tests/markup"
)

var update = flag.Bool("update", false, "write the goldens anew")

// failing is an account that hands out more than it has, and passing the same the other way round.
func failing() *report.Picture {
	return &report.Picture{
		Title: "assertion: overdrawn", Looked: true,
		Lifelines: []report.Lifeline{{Name: "TestAccount", Ends: -1},
			{Name: "account", Full: "bank.account", Ends: -1},
			{Name: "log", Full: "actor.Func", Ends: -1, Unseen: "it is a function"}},
		Rows: []report.Row{
			{Lifeline: -1, Kind: "set-up", Label: "before the first step",
				States: []report.State{{Lifeline: 1, Text: "&account{balance:100}"}}},
			{Step: 1, ID: "w", Lifeline: 1, Kind: "deliver", Label: "withdraw(180)", From: "TestAccount", Marks: "A",
				States: []report.State{{Lifeline: 1, Text: "&account{balance:-80}"}}, Wrong: []string{"assertion: overdrawn"}},
			{Step: 2, ID: "n", Lifeline: 2, Kind: "deliver", Label: "note", From: "TestAccount"},
			{Step: 3, ID: "d", Lifeline: 1, Kind: "deliver", Label: "deposit(100)", From: "TestAccount", Marks: "B",
				States: []report.State{{Lifeline: 1, Text: "&account{balance:20}"}}},
		},
		Arrows: []report.Arrow{
			{From: 0, To: 1, Sent: 0, Arrived: 1, Kind: "message", Label: "withdraw(180)", Marks: "A"},
			{From: 0, To: 2, Sent: 0, Arrived: 2, Kind: "message", Label: "note"},
			{From: 0, To: 1, Sent: 0, Arrived: 3, Kind: "message", Label: "deposit(100)", Marks: "B"},
		},
	}
}

func passing() *report.Picture {
	p := failing()
	p.Rows = []report.Row{p.Rows[0], p.Rows[3], p.Rows[2], p.Rows[1]}
	for i := range p.Rows {
		p.Rows[i].Step, p.Rows[i].Wrong = i, nil
	}
	p.Rows[1].States = []report.State{{Lifeline: 1, Text: "&account{balance:200}"}}
	p.Rows[3].States = []report.State{{Lifeline: 1, Text: "&account{balance:20}"}}
	p.Arrows[0].Arrived, p.Arrows[2].Arrived = 3, 1
	return p
}

func bank() *Document {
	return &Document{Records: []Record{
		{Package: "example.org/bank", Test: "TestAccount", Model: "bag", Timers: "quiescent", Strategy: "auto", Seed: 7,
			Budget: "1000x", Executions: 3, Blocked: 1, Classes: 2, Deliveries: 1234, Rechecked: 2, Reason: "found",
			Orders: []Orders{{Actor: "bank.account", Both: 1, OneWay: 2}}, Limits: []string{"a limit"},
			Findings: []Finding{{Kind: "assertion", Text: "overdrawn", Where: "bank_test.go:7", Found: 2, Forced: 1,
				Switches: 1, Culprit: "withdraw before deposit at account breaks; the other way round it passes.",
				Diagram: "the diagram", Picture: failing(), Flipped: passing(), Schedule: "testdata/x", Replay: "go test"}}},
		{Package: "example.org/bank", Test: "TestGone", Reason: "budget", Expected: "panic",
			Findings: []Finding{{Kind: "livelock", Text: "no end", Picture: failing()}}},
	}, Flow: func(*Record, *Finding) (string, string) {
		return `<svg xmlns="http://www.w3.org/2000/svg"><title>flow</title></svg>`, "a note"
	}}
}

// valid fails the test unless a page has its form.
func valid(t *testing.T, html string) {
	t.Helper()
	if bad := markup.Invalid(html); bad != "" {
		t.Errorf("%s in\n%.4000s", bad, html)
	}
}

func TestPage(t *testing.T) {
	d := bank()
	got := string(HTML(d))
	valid(t, got)
	if again := string(HTML(d)); again != got {
		t.Error("made twice it is not the same")
	}
	for _, want := range []string{
		"<code>&amp;account{balance:100}</code>",                                // before the first step
		"balance:<del>100</del><ins>-80</ins>}",                                 // a step that changes a state
		"Not seen: the state of log (it is a function).",                        // what cannot be told
		"this order fails", "at another place", "a note", "<title>flow</title>", // beside, flow graph
		"panic was expected and not found", "<td>bank.account</td><td>1</td><td>2</td>",
		"No execution is shown that passes", "auto, seed 7, budget 1000x", "1,234", "a limit",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	file := filepath.Join("testdata", "bank.html")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s is not what is written now (%v): run with -update and look at the difference", file, err)
	}
}

// An order that is known and is not shown is told as that, with the reason.
func TestOtherOrderNotShown(t *testing.T) {
	for note, want := range map[string]string{
		"":                                      "none is known that differs",
		"a\n" + report.NotShown + "no time.\nb": "<p>" + report.NotShown + "no time.</p>",
		report.NotShown + "it did not pass, <b>.": "<p>" + report.NotShown + "it did not pass, &lt;b&gt;.</p>",
	} {
		d := bank()
		f := &d.Records[0].Findings[0]
		f.Flipped, f.Note = nil, note
		d.Records = d.Records[:1]
		got := string(HTML(d))
		if none := strings.Contains(got, "none is known"); !strings.Contains(got, want) || none != (note == "") {
			t.Errorf("note %q: no %q in\n%.3000s", note, want, got)
		}
	}
}

// What the program calls things is text and nothing else, wherever it stands.
func TestHostileNames(t *testing.T) {
	hostile := []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "]]>&lt;&#0;\x00\x1b[2J",
		"\xff\xfe", "abc\u202edcba\u2066", strings.Repeat("x", 1<<20), "%s%d%n"}
	for _, s := range hostile {
		d := bank()
		d.Flow = nil
		r := &d.Records[0]
		r.Package, r.Test, r.Model, r.Strategy = s, s, s, s
		r.Budget, r.Reason, r.Expected = s, s, s
		r.Warnings, r.Limits, r.Orders[0].Actor = []string{s}, []string{s}, s
		f := &r.Findings[0]
		f.Kind, f.Text, f.Where, f.Culprit, f.Diagram, f.Schedule, f.Replay, f.Note = s, s, s, s, s, s, s, s
		for _, p := range []*report.Picture{f.Picture, f.Flipped} {
			short := render.Shorten(s, report.PictureText)
			p.Title, p.Notes, p.End, p.Missing = short, []string{short}, []string{short}, []string{short}
			for i := range p.Lifelines {
				p.Lifelines[i].Name, p.Lifelines[i].Type, p.Lifelines[i].Unseen = short, short, short
			}
			for i := range p.Rows {
				row := &p.Rows[i]
				row.Label, row.From, row.Wrong = short, short, []string{short}
				for j := range row.States {
					row.States[j].Text = short + fmt.Sprint(i)
				}
			}
		}
		html := string(HTML(d))
		valid(t, html)
		if len(html) > 4<<20 {
			t.Errorf("%d bytes for %.20q", len(html), s)
		}
		for _, r := range "\u202e\u2066\x00\x1b" {
			if strings.ContainsRune(html, r) {
				t.Errorf("%q is in the page", r)
			}
		}
	}
}

// TestCompare holds compare to its definition: the parts are both sequences in their order, and no longer common
// subsequence exists.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		x, y := make([]int, r.IntN(9)), make([]int, r.IntN(9))
		for i := range x {
			x[i] = r.IntN(3)
		}
		for i := range y {
			y[i] = r.IntN(3)
		}
		var gotX, gotY []int
		common := 0
		for _, p := range compare(len(x), len(y), func(a, b int) bool { return x[a] == y[b] }) {
			if p.in != onlyB {
				gotX = append(gotX, x[p.a])
			}
			if p.in != onlyA {
				gotY = append(gotY, y[p.b])
			}
			if p.in == both {
				common++
			}
		}
		if !slices.Equal(gotX, x) || !slices.Equal(gotY, y) || common != longest(x, y) {
			t.Fatalf("%v and %v: parts have %v and %v, %d of %d in common", x, y, gotX, gotY, common, longest(x, y))
		}
	}
}

// longest is the recursion that defines the length of a longest common subsequence.
func longest(x, y []int) int {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	if x[0] == y[0] {
		return 1 + longest(x[1:], y[1:])
	}
	return max(longest(x[1:], y), longest(x, y[1:]))
}

// A state that changed is told as what is gone, what is new and what stays.
func TestChange(t *testing.T) {
	for _, c := range [][3]string{
		{"a{n:1}", "a{n:2}", "a{n:<del>1</del><ins>2</ins>}"},
		{"[x]", "[x y]", "[x<ins> y</ins>]"},
		{"<b>", "<i>", "&lt;<del>b</del><ins>i</ins>&gt;"},
		{"", "new", "<ins>new</ins>"},
		{"same", "same", "same"},
	} {
		w := &writer{}
		if w.change(c[0], c[1]); w.b.String() != c[2] {
			t.Errorf("from %q to %q: %q, want %q", c[0], c[1], w.b.String(), c[2])
		}
	}
}

// Long stretches that both executions share are left out, and counted.
func TestBesideOfLongExecutions(t *testing.T) {
	p, q := failing(), passing()
	for i := range 100 {
		row := report.Row{Step: 4 + i, ID: fmt.Sprint("more", i), Lifeline: 1, Label: fmt.Sprint("M", i)}
		p.Rows, q.Rows = append(p.Rows, row), append(q.Rows, row)
	}
	w := &writer{}
	w.beside(p, q)
	got := w.b.String()
	shown := strings.Count(got, "<tr>")
	if !strings.Contains(got, "⋮ 97 steps alike") || shown > 20 {
		t.Errorf("%d rows:\n%s", shown, got)
	}
}

// BenchmarkHTML10000 writes the page of an execution of 10,000 steps, each of which changes a state.
func BenchmarkHTML10000(b *testing.B) {
	p := failing()
	for i := range 10_000 {
		p.Rows = append(p.Rows, report.Row{Step: 4 + i, ID: fmt.Sprint(i), Lifeline: 1, Kind: "deliver", Label: "deposit(1)",
			States: []report.State{{Lifeline: 1, Text: fmt.Sprintf("&account{balance:%d}", i)}}})
	}
	p.Whole = true
	d := bank()
	d.Records[0].Findings[0].Picture = p
	size := 0
	for b.Loop() {
		size = len(HTML(d))
	}
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(len(p.Rows)), "rows")
}
