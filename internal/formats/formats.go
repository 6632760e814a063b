// Package formats writes findings as other programs read them: annotations and summaries of GitHub Actions, SARIF for
// code scanning, JUnit XML for the test reports of other services.
//
//	github.go   annotations, and what keeps other output from being taken for one
//	markdown.go texts in Markdown
//	sarif.go    SARIF 2.1.0
//	junit.go    JUnit XML
//
// All texts may come from a program under test, so they are not trusted. Whatever they hold, they stay text. Each
// format escapes them. Control characters, those that turn the direction of writing among them, are spelled out. The
// bytes depend on the arguments alone.
package formats

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/trace"
)

// The levels of a Finding, as SARIF calls them.
const (
	Error   = "error"
	Warning = "warning"
	Note    = "note"
)

// Finding is one place at which something is wrong.
type Finding struct {
	Rule    string // what kind of thing, in one word
	Level   string // Error, Warning or Note
	Title   string // a few words
	Message string // all of it, in lines
	File    string // relative to the root of the repository, with slashes; absolute outside of it; "": not known
	Line    int    // from 1; 0: not known
	Column  int    // from 1, in characters; 0: not known
	// Key tells findings apart across runs and edits; "": Rule, Message and File do
	Key string
}

// Rule is a kind of finding.
type Rule struct {
	Name string // Finding.Rule
	Doc  string // one line
}

// text is a text of somebody else's: valid UTF-8 without control characters but newlines.
func text(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\t", "    ")
	return trace.Visible(strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// oneLine is the same in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(text(s)), " ") }

// place is where a finding is, for people: file:line.
func (f *Finding) place() string {
	if f.File == "" || f.Line <= 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}
