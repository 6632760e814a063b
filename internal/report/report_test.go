package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

var update = flag.Bool("update", false, "write the goldens anew")

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

func golden(t *testing.T, name, got string) {
	t.Helper()
	checkWidth(t, got)
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and look at the difference\n%s", file, SideBySide(string(want), got))
	}
}

func checkWidth(t *testing.T, text string, width ...int) {
	t.Helper()
	screen := Width
	if len(width) > 0 {
		screen = screenOf(width[0])
	}
	for _, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > screen {
			t.Fatalf("a line of %d runes:\n%s", n, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Fatalf("a line that ends in a space: %q", line)
		}
	}
}

// story builds traces by hand, with the names of a real program.
type story struct {
	tr trace.Trace
	at map[string]int32 // actors by name
	e  int32            // event
}

func newStory() *story {
	s := &story{at: map[string]int32{"Driver": 0}}
	s.tr.AddDriver()
	s.e = s.tr.Begin(trace.StartStep(0))
	s.tr.Events[0].Auto = true
	return s
}

func (s *story) spawn(names ...string) {
	for _, name := range names {
		s.at[name] = s.tr.AddActor(s.tr.TypeNamed("bank."+name), name, s.tr.Events[s.e].Step.Actor, s.e)
	}
}

func (s *story) send(typ, to string, value any) int32 {
	return s.tr.AddMessage(s.tr.TypeNamed("bank."+typ), trace.User, s.tr.Events[s.e].Step.Actor, s.at[to], s.e, value)
}

func (s *story) take(step trace.Step) { s.e = s.tr.Begin(step); s.tr.Events[s.e].Completed = true }

func (s *story) deliver(m int32) { s.take(s.tr.DeliveryOf(m)) }

type withdraw struct{ Amount int }

// overdraft is two clients that look at the balance before either withdraws.
func overdraft() *story {
	s := newStory()
	s.spawn("Account", "Ann", "Bob")
	goAnn, goBob := s.send("Go", "Ann", nil), s.send("Go", "Bob", nil)
	s.deliver(goAnn)
	balance1 := s.send("Balance", "Account", struct{}{})
	s.deliver(goBob)
	balance2 := s.send("Balance", "Account", struct{}{})
	s.deliver(balance1)
	is1 := s.send("Is", "Ann", 100)
	s.deliver(balance2)
	is2 := s.send("Is", "Bob", 100)
	s.deliver(is1)
	w1 := s.send("withdraw", "Account", &withdraw{80})
	s.deliver(w1)
	s.deliver(is2)
	w2 := s.send("withdraw", "Account", &withdraw{80})
	s.deliver(w2)
	s.tr.Events[s.e].Incidents = []trace.Incident{{Kind: trace.Assertion, Actor: s.at["Account"], Message: w2,
		Text: "balance is -60", Site: "bank.(*account).withdraw", Where: "account.go:41"}}
	return s
}

func TestGoldens(t *testing.T) {
	s := overdraft()
	v := trace.Violation{Kind: trace.Assertion, Text: "balance is -60", Where: "account.go:41",
		Event: int(s.e), Actor: "Account"}
	golden(t, "overdraft", Diagram(&s.tr, DiagramOptions{Test: "TestTwoClients",
		Pairs: []explain.Pair{{First: 4, Second: 6}}, Violation: &v}))
	golden(t, "overdraft_last3",
		Diagram(&s.tr, DiagramOptions{Pairs: []explain.Pair{{First: 4, Second: 6}}, Violation: &v, Rows: 2}))
	golden(t, "kinds", Diagram(&kinds().tr,
		DiagramOptions{Pairs: []explain.Pair{{First: 2, Second: 3}, {First: 3, Second: 5}},
			Violation: &trace.Violation{Kind: trace.Deadlock, Event: 1 << 20,
				Text: "blocked in a cycle of calls: Server waits for Reply from Cache; Cache waits for Reply from Server"}}))
	golden(t, "crowd", Diagram(&crowd().tr, DiagramOptions{Pairs: []explain.Pair{{First: 9, Second: 10}}}))
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		failures, err := toy.Failures(model, 60, 5)
		if err != nil {
			t.Fatal(err)
		}
		// The first that is long enough to be worth drawing and depends on the order.
		i := 0
		for len(failures[i].Trace.Events) < 8 || !strings.Contains(told(t, &failures[i]), "flipped") {
			i++
		}
		golden(t, "toy_"+model.String(), told(t, &failures[i]))
	}
}

