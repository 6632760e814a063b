package export

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

var update = flag.Bool("update", false, "write the goldens anew")

// shop is an execution with something of every kind: a call and its reply, a timer, an advance of the clock, a message
// that is lost and one that nobody handles, an actor that is created and one that stops, states, and a failure.
func shop() Execution {
	return Execution{Name: "shop.TestOrder-1", Picture: &report.Picture{
		Title: `assertion: "sold" twice`,
		Lifelines: []report.Lifeline{
			{Name: "TestOrder", Ends: -1}, {Name: "till", Type: "desk", Full: "shop.desk", Ends: -1},
			{Name: "stock of the shop", Full: "shop.stock", Ends: 6, Unseen: "it is a function"},
			{Name: "courier", Full: "shop.courier", Born: 1, Ends: -1},
		},
		Rows: []report.Row{
			{Lifeline: -1, Kind: "set-up", Label: "before the first step",
				States: []report.State{{Lifeline: 1, Text: "&desk{sold:0}"}}},
			{Step: 1, ID: "a", Lifeline: 1, Kind: "deliver", Label: "Order(7)", From: "TestOrder"},
			{Step: 2, ID: "b", Lifeline: 2, Kind: "deliver", Label: "Ask{Piece:7}", From: "till", Marks: "A"},
			{Step: 3, ID: "c", Lifeline: 1, Kind: "reply", Label: "Yes", From: "stock of the shop",
				States: []report.State{{Lifeline: 1, Text: "&desk{sold:1}"}}},
			{Step: 4, ID: "d", Lifeline: -1, Kind: "advance", Label: "the clock advances to 1s"},
			{Step: 5, ID: "e", Lifeline: 3, Kind: "timer", Label: "timer fires: Late"},
			{Step: 6, ID: "f", Lifeline: 2, Kind: "fault", Label: "fault: the message is lost"},
			{Step: 7, ID: "g", Lifeline: 1, Kind: "deliver", Label: "Paid", From: "courier", Marks: "B",
				Wrong: []string{`assertion: "sold" twice (shop.go:7)`}},
		},
		Arrows: []report.Arrow{
			{From: 0, To: 1, Sent: 0, Arrived: 1, Kind: "message", Label: "Order(7)", Type: "shop.Order"},
			{From: 1, To: 3, Sent: 1, Arrived: 1, Kind: "creation", Label: "creates"},
			{From: 1, To: 2, Sent: 1, Arrived: 2, Kind: "message", Label: "Ask{Piece:7}", Marks: "A"},
			{From: 2, To: 1, Sent: 2, Arrived: 3, Kind: "reply", Label: "Yes"},
			{From: 3, To: 3, Sent: 1, Arrived: 5, Kind: "timeout", Label: "Late"},
			{From: 3, To: 2, Sent: 5, Arrived: 6, Kind: "lost", Label: "Back"},
			{From: 3, To: 1, Sent: 5, Arrived: 7, Kind: "message", Label: "Paid", Marks: "B"},
			{From: 3, To: 1, Sent: 5, Arrived: -1, Kind: "message", Label: "Note"},
		},
		Blocked: []report.Span{{Lifeline: 1, From: 1, To: 3}},
		Before:  4, Missing: []string{"A: Note from courier"}, Notes: []string{"12 rows are left out"},
		End: []string{"deadlock: till waits"},
	}}
}

func TestGoldens(t *testing.T) {
	two := shop()
	two.Name = "shop.TestOrder-2"
	for _, f := range Formats() {
		es := []Execution{shop()}
		if !f.Single {
			es = append(es, two)
		}
		got := written(t, f, es)
		if f.Single {
			continue // the picture has goldens where it is drawn
		}
		file := filepath.Join("testdata", "shop"+f.Suffix)
		if *update {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what is written now (%v): run with -update and look at the difference", file, err)
		}
	}
}

// written writes executions in a format, which must be the same each time and have its form.
func written(t *testing.T, f Format, es []Execution) []byte {
	t.Helper()
	got, err := f.Write(es)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := f.Write(es); string(again) != string(got) {
		t.Errorf("%s: written twice it is not the same", f.Name)
	}
	for _, r := range "\x00\x1b\u202e\u2066" {
		if strings.ContainsRune(string(got), r) {
			t.Errorf("%s has %q", f.Name, r)
		}
	}
	form := map[string]func(*testing.T, []byte, []Execution){"json": formJSON, "dot": formDOT, "shiviz": formShiViz,
		"chrome": formChrome, "text": formText, "svg": formOther, "mermaid": formOther}[f.Name]
	if form == nil {
		t.Fatalf("no check of the form of %s", f.Name)
	}
	form(t, got, es)
	for _, e := range es {
		for _, want := range closing(e.Picture) {
			quoted, _ := json.Marshal(want)
			escaped := strings.Trim(string(quoted), `"`)
			if slices.Contains([]string{"dot", "shiviz", "chrome"}, f.Name) && !strings.Contains(string(got), want) &&
				!strings.Contains(string(got), escaped) && !strings.Contains(string(got), quote(want)) {
				t.Errorf("%s does not say %q", f.Name, want)
			}
		}
	}
	return got
}

