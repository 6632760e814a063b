package report

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/tests/markup"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// valid fails the test unless a picture is well-formed XML, the same each time, also behind a file, and refers to
// nothing elsewhere. It gives the picture.
func valid(t *testing.T, p *Picture) string {
	t.Helper()
	svg := p.SVG()
	if bad := markup.Invalid(svg); bad != "" {
		t.Fatalf("%s in\n%s", bad, svg)
	}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read Picture
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if again := read.SVG(); again != svg {
		t.Errorf("drawn from a file it is\n%s\nnot\n%s", again, svg)
	}
	return svg
}

// overtaken is a small failing execution: the withdrawal overtakes the deposit.
func overtaken() (*trace.Trace, PictureOptions) {
	s := newStory()
	s.spawn("Client", "Server")
	first := s.send("Pay", "Client", map[string]int{"Amount": 50})
	s.deliver(first)
	deposit := s.send("Deposit", "Server", 50)
	withdraw := s.send("Withdraw", "Server", 120)
	s.deliver(withdraw)
	failing := s.e
	s.tr.Events[failing].Incidents = []trace.Incident{{Kind: trace.Panic, Actor: s.at["Server"], Text: "overdrawn"}}
	v := &trace.Violation{Kind: trace.Panic, Text: "overdrawn", Event: int(failing), Actor: "Server"}
	return &s.tr, PictureOptions{Title: "overdrawn", Violation: v, Pairs: []explain.Pair{
		{First: failing, Second: -1, Message: deposit,
			FirstName: "Withdraw", SecondName: "Deposit from Client", Actor: "Server"},
	}}
}

