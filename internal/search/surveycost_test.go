package search

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// chained is a survey of a tree that is so deep: each node has an open item, and the lowest one has so many nodes below
// it, each with an open item. The items of the nodes have the numbers from 2 on, the highest node first. Then come
// those of the nodes below.
func chained(t *testing.T, deep, below int) *Survey {
	t.Helper()
	s := NewSurvey(false)
	if err := s.Fold([]int{0}, nil, []NewItem{{1, Spot{Many: 1}}}); err != nil {
		t.Fatal(err)
	}
	o, fresh := Outline{{0, 1}}, []NewItem(nil)
	for k := range deep + below {
		o = append(o, OutlineNode{min(k, deep), 1})
		fresh = append(fresh, NewItem{2 + k, Spot{1, k + 1, 1, 1}})
	}
	if err := s.Fold([]int{1}, map[int]Outline{1: o}, fresh); err != nil {
		t.Fatal(err)
	}
	return s
}

// A tree may be as deep as a message is long. To estimate it takes no deep stack.
func TestDeepSurvey(t *testing.T) {
	const deep = 100_000
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	s := chained(t, deep, 0)
	s.Total()
	o, spots := s.Snapshot()
	if len(o) != deep+1 || len(spots) != deep || o[deep] != (OutlineNode{deep - 1, 1}) {
		t.Errorf("%d nodes, %d items, %v", len(o), len(spots), o[deep])
	}
}

// However the items of a tree are done, one report after the other: looking for nodes at which nothing is open takes a
// few steps for each item, no matter how many are open. Each node that is given up would hand on all those below it.
func TestCostOfReports(t *testing.T) {
	const deep, below = 3000, 3000
	upwards := func(k int) int { return deep - 1 - k }
	downwards := func(k int) int { return k }
	for name, order := range map[string]func(int) int{"upwards": upwards, "downwards": downwards} {
		s := chained(t, deep, below)
		for k := range deep {
			if err := s.Fold([]int{2 + order(k)}, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		if most := 4 * (deep + below); s.looked > most || len(s.nodes) > 2*below+fewNodes {
			t.Errorf("%s: %d nodes were looked at, want at most %d; %d are there", name, s.looked, most, len(s.nodes))
		}
		if s.tidy(); len(s.nodes) != below+1 || s.nodes[0].sum != deep+1 || s.nodes[below].parent != s.nodes[0] {
			t.Errorf("%s: %d nodes, %v executions at the first one", name, len(s.nodes), s.nodes[0].sum)
		}
	}
}

// Branches that two items have are found, wherever the items are in a report: by putting them in order, and not by
// comparing each with each.
func TestOverlapAmongMany(t *testing.T) {
	const many = 1 << 18 // comparing each with each would take minutes
	for _, twice := range []bool{false, true} {
		s := NewSurvey(false)
		var fresh []NewItem
		for k := range many - 1 {
			from := 2 * ((k * 7919) % many)
			fresh = append(fresh, NewItem{1 + k, Spot{From: from, Many: 2}})
		}
		last := Spot{From: 2 * (((many - 1) * 7919) % many), Many: 2}
		if twice {
			last.From = 2*((5*7919)%many) + 1
		}
		err := s.Fold([]int{0}, nil, append(fresh, NewItem{many, last}))
		if (err != nil) != twice || twice && !strings.Contains(err.Error(), "of which another one has some") {
			t.Errorf("overlap %v: %v", twice, err)
		}
		if twice {
			continue
		}
		done := s.items[17]
		if failed := s.Fold([]int{17}, nil, nil); failed != nil || len(done.at.open) != many-1 {
			t.Errorf("%d are open, %v", len(done.at.open), failed)
		}
		for id, p := range s.items {
			if p.at.open[p.index] != p {
				t.Fatalf("item %d is not where it should be", id)
			}
		}
	}
}

// More open items than can be estimated are an error, which says so.
func TestTooManyItemsAreOpen(t *testing.T) {
	s := NewSurvey(false)
	var fresh []NewItem
	for k := range MostOpen + 1 {
		fresh = append(fresh, NewItem{1 + k, Spot{From: k, Many: 1}})
	}
	if err := s.Fold([]int{0}, nil, fresh); err == nil || !strings.Contains(err.Error(), fmt.Sprint(MostOpen)) {
		t.Errorf("%v: want the limit", err)
	}
}

// Of very many nodes the rows are fewer, and the estimate is about the same.
func TestCoarseRows(t *testing.T) {
	s := wide(2000)
	fine := totals{Growth: s.Growth, uneven: true}
	coarse := totals{Growth: s.Growth, uneven: true, finest: coarsest}
	a, _ := fine.size(s.nodes)
	if b, spread := coarse.size(s.nodes); !(b > a/2 && b < a*2 && spread > 0) || len(coarse.rows) > finest {
		t.Errorf("%v with %v, want about %v", b, spread, a)
	}
}

// BenchmarkHostileReport is the cost of an item of a report that says of the tree whatever costs most.
func BenchmarkHostileReport(b *testing.B) {
	const items = 100_000
	var fresh []NewItem
	for k := range items {
		fresh = append(fresh, NewItem{1 + k, Spot{From: items - k, Many: 1}})
	}
	for b.Loop() {
		if err := NewSurvey(false).Fold([]int{0}, nil, fresh); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/items, "ns/item")
}
