package reachtest

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// counts has the copy of a driver, and of further parts of its function, count for the original. Actors, checks at the
// end and invariants may be function literals in it. Where a counter is at the head of an else if it is left out.
func (d *driver) counts(c *gentest.Counters, more []ast.Node) (edits []edit, err error) {
	file := d.program.Fset.File(d.body.Pos())
	src, err := os.ReadFile(file.Name())
	if err != nil || len(src) != file.Size() { // changed since, which is told where the source is written
		return nil, err
	}
	copied := append([]ast.Node{d.body}, more...)
	begins := statements(copied)
	for _, x := range c.Insertions(file.Name()) {
		from := file.LineStart(x.Line) + token.Pos(x.Column-1)
		i, _ := slices.BinarySearch(begins, from)
		if !slices.ContainsFunc(copied, func(n ast.Node) bool { return inside(n, from) }) || i == len(begins) {
			continue
		}
		if between := comments.ReplaceAll(src[file.Offset(from):file.Offset(begins[i])],
			nil); len(bytes.Trim(between, "{: \t\r\n")) == 0 {
			edits = append(edits, edit{begins[i], begins[i], x.Text})
		}
	}
	return edits, nil
}

var comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

// statements gives the places at which another statement may be put before one.
func statements(within []ast.Node) (list []token.Pos) {
	for _, n := range within {
		ast.Inspect(n, func(n ast.Node) bool {
			for _, s := range statementsOf(n) {
				switch s.(type) {
				case *ast.CaseClause, *ast.CommClause:
				default:
					list = append(list, s.Pos())
				}
			}
			return true
		})
	}
	slices.Sort(list)
	return list
}