// told is the whole way: minimise, explain, draw.
func told(t *testing.T, f *toy.Failure) string {
	t.Helper()
	m, err := explain.Minimise(f.Run, f.Trace.Schedule(), f.Violation.Key())
	if err != nil {
		t.Fatal(err)
	}
	v := m.Run.With(f.Violation.Key())
	x, err := explain.Culprit(f.Run, m.Run.Trace, *v, "")
	if err != nil {
		t.Fatal(err)
	}
	text := Wrap(x.Text, "", 0) + Diagram(m.Run.Trace, DiagramOptions{Pairs: x.Pairs, Violation: v})
	if x.Flipped != nil {
		text += "\nflipped:\n" + Diagram(x.Flipped, DiagramOptions{})
	}
	return text
}

// kinds has a step of every kind.
func kinds() *story {
	s := newStory()
	s.spawn("Server", "Cache", "Reporter with a name that is far too long for any column")
	m := s.send("Request", "Server", "a text with spaces")
	s.deliver(m)
	call := s.send("Lookup", "Cache", []int{1, 2, 3})
	s.take(s.tr.ReleaseOf(call))
	s.deliver(call)
	s.take(s.tr.ChoiceStep(s.e, 0, 2))
	answer := s.tr.AddMessage(s.tr.TypeNamed("bank.Reply"), trace.Answer, s.at["Cache"], s.at["Server"], s.e, nil)
	s.take(s.tr.DeliveryOf(answer))
	self := s.send("Tick", "Server", nil)
	s.deliver(self)
	timeout := s.tr.AddMessage(s.tr.TypeNamed("bank.Timeout"), trace.Timeout, s.at["Server"], s.at["Server"], s.e, nil)
	task := s.tr.AddMessage(s.tr.TypeNamed("bank.Task"), trace.Task, s.at["Server"], s.at["Server"], s.e, nil)
	s.take(trace.AdvanceStep(0))
	s.tr.Events[s.e].Time = 1500 * time.Millisecond
	s.take(s.tr.FiringOf(timeout))
	s.deliver(timeout)
	long := s.send("AMessageWhoseNameIsVeryLongAndGoesOnAndOn[with.parameters]",
		"Reporter with a name that is far too long for any column", nil)
	s.deliver(long)
	s.take(s.tr.DeliveryOf(task))
	s.tr.Events[s.e].Incidents = []trace.Incident{
		{Kind: trace.Panic, Actor: 1, Message: -1, Text: strings.Repeat("a long panic text ", 30), Where: "server.go:7"},
		{Kind: trace.DeadLetter, Actor: 1, Message: -1, Text: strings.Repeat("x", 300)}}
	return s
}

// crowd has more actors than columns, and more steps than rows.
func crowd() *story {
	s := newStory()
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("Worker%02d", i))
	}
	s.spawn(names...)
	var first []int32
	for _, n := range names {
		first = append(first, s.send("Work", n, len(first)))
	}
	for i, m := range first {
		s.deliver(m)
		s.deliver(s.send("Done", names[(i*7+1)%30], i))
	}
	return s
}

// Whatever happens in a random program, its report fits.
func TestWidthOnRandomPrograms(t *testing.T) {
	for _, model := range models {
		failures, err := toy.Failures(model, 60, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			checkWidth(t, told(t, f))
			rename(f.Trace, i)
			for _, width := range []int{0, 1, 80, 1000} {
				checkWidth(t, Diagram(f.Trace, DiagramOptions{Rows: i%5 - 1, Violation: &f.Violation, Width: width}), width)
			}
		}
	}
}

// rename gives the actors names of many lengths and alphabets.
func rename(tr *trace.Trace, n int) {
	for a := range tr.Actors {
		tr.Actors[a].Name = strings.Repeat([]string{"x", "é ", "名", "a/b\n"}[(n+a)%4], (n*7+a*13)%40)
	}
}

