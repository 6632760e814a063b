package profile

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Version is the newest version of the format. Every version stays readable; testdata keeps a file of each.
//
//	1 the first
//
// A profile is lines of words: the header, then one row a line, in the order of their bytes, so that two profiles can
// be compared with diff. A row begins with package, test, delivery model and actor type, and goes on with what actors
// of the type did:
//
//	received MESSAGE
//	ordered FIRST SECOND [free] [forced] [reversed] [changes]
//
// A word that is empty, begins with a quotation mark or holds a space or something that cannot be printed is quoted as
// in Go.
const Version = 1

// Header is the first word of a profile.
const Header = "rehearse_coverage"

// flagNames are in the order in which they are written.
var flagNames = []flagName{{Free, "free"}, {Forced, "forced"}, {Reversed, "reversed"}, {Changes, "changes"}}

type flagName struct {
	flag Flags
	name string
}

// Encode writes the profile.
func (p *Profile) Encode(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %d\n", Header, Version)
	for _, row := range p.rows() {
		b.WriteString(row)
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write coverage profile: %w", err)
	}
	return nil
}

// String is the text of the profile.
func (p *Profile) String() string {
	var b strings.Builder
	_ = p.Encode(&b) // a Builder takes everything
	return b.String()
}

// rows gives the lines of the profile, sorted.
func (p *Profile) rows() []string {
	var rows []string
	for t, actors := range p.Tests {
		for actor, c := range actors {
			begin := line(t.Package, t.Name, t.Model, actor)
			for m := range maps.Keys(c.Received) {
				rows = append(rows, begin+" "+line("received", m))
			}
			for o, f := range c.Orders {
				rows = append(rows, begin+" "+line(append([]string{"ordered", o.First, o.Second}, f.names()...)...))
			}
		}
	}
	slices.Sort(rows)
	return rows
}

func (f Flags) names() []string {
	var names []string
	for _, n := range flagNames {
		if f&n.flag != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// line joins words.
func line(words ...string) string {
	for i, w := range words {
		odd := func(r rune) bool { return r == ' ' || !strconv.IsPrint(r) || r == '\uFFFD' }
		if w == "" || w[0] == '"' || strings.ContainsFunc(w, odd) {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

// Decode reads a profile. Rows may come in any order and more than once. Errors begin with the name, and the line.
func Decode(r io.Reader, name string) (*Profile, error) {
	p := New()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		var err error
		if n == 1 {
			err = checkHeader(lines.Text())
		} else {
			err = p.parse(lines.Text())
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: the file is empty: want a coverage profile; was a test that writes one killed, or did "+
			"none run?", name)
	}
	return p, nil
}

func checkHeader(s string) error {
	word, number, ok := strings.Cut(s, " ")
	v, err := strconv.Atoi(number)
	switch {
	case !ok || word != Header || err != nil || v < 1:
		return fmt.Errorf("this is no coverage profile: want a first line such as %q; `rehearse test -coverprofile FILE` "+
			"writes one", Header+" 1")
	case v > Version:
		return fmt.Errorf("written by a newer Rehearse (format %d, this one reads up to %d): update "+
			"github.com/rehearse-go/rehearse", v, Version)
	}
	return nil
}

// parse adds a row.
func (p *Profile) parse(s string) error {
	w, err := words(s)
	if err != nil {
		return err
	}
	if len(w) < 6 {
		return fmt.Errorf("a row of %d words: want package, test, model, actor type and what it received", len(w))
	}
	c := p.Of(Test{w[0], w[1], w[2]}, w[3])
	switch what := w[4:]; {
	case what[0] == "received" && len(what) == 2:
		c.Received[what[1]] = true
		return nil
	case what[0] == "ordered" && len(what) >= 3:
		f, err := parseFlags(what[3:])
		c.see(what[1], what[2], f)
		return err
	}
	return fmt.Errorf("%q: want received and a message type, or ordered and two", strings.Join(w[4:], " "))
}

func parseFlags(names []string) (f Flags, err error) {
	for _, name := range names {
		i := slices.IndexFunc(flagNames, func(n flagName) bool { return n.name == name })
		if i < 0 {
			return 0, fmt.Errorf("%q: want free, forced, reversed or changes behind the message types", name)
		}
		f |= flagNames[i].flag
	}
	return f, nil
}

// words takes a line apart.
func words(s string) ([]string, error) {
	var ws []string
	for s != "" {
		word, rest, more := s, "", false
		if s[0] == '"' {
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, fmt.Errorf("a quotation mark that nothing closes")
			}
			word, _ = strconv.Unquote(q)
			rest = s[len(q):]
			if more = rest != ""; more && rest[0] != ' ' {
				return nil, fmt.Errorf("%s: want a space behind the closing quotation mark", q)
			}
			rest = strings.TrimPrefix(rest, " ")
		} else {
			word, rest, more = strings.Cut(s, " ")
		}
		if more && rest == "" || word == "" && s[0] != '"' {
			return nil, fmt.Errorf("two spaces, or one at the end of the line")
		}
		ws = append(ws, word)
		s = rest
	}
	return ws, nil
}
