package reachtest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
)

// edit replaces a range of source text. Where ranges lie in each other the outer one counts; what comes in at a place
// comes before what goes there.
type edit struct {
	from, to token.Pos
	text     string
}

// text gives the source of a node with edits.
func (d *driver) text(n ast.Node, edits []edit) (string, error) {
	return d.between(n.Pos(), n.End(), edits)
}

// between gives the source of a range with edits.
func (d *driver) between(from, to token.Pos, edits []edit) (string, error) {
	file := d.program.Fset.File(from)
	src, err := os.ReadFile(file.Name())
	if err != nil {
		return "", err
	}
	if len(src) != file.Size() {
		return "", fmt.Errorf("%s has changed since it was read: run the command again", file.Name())
	}
	edits = slices.Clone(edits)
	comesIn := func(e edit) int {
		if e.from == e.to {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(int(a.from-b.from), comesIn(a)-comesIn(b),
			int(b.to-a.to))
	})
	var b strings.Builder
	at := from
	for _, e := range edits {
		if e.from < at || e.to > to {
			continue
		}
		b.Write(src[file.Offset(at):file.Offset(e.from)])
		b.WriteString(e.text)
		if at = e.to; e.text == "" {
			at += token.Pos(restOfLine(src, file.Offset(e.from), file.Offset(e.to)))
		}
	}
	b.Write(src[file.Offset(at):file.Offset(to)])
	return b.String(), nil
}

// restOfLine gives how much more goes with a range that goes, so that no empty line stays: the rest of its last line,
// if nothing else is on its lines.
func restOfLine(src []byte, from, to int) int {
	begin := bytes.LastIndexByte(src[:from], '\n') + 1
	end := bytes.IndexByte(src[to:], '\n')
	if end < 0 || len(bytes.TrimSpace(src[begin:from])) > 0 || len(bytes.TrimSpace(src[to:to+end])) > 0 {
		return 0
	}
	return end + 1
}