// A document without executions has its form, too.
func TestNoExecution(t *testing.T) {
	for _, f := range Formats() {
		if !f.Single {
			if got := written(t, f, nil); strings.Contains(string(got), "null") {
				t.Errorf("%s of nothing is %s", f.Name, got)
			}
		} else if _, err := f.Write(nil); err == nil {
			t.Errorf("%s of nothing", f.Name)
		}
	}
}

// Each part of what is said of the whole execution is told, and so is a message that nobody handled.
func TestClosing(t *testing.T) {
	e := shop()
	want := []string{"left out before the first step shown: 4 steps",
		"decides, and was not handled: A: Note from courier", "12 rows are left out", "✗ deadlock: till waits"}
	if got := closing(e.Picture); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f, _ := Named("chrome")
	if got := string(written(t, f, []Execution{e})); strings.Count(got, `"Note: not handled"`) != 1 {
		t.Errorf("what nobody handled is not in\n%s", got)
	}
}

// formOther is for what is checked where it is drawn.
func formOther(*testing.T, []byte, []Execution) {}

func formText(t *testing.T, data []byte, es []Execution) {
	if n := strings.Count(string(data), "shop.TestOrder-"); n != len(es) && strings.HasPrefix(es[0].Name, "shop.") {
		t.Errorf("%d names of %d executions", n, len(es))
	}
}

// formJSON reads the pictures back.
func formJSON(t *testing.T, data []byte, es []Execution) {
	var f fileJSON
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if f.Version != Version || len(f.Executions) != len(es) {
		t.Fatalf("version %d, %d executions", f.Version, len(f.Executions))
	}
	for i := range es {
		if got := f.Executions[i].Picture; !reflect.DeepEqual(got, es[i].Picture) {
			t.Errorf("read back it is %+v, not %+v", got, es[i].Picture)
		}
	}
}

// formShiViz reads the log as ShiViz does. Each host's own clock counts its steps.
func formShiViz(t *testing.T, data []byte, es []Execution) {
	lines := strings.SplitN(string(data), "\n", 3)
	parser, delimiter := regexp.MustCompile(lines[0]), regexp.MustCompile("(?m)"+lines[1])
	if n := len(delimiter.FindAllString(lines[2], -1)); n != len(es) {
		t.Errorf("%d executions, want %d", n, len(es))
	}
	for i, part := range delimiter.Split(lines[2], -1)[1:] {
		part = strings.TrimPrefix(part, "\n")
		own := map[string]int{}
		found := parser.FindAllStringSubmatch(part, -1)
		if want := len(es[i].Picture.Rows) + len(closing(es[i].Picture)); len(found) != want {
			t.Fatalf("%d steps, want %d in\n%s", len(found), want, part)
		}
		for _, m := range found {
			var clock map[string]int
			if err := json.Unmarshal([]byte(m[2]), &clock); err != nil {
				t.Fatal(err)
			}
			if own[m[1]]++; clock[m[1]] != own[m[1]] {
				t.Errorf("step %d of %s has clock %v", own[m[1]], m[1], clock)
			}
		}
		if rest := strings.Trim(parser.ReplaceAllString(part, ""), "\n"); rest != "" {
			t.Errorf("beside the steps there is %q", rest)
		}
	}
}

// formChrome checks the phases: complete events have a duration, and each flow that begins ends, not earlier.
func formChrome(t *testing.T, data []byte, _ []Execution) {
	var f chromeJSON
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	begun := map[int]eventJSON{}
	for _, e := range f.TraceEvents {
		switch e.Phase {
		case "M", "i":
		case "X":
			if e.Duration <= 0 {
				t.Errorf("no duration: %+v", e)
			}
		case "s":
			begun[e.ID] = e
		case "f":
			if b, ok := begun[e.ID]; !ok || b.Time > e.Time || b.Name != e.Name {
				t.Errorf("the flow from %+v to %+v", b, e)
			}
			delete(begun, e.ID)
		default:
			t.Errorf("phase of %+v", e)
		}
	}
	if len(begun) > 0 {
		t.Errorf("flows without an end: %v", begun)
	}
}

