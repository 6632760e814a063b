package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/byhand"
)

// TestTreeRows: the rows of random trees, unfolded, have each node once and in place, with the executions of its ends.
func TestTreeRows(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		tr, n := newTree(), 1+random.IntN(40)
		var nodes []byhand.Node
		var ends []int32
		parents := []int32{-1}
		through := make([]int32, n+1)
		for i := 1; i <= n; i++ {
			p := int32(random.IntN(i))
			if random.IntN(3) > 0 {
				p = int32(i - 1) // chains
			}
			parents = append(parents, p)
			nodes = append(nodes, byhand.Node{Parent: p, ID: fmt.Sprint(i), Name: fmt.Sprint(i)})
		}
		for i := 1; i <= n; i++ {
			if leaf := !slices.Contains(parents, int32(i)); leaf || random.IntN(6) == 0 {
				ends = append(ends, int32(i))
				for at := int32(i); at >= 0; at = parents[at] {
					through[at]++
				}
			}
		}
		tr.add(nodes[:n/2], nil)
		tr.add(nodes[n/2:], ends)
		seen := 0
		var unfold func(of int32)
		unfold = func(of int32) {
			for from := 0; ; from += 2 {
				rows := tr.rows(of, from, 2)
				if len(rows) == 0 {
					break
				}
				for _, r := range rows {
					seen += r.Length
					ids, _, ok := tr.path(r.Node)
					if !ok || r.Executions != through[r.Node] || len(r.Names) != min(r.Length, mostNames) ||
						ids[len(ids)-1] != r.Names[len(r.Names)-1] || ids[len(ids)-r.Length] != r.Names[0] {
						t.Fatalf("seed %d: %+v has the path %v and %d executions", seed, r, ids, through[r.Node])
					}
					unfold(r.Node)
				}
			}
		}
		unfold(0)
		if seen != n {
			t.Fatalf("seed %d: %d of %d nodes are in rows", seed, seen, n)
		}
	}
}
