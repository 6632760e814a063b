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
			if complaint := judge(pass, al); complaint != "" {
				pass.Reportf(al.at, "allow: %s", complaint)
			}
		}
		return nil, nil
	},
}

// judge says what is wrong with an allowance, "" if nothing is.
func judge(pass *analysis.Pass, al allowance) string {
	for _, c := range checks() {
		if c.Name != al.name {
			continue
		}
		switch {
		case al.reason == "":
			return "the suppression of " + al.name + " gives no reason; write " + directive + " " + al.name + " and why it is no problem here"
		case !pass.ResultOf[c].(Used)[al.at] && (c != Silent || silentReport):
			return "nothing to suppress: " + al.name + " finds nothing here; remove the comment"
		}
		return ""
	}
	if al.name == "" {
		return "names no check; write " + directive + " NAME REASON"
	}
	return "unknown check " + al.name + "; see docs/vet.md for the names"
}

// allowance is one comment that suppresses the findings of a check.
type allowance struct {
	at           token.Pos
	name, reason string
	scope        ast.Node // the function that it documents; nil: its line and the next
	alone        bool     // it has its line for itself, so that it speaks of the next one
}

func (al allowance) covers(fset *token.FileSet, at token.Pos) bool {
	if al.reason == "" {
		return false // and reported itself: a suppression needs a reason
	}
	if al.scope != nil {
		return al.scope.Pos() <= at && at <= al.scope.End()
	}
	have, want := fset.Position(al.at), fset.Position(at)
	return have.Filename == want.Filename && (have.Line == want.Line || al.alone && have.Line+1 == want.Line)
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
	if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
		return allowance{}, false
	}
	// What follows a second // is a comment on the comment: no reason.
	text, _, _ = strings.Cut(text, "//")
	name, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	return allowance{at: c.Pos(), name: name, reason: strings.TrimSpace(reason)}, true
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
