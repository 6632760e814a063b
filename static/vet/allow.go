package vet

import (
	"go/ast"
	"go/token"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const directive = "//rehearse:allow"

// Allow reports allowances that say too little or do nothing.
var Allow = &analysis.Analyzer{
	Name:     "allow",
	Doc:      "report //rehearse:allow comments without a known name or a reason, and those that suppress nothing",
	URL:      "https://github.com/rehearse-go/rehearse/blob/main/docs/vet.md#allow",
	Requires: append([]*analysis.Analyzer{allowances}, checks()...),
	Run: func(pass *analysis.Pass) (any, error) {
		for _, al := range pass.ResultOf[allowances].([]allowance) {
			complaint, stale := judge(pass, al)
			if complaint == "" {
				continue
			}
			d := analysis.Diagnostic{Pos: al.at, Category: "allow", Message: "allow: " + complaint}
			if stale {
				d.SuggestedFixes = removal(pass, al)
			}
			pass.Report(d)
		}
		return nil, nil
	},
}

// judge says what is wrong with an allowance, "" if nothing is. stale: it suppresses nothing, and can go.
func judge(pass *analysis.Pass, al allowance) (complaint string, stale bool) {
	if al.misspelt {
		return "this is no suppression: it begins with " + directive + ", without a space, in a // comment", false
	}
	for _, c := range checks() {
		if c.Name != al.name {
			continue
		}
		switch {
		case al.reason == "":
			return "the suppression of " + al.name + " gives no reason; write " + directive + " " + al.name +
				" and why it is no problem here", false
		case !pass.ResultOf[c].(Used)[al.at] && (c != Silent || silentReport):
			return "nothing to suppress: " + al.name + " finds nothing here; remove the comment", true
		}
		return "", false
	}
	switch {
	case al.name == "":
		return "names no check; write " + directive + " NAME REASON", false
	case strings.Contains(al.name, ","):
		return "one check a comment; write a line for each of " + al.name, false
	}
	return "unknown check " + al.name + "; see docs/vet.md for the names", false
}

// removal takes a comment out of the source, with the blanks before it, or with its line if it has that for itself.
func removal(pass *analysis.Pass, al allowance) []analysis.SuggestedFix {
	file := pass.Fset.File(al.at)
	text, err := pass.ReadFile(file.Name())
	if err != nil || len(text) != file.Size() {
		return nil // not the text that was parsed: it can only be told
	}
	from, to := file.Offset(al.at), file.Offset(al.end)
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	if al.alone && to < len(text) && text[to] == '\n' {
		to++
	}
	return []analysis.SuggestedFix{{Message: "Remove the comment",
		TextEdits: []analysis.TextEdit{{Pos: file.Pos(from), End: file.Pos(to)}}}}
}

// allowance is one comment that suppresses the findings of a check.
type allowance struct {
	at, end      token.Pos
	name, reason string
	scope        ast.Node // the function that it documents; nil: its line and the next
	alone        bool     // it has its line for itself, so that it speaks of the next one with code
	until        int      // that line
	misspelt     bool     // it looks like an allowance, and is none
}

func (al allowance) covers(fset *token.FileSet, at token.Pos) bool {
	if al.reason == "" || al.misspelt {
		return false // and reported itself: a suppression needs a reason
	}
	if al.scope != nil {
		return al.scope.Pos() <= at && at <= al.scope.End()
	}
	have, want := fset.Position(al.at), fset.Position(at)
	return have.Filename == want.Filename && (have.Line == want.Line || al.alone && want.Line == al.until)
}

// allowances reads the comments.
var allowances = &analysis.Analyzer{
	Name:       "rehearseallow",
	Doc:        "the //rehearse:allow comments of a package",
	ResultType: reflect.TypeFor[[]allowance](),
	Run: func(pass *analysis.Pass) (any, error) {
		var all []allowance
		for _, file := range pass.Files {
			scopes := map[*ast.CommentGroup]ast.Node{}
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil {
					scopes[fn.Doc] = fn
				}
			}
			starts := lineStarts(pass.Fset, file)
			for _, group := range file.Comments {
				for _, c := range group.List {
					if al, ok := parseAllow(c); ok {
						al.scope = scopes[group]
						al.alone = !starts[pass.Fset.Position(c.Pos()).Line]
						al.until = pass.Fset.Position(group.End()).Line + 1 // several stand above one another
						all = append(all, al)
					}
				}
			}
		}
		return all, nil
	},
}

func parseAllow(c *ast.Comment) (allowance, bool) {
	text, ok := strings.CutPrefix(c.Text, directive)
	if !ok {
		inner := strings.TrimLeft(c.Text[2:], " \t")
		word, _, _ := strings.Cut(inner, " ")
		return allowance{at: c.Pos(), end: c.End(), misspelt: true}, strings.EqualFold(strings.TrimSuffix(word, "*/"),
			directive[2:])
	}
	if text != "" && text[0] != ' ' && text[0] != '\t' {
		return allowance{}, false
	}
	// What follows a second // is a comment on the comment: no reason.
	text, _, _ = strings.Cut(text, "//")
	al := allowance{at: c.Pos(), end: c.End()}
	if words := strings.Fields(text); len(words) > 0 {
		al.name, al.reason = words[0], strings.Join(words[1:], " ")
	}
	return al, true
}

// lineStarts has the lines of a file on which code is.
func lineStarts(fset *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup, *ast.File:
			return n != nil
		}
		lines[fset.Position(n.Pos()).Line] = true
		lines[fset.Position(n.End()).Line] = true
		return true
	})
	return lines
}
