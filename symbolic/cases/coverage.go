package cases

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// Criterion says what a suite keeps: the cases of all paths, or few that cover the same branches or blocks.
type Criterion string

// The criteria.
const (
	Paths    Criterion = "paths"
	Branches Criterion = "branches"
	Blocks   Criterion = "blocks"
)

// Coverage is what the instances of a suite execute of what its target could.
type Coverage struct {
	Blocks, BlocksCovered     int
	Branches, BranchesCovered int
	Covered                   []Place // blocks and branches that are executed, in the order of the source
	Left                      []Left  // and those that are not
}

// Place is a block, or a branch: a way out of one with a condition.
type Place struct {
	Where    string `json:"where"` // file:line
	Function string `json:"function"`
	Branch   string `json:"branch,omitempty"` // "" for a block, else whether the condition holds: true or false
	Text     string `json:"text,omitempty"`   // the source: of a branch its condition, of a block its first line; "" where it is not known
	To       string `json:"to,omitempty"`     // of a branch, where it leads: file:line
}

func (p Place) String() string {
	switch {
	case p.Branch == "" && p.Text == "":
		return fmt.Sprintf("%s: a block of %s", p.Where, p.Function)
	case p.Branch == "":
		return fmt.Sprintf("%s: %s", p.Where, p.Text)
	case p.Text == "":
		return fmt.Sprintf("%s: a branch of %s to %s", p.Where, p.Function, p.To)
	case strings.HasPrefix(p.Text, "range "):
		return fmt.Sprintf("%s: %s %s", p.Where, p.Text,
			map[string]string{"true": "has an element", "false": "ends"}[p.Branch])
	case strings.HasPrefix(p.Text, "case "):
		return fmt.Sprintf("%s: %s%s", p.Where, map[string]string{"false": "not "}[p.Branch], p.Text)
	default:
		return fmt.Sprintf("%s: %s is %s", p.Where, p.Text, p.Branch)
	}
}

// Left is a place that no instance executes.
type Left struct {
	Place
	Why    string `json:"why"`
	Behind bool   `json:"behind,omitempty"` // only other places that are left lead to it
}

// way is a block, or a branch of one.
type way struct {
	block *ssa.BasicBlock
	succ  int // -1 for the block
}

// ways lists the blocks and branches of a path.
func ways(path *exec.Path) map[way]bool {
	in := map[way]bool{}
	for _, b := range path.Blocks {
		in[way{b, -1}] = true
	}
	for _, b := range path.Branches {
		in[way{b.Block, b.Succ}] = true
	}
	return in
}

// ways lists all that there is to cover.
func (u *universe) all() (list []way) {
	for _, b := range u.blocks {
		list = append(list, way{b, -1})
	}
	for _, b := range u.branches {
		list = append(list, way{b.Block, b.Succ})
	}
	return list
}

// explored is what an exploration has found of a target, for the reasons of what is left.
type explored struct {
	cases    []*Case      // of the suite
	excluded []*Case      // without inputs
	why      []string     // of these
	others   []*exec.Path // that were cut, or on which the handler waits
	reason   string       // of a bound on the whole, or a defect; "" for none
}

// covered tells what the cases cover, and why not the rest.
func (p *Program) covered(u *universe, x *explored) Coverage {
	by := map[way]bool{}
	for _, c := range x.cases {
		if c.Model != nil && c.Confirmed != Contradicted {
			for w := range ways(c.Path) {
				by[w] = true
			}
		}
	}
	all := map[way]bool{}
	for _, w := range u.all() {
		all[w] = true
	}
	var c Coverage
	for _, w := range u.all() {
		counts, hits := &c.Blocks, &c.BlocksCovered
		if w.succ >= 0 {
			counts, hits = &c.Branches, &c.BranchesCovered
		}
		*counts++
		if by[w] {
			*hits++
			c.Covered = append(c.Covered, p.placeOf(w))
		} else {
			c.Left = append(c.Left, Left{p.placeOf(w), x.reasonOf(u, w), behindOthers(w, by, all)})
		}
	}
	slices.SortStableFunc(c.Covered, comparePlaces)
	slices.SortStableFunc(c.Left, func(a, b Left) int { return comparePlaces(a.Place, b.Place) })
	return c
}

// Executed takes what executions of the cases have shown, Case.Confirmed, into the coverage: a case that they
// contradict covers nothing. It counts the blocks and branches that are on paths of confirmed cases.
func (s *Suite) Executed() (blocks, branches int) {
	s.Coverage = s.program.covered(s.universe, s.explored)
	by := map[way]bool{}
	for _, c := range s.Cases {
		if c.Confirmed == Confirmed {
			for w := range ways(c.Path) {
				by[w] = true
			}
		}
	}
	for _, w := range s.universe.all() {
		switch {
		case by[w] && w.succ < 0:
			blocks++
		case by[w]:
			branches++
		}
	}
	return blocks, branches
}

// behindOthers reports whether all that leads to a place is left out itself, so that people need no reason of its own.
func behindOthers(w way, by, all map[way]bool) bool {
	if w.succ >= 0 {
		return !by[way{w.block, -1}]
	}
	for _, b := range w.block.Preds {
		if by[way{b, -1}] && !all[way{b, slices.Index(b.Succs, w.block)}] {
			return false
		}
	}
	return len(w.block.Preds) > 0
}

