package graph_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/graph"
)

// dotTokens reads the language of Graphviz as its manual has it: identifiers, numbers, quoted strings in which only \"
// is an escape, and signs. Strings come without their quotes and marked by a leading quote.
func dotTokens(s string) ([]string, error) {
	var out []string
	sign := regexp.MustCompile(`^(->|[{}\[\];,=]|[A-Za-z_][A-Za-z_0-9]*|-?[0-9]+(\.[0-9]+)?)`)
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] != '"' {
			m := sign.FindString(s)
			if m == "" {
				return nil, fmt.Errorf("no token at %.20q", s)
			}
			out, s = append(out, m), s[len(m):]
			continue
		}
		end := 1
		for ; end < len(s) && s[end] != '"'; end++ {
			if s[end] == '\\' {
				end++
			}
		}
		if end >= len(s) {
			return nil, fmt.Errorf("a string does not end: %.20q", s)
		}
		out, s = append(out, s[:end]), s[end+1:]
	}
	return out, nil
}

// shown is what Graphviz draws for a string: escapes and entities resolved. An escape that would stand for something
// else is an error.
func shown(s string) (string, error) {
	var b strings.Builder
	s = strings.TrimPrefix(s, `"`)
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case '\\', '"':
			b.WriteByte(s[i])
		default:
			return "", fmt.Errorf("escape \\%c in %q", s[i], s)
		}
	}
	return html.UnescapeString(b.String()), nil
}

// Every name is shown as it is, in a file that is one.
func TestDOTEscapes(t *testing.T) {
	tokens, err := dotTokens(string(render(t, graph.Document{Graph: nastyGraph()}, graph.DOT)))
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	depth := 0
	for i, token := range tokens {
		switch token {
		case "{", "[":
			depth++
		case "}", "]":
			depth--
		case "label":
			label, err := shown(tokens[i+2])
			if err != nil {
				t.Error(err)
			}
			labels = append(labels, label)
		}
	}
	if depth != 0 {
		t.Errorf("brackets do not match: %d are open", depth)
	}
	for _, name := range nasty {
		if n := count(labels, name); n != 3 {
			t.Errorf("%q is shown %d times, want 3: as actor, package and message", name, n)
		}
	}
}

// mermaidLine is what a flowchart has on a line.
var mermaidLine = regexp.MustCompile(`^(flowchart LR|\s*end|\s*subgraph c\d+\["([^"]*)"\]|\s*n\d+(\[\["|\["|\(\[")([^"]*)("\]\]|"\]|"\]\))|\s*n\d+ (-->|-\.->)(\|"([^"]*)"\|)? n\d+|%% .*|\s*linkStyle [\d,]+ .*|\s*style n\d+ .*)$`)

var entity = regexp.MustCompile(`#(\d+);`)

func TestMermaidEscapes(t *testing.T) {
	var labels []string
	for _, line := range strings.Split(strings.TrimSuffix(string(render(t, graph.Document{Graph: nastyGraph()}, graph.Mermaid)), "\n"), "\n") {
		m := mermaidLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no line of a flowchart: %s", line)
		}
		for _, label := range []string{m[2], m[4], m[8]} {
			if strings.ContainsAny(entity.ReplaceAllString(label, ""), "<>&`|;#") {
				t.Errorf("%q: not escaped", label)
			}
			labels = append(labels, entity.ReplaceAllStringFunc(label, func(e string) string {
				code, err := strconv.Atoi(e[1 : len(e)-1])
				if err != nil {
					t.Fatal(err)
				}
				return string(rune(code))
			}))
		}
	}
	for _, name := range nasty {
		if n := count(labels, strings.ReplaceAll(name, "\n", " ")); n != 3 {
			t.Errorf("%q is shown %d times, want 3: as actor, package and message", name, n)
		}
	}
}

func count(all []string, one string) int {
	n := 0
	for s := range slices.Values(all) {
		if s == one {
			n++
		}
	}
	return n
}

// What cannot be seen, or turns the line round, is written as what it is, in every format for people.
func TestHiddenCharactersAreShown(t *testing.T) {
	g := nastyGraph()
	for _, a := range g.Actors {
		a.Name = "pay\u202Eee\x1b[2J"
	}
	for _, f := range []graph.Format{graph.Text, graph.DOT, graph.Mermaid} {
		if got := string(render(t, graph.Document{Graph: g}, f)); strings.ContainsAny(got, "\u202E\x1b") || !strings.Contains(got, "202e") {
			t.Errorf("format %v: %q", f, got)
		}
	}
}
