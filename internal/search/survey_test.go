package search

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
)

// bough is an item of a tree: some branches of the node at the end of path.
type bough struct {
	path     []int
	from, to int
}

// work executes a bough as a search does, at most so many leaves. Then it gives the rest away, the nodes nearest to the
// beginning first.
func (b *bough) work(w *Walk, branches func(path []int) int, most int) (leaves [][]int, rest []bough) {
	path := append(slices.Clone(b.path), b.from)
	ends := make([]int, len(path))
	for i := range ends {
		ends[i] = path[i] + 1
	}
	ends[len(b.path)] = b.to
	w.Below(len(b.path))
	for {
		for n := branches(path); n > 0; n = branches(path) {
			path, ends = append(path, 0), append(ends, n)
		}
		w.Grow(len(path))
		leaves = append(leaves, slices.Clone(path))
		if len(leaves) == most {
			for i := range path {
				if next := path[i] + 1; next < ends[i] {
					w.Give(i, ends[i]-next)
					rest = append(rest, bough{slices.Clone(path[:i]), next, ends[i]})
					ends[i] = next
				}
			}
		}
		for len(path) > 0 && path[len(path)-1]+1 == ends[len(path)-1] {
			path, ends = path[:len(path)-1], ends[:len(path)-1]
		}
		if len(path) == 0 {
			w.Turn(0, 0)
			return leaves, rest
		}
		path[len(path)-1]++
		w.Turn(len(path), ends[len(path)-1]-path[len(path)-1]-1)
	}
}