func TestStates(t *testing.T) {
	var list []ActorState
	for i := range 25 {
		list = append(list, ActorState{fmt.Sprintf("Actor#%d", i), strings.Repeat("field:value ", i)})
	}
	got := States(list, 0)
	checkWidth(t, got)
	if !strings.Contains(got, "Actor#19") || strings.Contains(got, "Actor#20") ||
		!strings.Contains(got, "… 5 more actors") {
		t.Error(got)
	}
	if got := States(nil, 0); got != "" {
		t.Errorf("no actors print %q", got)
	}
}

func TestSideBySide(t *testing.T) {
	got := SideBySide("same\nleft\n"+strings.Repeat("long ", 30), "same\nright\n"+strings.Repeat("long ", 30)+"\nmore")
	checkWidth(t, got)
	lines := strings.Split(got, "\n")
	for i, sign := range []string{"│", "≠", "│", "≠"} {
		if !strings.Contains(lines[i], sign) {
			t.Errorf("line %d is %q, want a %s", i+1, lines[i], sign)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"a abcdefghij b", 4, "a|abcd|efgh|ij b"},
		{"RequestCancelled/now", 12, "Request|Cancelled/|now"},
		{"first\nsecond line", 20, "first|second line"},
		{strings.Repeat("a\n", 20), 5, strings.Repeat("a|", 11) + "…"},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// Draws of Go's with their default have no row, unless they decide: what goes wrong in one is told of the step in which
// it is drawn.
func TestDiagramOfDraws(t *testing.T) {
	s := newStory()
	s.spawn("Clerk", "Desk")
	draw := func(value int, name string) {
		step := s.tr.DrawStep(s.e, value)
		s.tr.NameDraw(step, name)
		s.take(step)
	}
	s.deliver(s.send("Open", "Desk", nil))
	draw(0, "the map's order at desk.go:4 begins with \"landlord\"")
	decides := s.e
	draw(0, "the select at desk.go:9 takes ready case 1 of 2")
	s.deliver(s.send("Bell", "Clerk", nil))
	draw(1, "the select at a_file_whose_name_is_long.go:6969 takes ready case 2 of 2")
	draw(0, "nobody else goes on at clerk.go:7")
	s.tr.Events[s.e].Incidents = []trace.Incident{{Kind: trace.Assertion, Actor: s.at["Clerk"], Message: -1,
		Text: "a call was never served", Where: "clerk.go:8"}}
	golden(t, "draws", Diagram(&s.tr, DiagramOptions{Draws: []int32{decides}}))

	// Without a row before it, a default says what went wrong itself.
	s.tr.Explored = int(s.e)
	golden(t, "draws_part", Diagram(&s.tr, DiagramOptions{}))
}

// Labels wrap: up to four lines in their row; what is longer is below it where the row matters, and else its content
// is left out. An actor that waits in the middle of a step has a thick lifeline. A line is as wide as was asked for.
func TestLongLabels(t *testing.T) {
	many := func(text string) []string { return slices.Repeat([]string{text}, 10) }
	s := newStory()
	s.spawn("Server", "Cache")
	call := func(content any) {
		ask := s.send("Lookup", "Cache", content)
		s.tr.Events[s.e].Completed = false
		s.deliver(ask)
		answer := s.tr.AddMessage(s.tr.TypeNamed("bank.Found"), trace.Answer, s.at["Cache"], s.at["Server"], s.e, nil)
		s.take(s.tr.DeliveryOf(answer))
	}
	s.deliver(s.send("Request", "Server", "one"))
	call("a content that is longer than the room that there is between two lifelines")
	call(many("a content that does not end"))
	note := s.send("Note", "Server", many("what is marked is told in whole"))
	s.deliver(note)
	o := DiagramOptions{Pairs: []explain.Pair{{First: s.e, Second: -1}}}
	golden(t, "long", Diagram(&s.tr, o))
	for _, o.Width = range []int{60, 160} {
		text := Diagram(&s.tr, o)
		checkWidth(t, text, o.Width)
		if n := utf8.RuneCountInString(strings.SplitN(text, "\n", 3)[1]); n > o.Width || n <= o.Width/2 {
			t.Errorf("of a width of %d a row has %d:\n%s", o.Width, n, text)
		}
	}
	got := strings.Join(strings.Fields(Diagram(&s.tr, DiagramOptions{Rows: -1})), " ")
	if strings.Count(got, "does not end") < 10 {
		t.Errorf("all rows are shown, and not all of a content:\n%s", got)
	}
}
