package formats

import (
	"fmt"
	"html"
	"strings"
)

// Markdown makes one line of text for a paragraph or a cell of a table: no sign in it means anything.
func Markdown(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch {
		case strings.ContainsRune("&<>\"'", r):
			b.WriteString(html.EscapeString(string(r)))
		case r < 0x80 && strings.ContainsRune("\\`*_{}[]()#+-.!|~:@$^=/", r):
			// A number, because not all of them may stand behind a backslash, and names and links are looked for later.
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Fence is a block of code in Markdown, whatever the text holds.
func Fence(language, s string) string {
	s = strings.TrimRight(text(s), "\n")
	longest, run := 2, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + s + "\n" + fence + "\n"
}

// Table is a table in Markdown, of cells that are plain text.
func Table(titles []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + Markdown(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(titles)
	b.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}