// pictures are those of failing executions of random programs.
func pictures(t *testing.T, n int) (es []Execution) {
	t.Helper()
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox} {
		failures, err := toy.Failures(model, n, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			es = append(es, Execution{Name: fmt.Sprintf("%s-%d", model, i),
				Picture: report.NewPicture(f.Trace, report.PictureOptions{Title: f.Violation.Text, Violation: &f.Violation})})
		}
	}
	return es
}

func TestRandomPrograms(t *testing.T) {
	es := pictures(t, 40)
	for _, f := range Formats() {
		if f.Single {
			continue
		}
		written(t, f, es)
	}
}

// What the program calls things is text in every format.
func TestHostileNames(t *testing.T) {
	hostile := []string{`"];}<script>alert(1)</script>`, "a\nb {\"x\":1}\n=== y ===", "\\", "\\\"", "abc\u202edcba\u2066",
		"\xff\xfe\x00\x1b[2J", "", " ", strings.Repeat("x", 1<<20)}
	for _, s := range hostile {
		e := shop()
		e.Name, e.Picture.Title = s, taken(s)
		for i := range e.Picture.Lifelines {
			e.Picture.Lifelines[i].Name = taken(s)
		}
		for i := range e.Picture.Rows {
			e.Picture.Rows[i].Label = taken(s)
		}
		for i := range e.Picture.Arrows {
			e.Picture.Arrows[i].Label = taken(s)
		}
		for _, f := range Formats() {
			if data := written(t, f, []Execution{e}); len(data) > 1<<19 {
				t.Errorf("%s: %d bytes", f.Name, len(data))
			}
		}
	}
}

// taken is a text as a picture has it.
func taken(s string) string { return render.Shorten(s, report.PictureText) }

// The clocks say what happened before what, as the plain definition does: a step is before the next of its host, and
// before what it sends, creates, or lets time pass for; and what is before that is, too.
func TestClocks(t *testing.T) {
	for _, e := range append(pictures(t, 60), shop()) {
		p := e.Picture
		n := len(p.Rows)
		before := plainOrder(p)
		c := clocks(p)
		for i := range n {
			for j := range n {
				if got := below(c.of[i], c.of[j]); got != before[i][j] {
					t.Fatalf("%s: %d before %d is %v by clocks, %v by the definition:\n%+v", e.Name, i, j, got, before[i][j], p)
				}
			}
		}
	}
}

func below(c, d map[int]int) bool {
	for _, h := range slices.Sorted(maps.Keys(c)) {
		if c[h] > d[h] {
			return false
		}
	}
	return true
}

// plainOrder is the closure of the single reasons.
func plainOrder(p *report.Picture) [][]bool {
	n := len(p.Rows)
	b := make([][]bool, n)
	host := func(i int) int {
		if i == 0 {
			return 0
		}
		return p.Rows[i].Lifeline
	}
	for i := range b {
		b[i] = make([]bool, n)
		b[i][i] = true
		for j := i + 1; j < n; j++ {
			b[i][j] = host(i) == host(j) || p.Rows[i].Kind == "advance" || p.Rows[j].Kind == "advance"
		}
	}
	// from the steps of a host up to a row
	cause := func(h, upTo, j int) {
		for i := 0; i <= upTo && i < j; i++ {
			if host(i) == h {
				b[i][j] = true
			}
		}
	}
	born := map[int]int{}
	for h := range p.Lifelines {
		born[h] = 0 // made by the test
	}
	for _, a := range p.Arrows {
		switch {
		case a.Kind == "creation":
			born[a.To] = a.From
		case a.Arrived > 0 && a.Kind != "lost":
			cause(a.From, a.Sent, a.Arrived)
		}
	}
	for j := 1; j < n; j++ {
		if h := host(j); h >= 0 {
			cause(born[h], p.Lifelines[h].Born, j)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				b[i][j] = b[i][j] || b[i][k] && b[k][j]
			}
		}
	}
	return b
}

func TestForFile(t *testing.T) {
	for _, f := range Formats() {
		if got, ok := ForFile("some/place" + strings.ToUpper(f.Suffix)); !ok || got.Name != f.Name {
			t.Errorf("%s is %s, want %s", f.Suffix, got.Name, f.Name)
		}
	}
	if _, ok := ForFile("dot"); ok {
		t.Error("a name without suffix has a format")
	}
	f, _ := Named("svg")
	if _, err := f.Write([]Execution{shop(), shop()}); err == nil {
		t.Error("two pictures in one file")
	}
}
