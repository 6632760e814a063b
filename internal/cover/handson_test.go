package cover

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// noted is a strategy that notes what it is told.
type noted struct {
	starts, learned, cuts, opened, closed, choices int
	refuses                                        bool
}

func (*noted) Name() string { return "noted" }
func (n *noted) Start() bool {
	n.starts++
	return true
}
func (n *noted) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	n.choices++
	return explore.Choice{Index: trace.First(enabled)}
}
func (n *noted) Learn(_ *trace.Trace, cut bool) {
	n.learned++
	if cut {
		n.cuts++
	}
}
func (n *noted) Open(explore.Execution) { n.opened++ }
func (n *noted) Close()                 { n.closed++ }
func (*noted) Complete() bool           { return true }
func (*noted) DrawSeed() uint64         { return 7 }
func (n *noted) Bind(explore.Env) error {
	if n.refuses {
		return errors.New("refused")
	}
	return nil
}

// TestHandsOn: the strategies that execute first and now and then are told of their executions, and of no others. An
// execution that follows a schedule draws what its base drew.
func TestHandsOn(t *testing.T) {
	initial, random := &noted{}, &noted{}
	s := NewStar(1, initial, random)
	conditions := explore.Conditions{Model: trace.FIFO}
	if err := s.Bind(explore.Env{Conditions: conditions}); err != nil || s.Complete() {
		t.Errorf("%v, complete %v", err, s.Complete())
	}
	tr, p := &trace.Trace{}, toy.Random(6, pure)
	for i := range 40 {
		s.Start()
		walks := initial.starts + random.starts
		if seed, want := s.DrawSeed(), map[bool]uint64{true: 7, false: 9}[s.turn != nil]; seed != want {
			t.Fatalf("execution %d draws from %d, want %d", i, seed, want)
		}
		s.Open(nil)
		s.Close()
		tr = traceOf(t, p, trace.FIFO, uint64(i))
		tr.Drawn = 9
		s.Learn(tr, i%2 == 0)
		told := initial.learned + random.learned
		if walks != told || walks != initial.opened+random.opened || walks != initial.closed+random.closed {
			t.Fatalf("%d executions were theirs, and they were told of %d", walks, told)
		}
	}
	if initial.starts != 1 || initial.cuts != 1 || random.starts < 5 || random.starts > 30 || random.cuts == 0 ||
		random.cuts == random.learned {
		t.Errorf("initial %+v, random %+v", initial, random)
	}
	late, bases := NewStar(1, &noted{}, &noted{}), 0
	for i, isLate := range []bool{false, true} {
		if err := late.Bind(explore.Env{Conditions: conditions, Late: func() bool { return isLate }}); err != nil {
			t.Fatal(err)
		}
		bases = len(late.bases)
		late.Witness(traceOf(t, toy.Random(uint64(6+i), pure), trace.FIFO, 1))
	}
	if bases != 1 || len(late.bases) != bases {
		t.Errorf("%d bases, and %d where the time was up", bases, len(late.bases))
	}
	if err := NewStar(1, initial, &noted{refuses: true}).Bind(explore.Env{}); err == nil {
		t.Error("a strategy that refuses is used")
	}
}

// TestLiteralHandsOn: the first execution is that of another strategy.
func TestLiteralHandsOn(t *testing.T) {
	initial := &noted{}
	l := NewLiteral(initial)
	o := explore.Options{Conditions: explore.Conditions{Model: trace.FIFO}, Budget: explore.Budget{Executions: 5}}
	out, err := explore.Run(toy.NewSystem(toy.Random(6, pure)), l, o)
	if err != nil || out.Complete || initial.starts != 1 || initial.learned != 1 || initial.choices == 0 ||
		l.Schedules == 0 {
		t.Errorf("%v, %+v, initial %+v, %d schedules", err, out, initial, l.Schedules)
	}
	// An execution that was cut has not stalled, and one that ended before its schedule has.
	for _, cut := range []bool{true, false} {
		stalled := l.Stalled
		l.follower.follow(l.steps)
		l.Learn(nil, cut)
		if (l.Stalled > stalled) == cut {
			t.Errorf("cut %v: stalled %v", cut, l.Stalled > stalled)
		}
	}
}