// randomTree gives the branches of the nodes of a tree.
func randomTree(seed uint64) func(path []int) int {
	return func(path []int) int {
		h := seed
		for _, k := range path {
			h = (h ^ uint64(k+1)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		if len(path) == 0 {
			return 3
		}
		return int(h>>7) % 4 * min(1, max(0, 7-len(path)))
	}
}

// known is a divided search of which everything is known.
type known struct {
	leaves [][]int
	open   map[int]bough
	last   int
	survey *Survey
}

// step has one item be executed in part, or begin anew under another number.
func (k *known) step(t *testing.T, rnd *rand.Rand, branches func([]int) int) {
	ids := slices.Sorted(maps.Keys(k.open))
	id := ids[rnd.IntN(len(ids))]
	b := k.open[id]
	delete(k.open, id)
	var fresh []NewItem
	outlines := map[int]Outline{}
	add := func(b bough, s Spot) {
		k.last++
		s.Of = id
		k.open[k.last] = b
		fresh = append(fresh, NewItem{k.last, s})
	}
	if rnd.IntN(8) == 0 {
		add(b, Spot{Many: WholeItem})
	} else {
		w := &Walk{}
		leaves, rest := b.work(w, branches, 1+rnd.IntN(12))
		o, spots, ok := w.Outline()
		if !ok || len(spots) != len(rest) {
			t.Fatalf("%d spots of %d items, %v", len(spots), len(rest), ok)
		}
		var text []byte
		text = AppendOutline(text, id, o)
		var err error
		if outlines, err = DecodeOutlines(text); err != nil {
			t.Fatal(err)
		}
		for i := range rest {
			add(rest[i], spots[i])
		}
		k.survey.Add(&w.Growth)
		k.leaves = append(k.leaves, leaves...)
	}
	rnd.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
	if err := k.survey.Fold([]int{id}, outlines, fresh); err != nil {
		t.Fatal(err)
	}
}

func begins(path, with []int) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

// check compares the survey with the tree.
func (k *known) check(t *testing.T) {
	t.Helper()
	k.survey.tidy()
	// The next node above, or the first one.
	above := func(path []int) (best []int) {
		for _, b := range k.open {
			if len(b.path) < len(path) && begins(path, b.path) && len(b.path) > len(best) {
				best = b.path
			}
		}
		return best
	}
	key := func(path []int) string { return fmt.Sprint(path) }
	sums := map[string]float64{}
	for _, l := range k.leaves {
		sums[key(above(l))]++
	}
	if got := k.survey.nodes[0].sum; got != sums[key(nil)] {
		t.Fatalf("%v executions at the first node, want %v", got, sums[key(nil)])
	}
	if len(k.survey.items) != len(k.open) {
		t.Fatalf("%d items are open, want %d", len(k.survey.items), len(k.open))
	}
	places := map[string]*place{key(nil): k.survey.nodes[0]}
	for id, b := range k.open {
		places[key(b.path)] = k.survey.items[id].at
	}
	for id, b := range k.open {
		p := k.survey.items[id]
		if p.from != b.from || p.many != b.to-b.from || p.at.sum != sums[key(b.path)] {
			t.Fatalf("item %d is branches %d and %d more, of a node of %v, want %v with %v", id, p.from, p.many, p.at.sum, b,
				sums[key(b.path)])
		}
		if len(b.path) > 0 && p.at.parent != places[key(above(b.path))] || len(b.path) == 0 && p.at != k.survey.nodes[0] {
			t.Fatalf("node %v is not below the one that it is below", b.path)
		}
	}
}

// TestSurvey: however a tree is divided, and in whatever order it is executed, the survey has the nodes at which
// something is open, what is open there, and what was executed below. When all is done the estimate is the count.
func TestSurvey(t *testing.T) {
	items := 0
	for seed := range uint64(60) {
		rnd, branches := rand.New(rand.NewPCG(seed, 3)), randomTree(seed)
		k := &known{open: map[int]bough{1: {nil, 0, branches(nil)}}, last: 1, survey: NewSurvey(seed%2 == 0)}
		// The first item is the first node itself, and not a branch above it.
		if err := k.survey.Fold([]int{0}, nil, []NewItem{{1, Spot{Many: 3}}}); err != nil {
			t.Fatal(err)
		}
		for len(k.open) > 0 {
			for range 1 + rnd.IntN(4) { // nodes at which nothing is open pile up
				if len(k.open) > 0 {
					k.step(t, rnd, branches)
				}
			}
			k.check(t)
			before := k.survey.Total()
			if rnd.IntN(4) == 0 {
				k.survey = again(t, k.survey)
				k.check(t)
			}
			after := k.survey.Total()
			n := float64(len(k.leaves))
			if after.Known() && (after.Low < n || after.Low > after.Total || after.Total > after.High ||
				math.Abs(after.High-before.High) > 1e-3*before.High || after.Low == after.High && len(k.open) > 0) {
				t.Fatalf("after %v executions: %v, and from its snapshot %v", n, before, after)
			}
		}
		items += k.last
		n := float64(walkTree(&Walk{}, branches, func(int, explore.Estimate) {}))
		if e := k.survey.Total(); e.Total != n || e.Low != n || e.High != n || len(k.leaves) != int(n) {
			t.Errorf("at the end of %v: %v", n, e)
		}
	}
	if items < 1000 {
		t.Errorf("only %d items", items)
	}
}

// again makes a survey from the snapshot of one.
func again(t *testing.T, s *Survey) *Survey {
	t.Helper()
	o, spots := s.Snapshot()
	outlines, err := DecodeOutlines(AppendOutline(nil, 0, o))
	if err != nil {
		t.Fatal(err)
	}
	var fresh []NewItem
	for _, id := range slices.Sorted(maps.Keys(spots)) {
		fresh = append(fresh, NewItem{id, spots[id]})
	}
	n := NewSurvey(s.uneven)
	if err := n.Fold([]int{0}, outlines, fresh); err != nil {
		t.Fatal(err)
	}
	g, err := DecodeGrowth(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	n.Add(&g)
	return n
}

// TestSurveyOrder: in what order reports come changes nothing.
func TestSurveyOrder(t *testing.T) {
	type report struct {
		done     int
		outlines map[int]Outline
		fresh    []NewItem
		grown    *Growth
	}
	const seed = 16
	branches := randomTree(seed)
	w := &Walk{}
	root := bough{nil, 0, 3}
	_, rest := root.work(w, branches, 5)
	o, spots, _ := w.Outline()
	first := report{1, map[int]Outline{1: o}, nil, &w.Growth}
	var others []report
	for i := range rest {
		spots[i].Of = 1
		first.fresh = append(first.fresh, NewItem{10 + i, spots[i]})
		w := &Walk{}
		_, left := rest[i].work(w, branches, 7)
		o, spots, _ := w.Outline()
		r := report{10 + i, map[int]Outline{10 + i: o}, nil, &w.Growth}
		for j := range left {
			spots[j].Of = 10 + i
			r.fresh = append(r.fresh, NewItem{100*(i+1) + j, spots[j]})
		}
		others = append(others, r)
	}
	if len(others) < 4 {
		t.Fatalf("only %d items", len(others))
	}
	var want float64
	for n := range 20 {
		s := NewSurvey(false)
		fold := func(r report) {
			if err := s.Fold([]int{r.done}, r.outlines, r.fresh); err != nil {
				t.Fatal(err)
			}
			s.Add(r.grown)
		}
		fold(report{0, nil, []NewItem{{1, Spot{Many: 3}}}, &Growth{}})
		fold(first)
		for _, i := range rand.New(rand.NewPCG(uint64(n), 1)).Perm(len(others)) {
			fold(others[i])
		}
		e := s.Total()
		if n == 0 {
			want = e.Total
		}
		if !e.Known() || math.Abs(e.Total-want) > 1e-9*want {
			t.Errorf("order %d: %v, want %v", n, e, want)
		}
	}
}

// An item of which nothing could be executed has given away what it has all the same.
func TestGiveWithoutExecutions(t *testing.T) {
	w := &Walk{}
	w.Below(0)
	w.Turn(1, 3) // the next branch was taken, which could not be executed
	w.Give(0, 2)
	w.Give(0, 1)
	w.Turn(0, 0)
	o, spots, ok := w.Outline()
	if !ok || len(o) != 1 || o[0].Sum != 0 || !slices.Equal(spots, []Spot{{From: 2, Many: 2}, {From: 1, Many: 1}}) {
		t.Errorf("%v, %v, %v", o, spots, ok)
	}
}

// What does not fit is an error.
func TestSurveyRefuses(t *testing.T) {
	for name, f := range map[string]func(s *Survey) error{
		"done twice": func(s *Survey) error { return s.Fold([]int{1, 1}, nil, nil) },
		"not open":   func(s *Survey) error { return s.Fold([]int{7}, nil, nil) },
		"of nobody":  func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 5, Many: 1}}}) },
		"no node":    func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, Node: 1, Many: 1}}}) },
		"too many":   func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, Many: 4}}}) },
		"too late":   func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, From: 3, Many: 1}}}) },
		"before it":  func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, From: -1, Many: 1}}}) },
		"nothing":    func(s *Survey) error { return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1}}}) },
		"overlap": func(s *Survey) error {
			return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, Many: 2}}, {3, Spot{Of: 1, From: 1, Many: 1}}})
		},
		"number twice": func(s *Survey) error {
			return s.Fold([]int{1}, nil, []NewItem{{2, Spot{Of: 1, Many: 1}}, {2, Spot{Of: 1, From: 1, Many: 1}}})
		},
	} {
		s := NewSurvey(false)
		if err := s.Fold([]int{0}, nil, []NewItem{{1, Spot{Many: 3}}}); err != nil {
			t.Fatal(err)
		}
		if f(s) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// wide is a survey with so many open items, each at a node of its own with ten branches.
func wide(items int) *Survey {
	s := NewSurvey(true)
	if err := s.Fold([]int{0}, nil, []NewItem{{1, Spot{Many: 1}}}); err != nil {
		panic(err)
	}
	o, fresh := Outline{{0, 1}}, []NewItem(nil)
	for k := range items {
		o = append(o, OutlineNode{k / 2, 1 + k%7})
		fresh = append(fresh, NewItem{2 + k, Spot{1, k + 1, 1 + k%9, 10 - 1 - k%9}})
	}
	if err := s.Fold([]int{1}, map[int]Outline{1: o}, fresh); err != nil {
		panic(err)
	}
	s.Add(growthOf(3))
	return s
}

// BenchmarkSurveyTotal is the cost of an estimate, by open item.
func BenchmarkSurveyTotal(b *testing.B) {
	const items = 10_000
	s := wide(items)
	for b.Loop() {
		s.Total()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/items, "ns/item")
}

// BenchmarkSurveyFold is the cost of an item that is done and leaves one, with its bytes.
func BenchmarkSurveyFold(b *testing.B) {
	const items = 10_000
	s := wide(items)
	n := items + 2
	for b.Loop() {
		id := n - items
		text := AppendOutline(nil, id, Outline{{0, 5}, {0, 7}})
		o, err := DecodeOutlines(text)
		if err == nil {
			err = s.Fold([]int{id}, o, []NewItem{{n, Spot{id, 1, 3, 2}}})
		}
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
}