func TestPicture(t *testing.T) {
	tr, o := overtaken()
	p := NewPicture(tr, o)
	svg := valid(t, p)
	for _, want := range []string{
		">the test</text>", ">Client</text>", "Withdraw(120)", "overdrawn", `class="wrongrow"`, `class="arrow hot"`,
		"B: Deposit from Client was not handled in this execution", "prefers-color-scheme:dark",
		"step 2: Server: Withdraw(120) from Client (A)",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	var passed, pending int
	for _, a := range p.Arrows {
		if a.Label == "Deposit(50)" && a.Arrived < 0 && a.Marks == "B" {
			pending++
		}
		if a.Label == "Withdraw(120)" && a.Sent == 1 && a.Arrived == 2 {
			passed++
		}
	}
	if passed != 1 || pending != 1 {
		t.Errorf("arrows are %+v", p.Arrows)
	}
}

// What the program calls things is text and nothing else.
func TestHostileNames(t *testing.T) {
	s := newStory()
	hostile := []string{
		"<script>alert(1)</script>", `"><image href="http://example.com/x"/>`, "]]>&lt;&#0;\x00\x1b[2J", "\xff\xfe\xc0",
		"abc\u202edcba\u2066", strings.Repeat("x", 1<<20), "👩‍👩‍👧 中文字符 العربية",
	}
	s.spawn(hostile...)
	for _, name := range hostile {
		m := s.send(name, name, name)
		s.deliver(m)
		s.tr.Events[s.e].Incidents = []trace.Incident{{Kind: trace.Assertion, Actor: s.at[name], Text: name}}
	}
	svg := valid(t, NewPicture(&s.tr, PictureOptions{Title: strings.Join(hostile, " ")}))
	if len(svg) > 1<<20 {
		t.Errorf("%d bytes", len(svg))
	}
	for _, r := range "\u202e\u2066\x00\x1b" {
		if strings.ContainsRune(svg, r) {
			t.Errorf("%q is in the picture", r)
		}
	}
}

// long is an execution of so many deliveries between some actors.
func long(deliveries int) *trace.Trace {
	s := newStory()
	names := []string{"A", "B", "C", "D"}
	s.spawn(names...)
	s.e = 0
	random := rand.New(rand.NewPCG(1, 2))
	for i := range deliveries {
		s.deliver(s.send(fmt.Sprint("M", i%3), names[random.IntN(len(names))], i))
	}
	return &s.tr
}

// Long stretches without anything that a reader looks for are folded; what is marked or fails is shown.
func TestFolding(t *testing.T) {
	for _, n := range []int{5, 50, 500, 3 * PictureRows} {
		tr := long(n)
		middle := int32(n / 2)
		tr.Events[middle].Incidents = []trace.Incident{{Kind: trace.Panic, Text: "in the middle", Actor: 1}}
		p := NewPicture(tr, PictureOptions{})
		l := newLayout(p)
		shown, folded := 0, p.Before
		for i := range l.at {
			if l.at[i].folded {
				folded++
			} else if i > 0 {
				shown++
			}
		}
		if shown+folded != n || n < foldFrom && folded > 0 || n > 10*foldFrom && shown > 100 {
			t.Errorf("%d steps: %d shown, %d folded", n, shown, folded)
		}
		if svg := valid(t, p); n <= PictureRows && !strings.Contains(svg, "in the middle") {
			t.Errorf("%d steps: the failure is not shown", n)
		}
	}
}

// TestRandomPictures draws failing executions of random programs: each row has a place of its own below the last, and
// no arrow comes before it was sent.
func TestRandomPictures(t *testing.T) {
	for _, model := range models {
		failures, err := toy.Failures(model, 60, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			rename(f.Trace, i)
			p := NewPicture(f.Trace, PictureOptions{Title: f.Violation.Text, Violation: &f.Violation})
			if svg := valid(t, p); !strings.Contains(svg, "✗") {
				t.Errorf("%v: what failed is not shown", f)
			}
			ordered(t, p)
		}
	}
}

func ordered(t *testing.T, p *Picture) {
	t.Helper()
	l := newLayout(p)
	for i := 2; i < len(l.at); i++ {
		if !l.at[i].folded && l.at[i].top < l.at[i-1].top+l.at[i-1].height {
			t.Fatalf("row %d is at %+v, behind %+v", i, l.at[i], l.at[i-1])
		}
	}
	for _, a := range p.Arrows {
		if a.Arrived >= 0 && a.Arrived < a.Sent {
			t.Fatalf("%+v", a)
		}
	}
}

// A long picture that is drawn with all its steps has few elements but for its texts, and the same texts as one that is
// drawn step by step. Names are repeated in it.
func TestLongPicture(t *testing.T) {
	const n = 2000
	p := NewPicture(long(n), PictureOptions{})
	p.Whole = true
	svg := valid(t, p)
	if paths := strings.Count(svg, "<path"); paths > n/10 {
		t.Errorf("%d paths for %d steps", paths, n)
	}
	for _, label := range []string{">M0(0)<", ">M1(1000)<", ">M1(1999)<"} {
		if !strings.Contains(svg, label) {
			t.Errorf("no %s", label)
		}
	}
	if names := strings.Count(svg, ">the test<"); names < n/repeatNames-1 {
		t.Errorf("a name is there %d times", names)
	}
	for _, class := range []string{"box", "arrow", "tip", "halo"} {
		shapes := 0 // each begins with an M
		for _, part := range strings.Split(svg, `<path class="`+class+`" d="`)[1:] {
			d, _, _ := strings.Cut(part, `"`)
			shapes += strings.Count(d, "M")
		}
		if shapes < n {
			t.Errorf("%d shapes of class %s for %d steps", shapes, class, n)
		}
	}
}

// BenchmarkSVG10000 draws an execution of 10,000 steps: folded, and with all its steps.
func BenchmarkSVG10000(b *testing.B) {
	tr := long(10_000)
	for _, whole := range []bool{false, true} {
		b.Run(fmt.Sprintf("whole=%v", whole), func(b *testing.B) {
			svg := ""
			for b.Loop() {
				p := NewPicture(tr, PictureOptions{})
				p.Whole = whole
				svg = p.SVG()
			}
			b.ReportMetric(float64(len(svg)), "bytes")
			b.ReportMetric(float64(strings.Count(svg, "<")-strings.Count(svg, "</")), "elements")
		})
	}
}