// TestWords: what may follow the strategy's name.
func TestWords(t *testing.T) {
	if want := []string{"shared", "literal", "literal/pr", "literal/pmr", "literal/pcr"}; !slices.Equal(Words(), want) {
		t.Errorf("%q, want %q", Words(), want)
	}
	for _, tt := range []struct {
		options, name string
		criteria      []Criterion
	}{
		{"", "cover", nil}, {"shared", "cover/shared", nil}, {"literal", "cover/literal", []Criterion{PR, PMR, PCR}},
		{"literal/pcr", "cover/literal", []Criterion{PCR}},
	} {
		s, err := Parse(tt.options, 1, &noted{}, &noted{})
		if err != nil || s.Name() != tt.name {
			t.Errorf("%q: %v, %v", tt.options, s, err)
		}
		if l, ok := s.(*Literal); ok && !slices.Equal(l.criteria, tt.criteria) {
			t.Errorf("%q: criteria %v", tt.options, l.criteria)
		}
	}
	for _, options := range []string{"dense", "literal/", "literal/px", "dense/pr"} {
		if _, err := Parse(options, 1, &noted{}, &noted{}); err == nil {
			t.Errorf("%q is no error", options)
		}
	}
}

// TestMust: of the messages of an execution it is known which must come before which, by definition 7.
func TestMust(t *testing.T) {
	tr := gatling(2, "ex1 w1 ex2 w2 ad1 ad2 fl fd")
	b := tr.Begin(trace.StartStep(2))
	left := tr.AddMessage(tr.TypeNamed("left"), trace.User, 0, 1, b, nil)
	o, text := NewOrder(tr, trace.FIFO), newPlain(tr, true)
	number := map[int32]int{}
	for e := range tr.Events {
		if Asynchronous(tr, e) {
			number[tr.Events[e].Step.Message] = len(number)
		}
	}
	open := 0
	for first := range int32(len(tr.Messages)) {
		for second := range int32(len(tr.Messages)) {
			x, fine := number[first]
			y, too := number[second]
			must, known := o.Must(first, second)
			if known != (fine && too) || first == left && known {
				t.Errorf("%d and %d are known: %v", first, second, known)
			}
			if !known || x >= y || text.rec[x] != text.rec[y] {
				continue
			}
			if must != text.must[x][y] {
				t.Errorf("%d must come before %d: %v", first, second, must)
			}
			if !must {
				open++
			}
		}
	}
	if open == 0 {
		t.Error("the order of all pairs is fixed")
	}
}

// TestLongExecutions: what comes after maxClock numbers is left out, and the oldest bases are, so that memory is
// bounded.
func TestLongExecutions(t *testing.T) {
	tr := large(100, 400, false)
	whole, part := bounded(tr, trace.Bag, NewAchieved(), maxClock), bounded(tr, trace.Bag, NewAchieved(), 10_000)
	n := len(part.places)
	if n < 100 || n > 300 || len(part.receives) != n || len(whole.places) != 400 || len(whole.receives) != 400 {
		t.Errorf("%d places with %d receives, and %d with %d", len(whole.places), len(whole.receives), n, len(part.receives))
	}
	if part.size < 10_000+32*len(part.places) || part.size > 10_200+32*len(part.places) || whole.size < 3*part.size/2 {
		t.Errorf("sizes %d and %d", part.size, whole.size)
	}
	last := Order{part}
	if _, known := last.Must(tr.Events[1].Step.Message, tr.Events[len(tr.Events)-1].Step.Message); known {
		t.Error("an order is known that was left out")
	}
	s := NewStar(1, &noted{}, &noted{})
	if err := s.Bind(explore.Env{Conditions: explore.Conditions{Model: trace.Bag}}); err != nil {
		t.Fatal(err)
	}
	tr = large(300, 2000, false)
	for range 5 {
		s.keep(tr)
	}
	if size := s.bases[0].size; len(s.bases) != maxKept/size || len(s.bases) != 3 {
		t.Errorf("%d bases of %d numbers", len(s.bases), size)
	}
	s.keep(large(1000, 3000, false)) // one that is larger than all may be
	if len(s.bases) != 1 || s.bases[0].size < maxKept {
		t.Errorf("%d bases, the first of %d numbers", len(s.bases), s.bases[0].size)
	}
}

