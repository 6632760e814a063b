package law

import (
	"go/ast"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// sentence is one sentence of a text.
type sentence struct {
	line  int // where its block begins: a paragraph, a list item, a comment
	words int
	start string // its first words, for messages
}

// markdown reads the documents of the repository, by name.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	texts, err := markdownIn(root)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// markdownIn reads the documents of the repository whose folder is root.
func markdownIn(root string) (map[string]string, error) {
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && p != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".md"):
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, p)
		texts[filepath.ToSlash(name)] = string(text)
		return err
	})
	return texts, err
}

// destination matches what a Markdown link leads to; the link's text stays.
var destination = regexp.MustCompile(`\]\([^)]*\)|<https?://[^>]*>`)

// proseLines gives the lines of a Markdown text, those of tables and code empty, links without what they lead to.
func proseLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	fenced, code, list := false, false, false
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		fence := strings.HasPrefix(bare, "```")
		blank := i == 0 || strings.TrimSpace(lines[i-1]) == ""
		switch {
		case bare == "": // an indented block goes on behind an empty line
		case line == strings.TrimLeft(line, " \t"):
			code, list = false, item.MatchString(line)
		case (blank || code) && !list:
			code = strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		}
		switch {
		case fence:
			fenced = !fenced
			fallthrough
		case fenced || code || strings.HasPrefix(bare, "|"):
			lines[i] = ""
		default:
			lines[i] = destination.ReplaceAllString(line, "]")
		}
	}
	return lines
}

// goLines gives the lines of a Go file; directives, and comments that are one link, are empty.
func goLines(source string) []string {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	for i, line := range lines {
		rest, comment := strings.CutPrefix(strings.TrimSpace(line), "//")
		if comment && (strings.HasPrefix(rest, "go:") || strings.Contains(rest, "://") && len(strings.Fields(rest)) == 1) {
			lines[i] = ""
		}
	}
	return lines
}

// item matches the beginning of a list item.
var item = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s`)

// markdownSentences gives the sentences of a Markdown text. Headings are none.
func markdownSentences(text string) []sentence {
	lines := proseLines(text)
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			lines[i] = ""
		}
	}
	return blockSentences(lines, 1)
}

// commentSentences gives the sentences of the comments of a file that stand before declarations, fields, and the
// package.
func commentSentences(f *file) []sentence {
	var bodies []*ast.BlockStmt
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			bodies = append(bodies, fn.Body)
		}
	}
	lines := strings.Split(f.source, "\n")
	var said []sentence
	for _, group := range f.ast.Comments {
		at := f.fset.Position(group.Pos())
		inside := slices.ContainsFunc(bodies,
			func(b *ast.BlockStmt) bool { return b.Pos() <= group.Pos() && group.End() <= b.End() })
		if inside || strings.TrimSpace(lines[at.Line-1][:at.Column-1]) != "" {
			continue
		}
		text := strings.Split(group.Text(), "\n")
		list := false
		for i, line := range text { // in Go an indented line is code, unless it is of a list
			switch {
			case item.MatchString(line):
				list = true
			case strings.TrimLeft(line, " \t") == line:
				list = false
			case !list:
				text[i] = ""
			}
		}
		for _, s := range blockSentences(text, at.Line) {
			s.line = at.Line
			said = append(said, s)
		}
	}
	return said
}

// blockSentences gives the sentences of lines of which the first has that number. An empty line, and one that begins a
// list item, end what is before them.
func blockSentences(lines []string, first int) []sentence {
	var said []sentence
	start, block := 0, ""
	end := func() {
		said = append(said, sentences(block, first+start)...)
		block = ""
	}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" || item.MatchString(line) {
			end()
			line = item.ReplaceAllString(line, "")
		}
		if block == "" {
			start = i
		}
		block += line + " "
	}
	end()
	return said
}

// inline matches inline code.
var inline = regexp.MustCompile("`[^`]*`")

// abbreviations end with a full stop that ends no sentence.
var abbreviations = []string{"e.g.", "i.e.", "vs.", "cf.", "pp.", "sec.", "fig.", "al.", "no.", "ch.",
	"def.", "lem.", "alg."}

// sentences divides a block. A sentence ends at a full stop, question or exclamation mark; colons, semicolons and
// dashes end none. What has no letter is no word.
func sentences(block string, line int) []sentence {
	var said []sentence
	var words []string
	end := func() {
		if len(words) > 0 {
			said = append(said, sentence{line, len(words), strings.Join(words[:min(len(words), 7)], " ")})
		}
		words = nil
	}
	fields := strings.Fields(inline.ReplaceAllString(block, "`code`"))
	for i, word := range fields {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, word)
		}
		bare := strings.TrimRight(word, `)]"*_'”`)
		stops := strings.HasSuffix(bare, ".") || strings.HasSuffix(bare, "!") || strings.HasSuffix(bare, "?")
		if !stops || slices.Contains(abbreviations, strings.ToLower(strings.TrimLeft(bare, `([*_"`))) {
			continue
		}
		if i+1 < len(fields) {
			if next, _ := utf8.DecodeRuneInString(fields[i+1]); unicode.IsLower(next) && strings.HasSuffix(bare, "..") {
				continue // an ellipsis in the middle
			}
		}
		end()
	}
	end()
	return said
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]int{
		"One two three. Four five!":                       {3, 2},
		"One (two). Three \"four.\" Five?":                {2, 2, 1},
		"See e.g. this: one; two - three.":                {6},
		"Run `go test ./... -run X` now.":                 {3},
		"See [the page](docs/a.md#b) of it.":              {5},
		"# A heading\n\nText one.\nText two\nthree.\n":    {2, 3},
		"Before:\n\n- one two\n- three\n  four\n\nAfter.": {1, 2, 2, 1},
		"| a table | of | cells |\n|---|---|---|\n":       nil,
		"```\ncode is no text.\n```\nText.":               {1},
		"Text:\n\n    indented code\n\n    more\n\nText.": {1, 1},
		"- An item.\n\n  Its second paragraph.\n":         {2, 3},
		"1. First.\n2. Second, with\n   more.\n":          {1, 3},
		"Wait ... and see.":                               {3},
	} {
		var got []int
		for _, s := range markdownSentences(text) {
			got = append(got, s.words)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has sentences of %v words, want %v", text, got, want)
		}
	}
}

func TestCommentSentences(t *testing.T) {
	f := mustParse(t, "x/x.go", `// Package x is one. It is two:
//
//	code is no text
//
//   - an item
//     of three
package x

// T has
// four words.
type T struct {
	// Field says so.
	Field int // a remark at its end is no doc comment
}

//go:noinline
func f() {
	// Comments in a body are no doc comments.
}
`)
	want := map[int][]int{1: {4, 3, 4}, 9: {4}, 12: {3}}
	got := map[int][]int{}
	for _, s := range commentSentences(f) {
		got[s.line] = append(got[s.line], s.words)
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("sentences %v, want %v", got, want)
	}
}

func TestProseLines(t *testing.T) {
	text := "See [this](a-long-destination).\n| table |\n```\ncode\n```\n\n    code\nText.\n"
	if got, want := proseLines(text), []string{"See [this].", "", "", "", "", "", "", "Text."}; !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
	source := "package x\n\n//go:generate a long line\n// https://example.com/a-long-link\n// see https://example.com\n"
	want := []string{"package x", "", "", "", "// see https://example.com"}
	if got := goLines(source); !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}