func comparePlaces(a, b Place) int {
	fileA, lineA, _ := strings.Cut(a.Where, ":")
	fileB, lineB, _ := strings.Cut(b.Where, ":")
	if fileA != fileB {
		return strings.Compare(fileA, fileB)
	}
	if len(lineA) != len(lineB) {
		return len(lineA) - len(lineB)
	}
	return strings.Compare(lineA, lineB)
}

// placeOf tells where a way is.
func (p *Program) placeOf(w way) Place {
	fn := w.block.Parent()
	pkg := packageOf(fn)
	name := fn.Name()
	if pkg != nil {
		name = fn.RelString(pkg.Pkg)
	}
	place := Place{Function: name}
	if w.succ < 0 {
		place.Where, place.Text = p.load.Position(firstPos(w.block)), p.blockText(w.block)
		return place
	}
	text, at := condition(w.block)
	if text == "" {
		at = lastPos(w.block)
	}
	place.Where, place.To = p.load.Position(at), p.load.Position(firstPos(w.block.Succs[w.succ]))
	place.Branch, place.Text = [...]string{"true", "false"}[w.succ], text
	return place
}

// firstPos gives the first place of the source in a block, or in what comes before it.
func firstPos(b *ssa.BasicBlock) token.Pos {
	for _, in := range b.Instrs {
		if _, phi := in.(*ssa.Phi); !phi && in.Pos().IsValid() {
			return in.Pos()
		}
	}
	if text, at := condition(b); text != "" {
		return at
	}
	return lastPos(b)
}

// lastPos gives the last place of the source in a block, or of one that dominates it.
func lastPos(b *ssa.BasicBlock) token.Pos {
	for ; b != nil; b = b.Idom() {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && branch.Cond.Pos().IsValid() {
			return branch.Cond.Pos()
		}
		for _, in := range slices.Backward(b.Instrs) {
			if in.Pos().IsValid() {
				return in.Pos()
			}
		}
		if b.Idom() == nil {
			return b.Parent().Pos()
		}
	}
	return token.NoPos
}

// reasonOf says why nothing executes a way.
func (x *explored) reasonOf(u *universe, w way) string {
	for _, c := range x.cases {
		if c.Model == nil && ways(c.Path)[w] {
			return c.NoInstance
		}
	}
	for _, c := range x.cases {
		if c.Confirmed == Contradicted && ways(c.Path)[w] {
			return "the program does not confirm it: " + c.Note
		}
	}
	for i, c := range x.excluded {
		if ways(c.Path)[w] {
			return "excluded by " + x.why[i]
		}
	}
	if why := x.cutBefore(w); why != "" {
		return why
	}
	if x.reason != "" {
		return x.reason
	}
	for _, c := range x.cases { // candidates of the program are all that was tried
		for _, m := range c.Marks {
			if m.Kind == exec.Closed && x.near(c.Path, w) {
				return "infeasible, if " + m.What
			}
		}
	}
	if u.assumedNil(w) {
		return "assumed not to be: messages and actors are no nil pointers"
	}
	return "infeasible within the bounds"
}

// cutBefore says what has cut the paths that might have gone on to a way.
func (x *explored) cutBefore(w way) string {
	why := map[string]int{}
	for _, path := range x.others {
		if ways(path)[w] || slices.ContainsFunc(ends(path, w.block.Parent()),
			func(b *ssa.BasicBlock) bool { return leads(b, w.block) }) {
			if path.Exit == exec.Cut {
				why["cut: "+path.Why]++
			} else {
				why["the handler waits forever: "+path.Why]++
			}
		}
	}
	if len(why) == 0 {
		return ""
	}
	return firstCut(why)
}

// ends lists the blocks of a function in which a path may have ended: where its place is, or else those with calls that
// it has been in.
func ends(path *exec.Path, fn *ssa.Function) (at []*ssa.BasicBlock) {
	var calling []*ssa.BasicBlock
	for _, b := range path.Blocks {
		if b.Parent() != fn {
			continue
		}
		for _, in := range b.Instrs {
			if in.Pos() == path.Pos && path.Pos.IsValid() {
				at = append(at, b)
			}
			if _, ok := in.(ssa.CallInstruction); ok {
				calling = append(calling, b)
			}
		}
	}
	if at == nil {
		return calling
	}
	return at
}

// leads reports whether one block can be executed after another one, or is the same.
func leads(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

// near reports whether a path has been at a way, or at the last place before it that every path to it goes through and
// some path has reached.
func (x *explored) near(path *exec.Path, w way) bool {
	b := w.block
	for b != nil && !x.visited(b) {
		b = b.Idom()
	}
	return b != nil && slices.Contains(path.Blocks, b)
}

func (x *explored) visited(b *ssa.BasicBlock) bool {
	has := func(p *exec.Path) bool { return slices.Contains(p.Blocks, b) }
	return slices.ContainsFunc(x.cases, func(c *Case) bool { return has(c.Path) }) || slices.ContainsFunc(x.others, has)
}