// TestLeads: what leads to a place by sending, and what the model keeps before that, is found as by a search of all.
func TestLeads(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(40) {
		for _, model := range toy.Models {
			b := newBase(traceOf(t, toy.Random(seed, toy.Full), model, seed), model, NewAchieved())
			for range min(10, len(b.places)) {
				j := int32(r.IntN(len(b.places)))
				met := map[int32]bool{j: true}
				for found := true; found; {
					found = false
					for q := range met {
						at := &b.places[q]
						for p := range int32(len(b.places)) {
							x := &b.places[p]
							if (p == at.origin || x.kept >= 0 && x.kept == at.kept && x.nth < at.nth ||
								model == trace.MailboxSerial && x.chain == at.chain && x.at < at.at) && !met[p] {
								met[p], found = true, true
							}
						}
					}
				}
				var want []int32
				for p := range met {
					if p != j {
						want = append(want, p)
					}
				}
				slices.Sort(want)
				if got := b.leads(j); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %v: to place %d lead %v, want %v", seed, model, j, got, want)
				}
			}
		}
	}
}

// TestSetUpDecides: under mailbox the order of what set-up released is decided before all. It comes first in every
// schedule, and only the rest changes places.
func TestSetUpDecides(t *testing.T) {
	b := newBuilder("A", "B")
	for _, name := range []string{"first", "second"} {
		b.send(name, "A")
		b.tr.Messages[b.names[name]].AtOnce = true
	}
	b.tr.Explored = len(b.tr.Events)
	b.tr.Begin(trace.StartStep(1))
	later := []string{"third", "fourth"}
	for _, name := range later {
		b.send(name, "A")
	}
	b.tr.Begin(trace.StartStep(2))
	b.send("other", "A")
	b.tr.Messages[b.names["other"]].Sender = b.actor("B")
	for _, name := range append(later, "other") {
		m := b.names[name]
		e := b.tr.Begin(b.tr.ReleaseOf(m))
		b.tr.Events[e].Released = m
	}
	for _, name := range []string{"first", "second", "third", "fourth", "other"} {
		b.receive(name)
	}
	order := NewOrder(b.tr, trace.Mailbox)
	for _, tt := range []struct {
		x, y string
		want bool
	}{
		{"first", "second", true}, {"first", "other", true}, {"other", "first", false}, {"third", "fourth", true},
		{"fourth", "other", false},
	} {
		if must, known := order.Must(b.names[tt.x], b.names[tt.y]); must != tt.want || !known {
			t.Errorf("%s before %s: %v, %v", tt.x, tt.y, must, known)
		}
	}
	for c, want := range map[Criterion]int{PR: 12, PCR: 8} {
		o := NewAchieved()
		g := newGenerator(newBase(b.tr, trace.Mailbox, o), o, c)
		var seqs []sequence
		schedules := 0
		for out := g.next(); out != nil && schedules < 20; out = g.next() {
			seqs = g.achieve(out, seqs)
			schedules++
		}
		if o.Count(c) != want {
			t.Errorf("%v: %d schedules achieve %d goals, want %d", c, schedules, o.Count(c), want)
		}
	}
}
