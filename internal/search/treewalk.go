package search

import "math"

// This file and treetotal.go say how large a tree is of which a depth-first walk has seen a part.
//
//	this file:  the walk as it is told, and what its finished parts teach
//	source:     [Kilby06], whose recursive estimator takes the branches to come for as large as those that are done;
//	            [Mack93], the chain ladder, whose factors say by how much the sum of the branches grew with the next one
//	            where that is known
//	differs:    branches are not exchangeable here: a search takes them in an order of its own, and in a reverse search
//	            the later ones are the larger. So the factors of the chain ladder, by the number of branches before, take
//	            the place of an equal share
//	assumes:    a node that is still open grows with its next branch as the finished ones did, the larger ones weighing
//	            more; that the number of branches of an open node is known, or that the search says how many it knows of
//	invariants: I1 frames are the nodes of the current path, count is what was executed
//	            I2 when the walk is over the estimate is what was counted
//	cost:       a few additions an execution, one frame a node of the path, one row for each number of branches
//	checked by: treewalk_test.go on trees that are known, treetotal_test.go on the subjects

// Walk is a depth-first walk in progress. The zero Walk has not begun.
type Walk struct {
	// Uneven says that a node's last branches may be by far the largest, as in a reverse search. Then the growth by the
	// number of branches that are left counts as much as that by the number of those before.
	Uneven bool

	count  int  // executions
	over   bool // nothing is left
	turned bool // the next branch was taken and not yet executed
	lost   bool // the path became shorter by itself: what is executed is no tree
	frames []frame
	Growth
	top      int // of an item: nodes above its node, and one more; 0: its node is above all
	released released
}

// Growth is what the finished branches teach.
type Growth struct {
	links table // by the number of finished branches
	ends  table // by the number of branches that are left
}

// table is what is known of the growth, by a number.
type table []link

// frame is a node of the path.
type frame struct {
	before   int  // count when the walk came here
	sum      int  // what its finished branches counted, and the node itself if it is an execution
	branches int  // finished
	node     int  // of the outline; 0: none, or that of the item
	partly   bool // some of what is below was given away: what it counts teaches nothing
}

// link is what is known of the growth from j branches to j+1.
type link struct {
	n            int
	from, to     float64 // sums over the nodes
	logs, square float64 // of the logarithm of the growth, weighted by weight
	weight       float64
}

// Grow says that an execution is over, which led the path to the given number of nodes. Those that are new were entered
// by it.
func (w *Walk) Grow(nodes int) {
	w.lost = w.lost || nodes < len(w.frames)
	for len(w.frames) < nodes {
		w.enter()
	}
	w.count++
	w.turned = false
}

// enter adds a node to the path.
func (w *Walk) enter() {
	own := len(w.frames) == w.top-1 // what came before the first branch of the item's node is not known here
	w.frames = append(w.frames, frame{before: w.count, branches: -1, partly: own})
}

// Turn says that the walk has left the nodes behind the first so many, and takes the next branch of the last of these.
// That one then has so many branches left that are known. Without nodes it is over.
func (w *Walk) Turn(nodes, left int) {
	for i := len(w.frames) - 1; i >= nodes && i >= 0; i-- {
		w.finish(&w.frames[i], 0)
		w.leave(i)
	}
	if nodes > 0 && nodes <= len(w.frames) {
		w.finish(&w.frames[nodes-1], left+1)
	}
	w.frames = w.frames[:min(nodes, len(w.frames))]
	w.over, w.turned = nodes == 0, true
}

// finish takes note of a branch that is done, after which so many are left. The first one that a node reports is the
// node itself if that is an execution.
func (w *Walk) finish(f *frame, left int) {
	sum := w.count - f.before
	if f.branches++; f.branches > 0 && sum > f.sum && !f.partly {
		w.links.learn(f.branches-1, f.sum, sum)
		w.ends.learn(left, f.sum, sum)
	}
	f.sum = sum
}

// widest bounds a table: a node may have a million branches, and what is known of the last is known of those behind.
const widest = 1 << 12

// learn takes note that a node grew from one sum to the other.
func (t *table) learn(j, from, to int) {
	if j >= widest {
		return
	}
	for len(*t) <= j {
		*t = append(*t, link{})
	}
	l := &(*t)[j]
	l.n++
	l.from += float64(from)
	l.to += float64(to)
	log, weight := logarithm(to)-logarithm(from), float64(from)
	l.logs += log * weight
	l.square += log * log * weight
	l.weight += weight
}

// logarithms are those of the small numbers, which is what nearly all branches count: working them out again took a
// naive search of native actors an eighth of its time.
var logarithms = func() (table [1024]float64) {
	for n := range table {
		table[n] = math.Log(float64(n))
	}
	return table
}()

func logarithm(n int) float64 {
	if n < len(logarithms) {
		return logarithms[n]
	}
	return math.Log(float64(n))
}
