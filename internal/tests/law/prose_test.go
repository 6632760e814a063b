package law

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 120 // of a line of Go, or of Markdown outside of tables, code and links; a tab is one
	maxWords   = 30  // of a sentence in Markdown and in doc comments; code is one word, a link its text
)

var update = flag.Bool("update", false, "lower the lists of exceptions in testdata; a list that is not there is made")

// breaches maps a file to the places in it that break a law.
type breaches map[string][]string

// exceptions maps a file to the number of breaches that it may have.
type exceptions map[string]int

// measured is the prose of one group of files.
type measured struct {
	lines, wide            int // wide: longer than maxColumns
	sentences, words, long int // long: more than maxWords
}

func (m measured) String() string {
	return fmt.Sprintf("%d lines, %d (%.1f%%) over %d columns; %d sentences of %.1f words, %d (%.1f%%) over %d words",
		m.lines, m.wide, percent(m.wide, m.lines), maxColumns,
		m.sentences, float64(m.words)/float64(max(m.sentences, 1)), m.long, percent(m.long, m.sentences), maxWords)
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) }

// judge adds a file's lines and sentences to the measure, and those that break a law to the breaches.
func (m *measured) judge(name string, lines []string, said []sentence, columns, sentences breaches) {
	m.lines += len(lines)
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > maxColumns {
			m.wide++
			columns[name] = append(columns[name], fmt.Sprintf("line %d has %d columns", i+1, n))
		}
	}
	m.sentences += len(said)
	for _, s := range said {
		m.words += s.words
		if s.words > maxWords {
			m.long++
			sentences[name] = append(sentences[name], fmt.Sprintf("line %d: %d words: %s ...", s.line, s.words, s.start))
		}
	}
}

// TestProse holds lines to maxColumns and sentences to maxWords. With -v it tells the measure.
func TestProse(t *testing.T) {
	columns, sentences := breaches{}, breaches{}
	var docs, code, tests measured
	for name, text := range markdown(t) {
		docs.judge(name, proseLines(text), markdownSentences(text), columns, sentences)
	}
	for _, f := range tree(t) {
		if f.test {
			tests.judge(f.name, goLines(f.source), nil, columns, sentences)
		} else {
			code.judge(f.name, goLines(f.source), commentSentences(f), columns, sentences)
		}
	}
	t.Logf("Markdown: %v", docs)
	t.Logf("Go, doc comments: %v", code)
	t.Logf("tests: %d lines, %d (%.1f%%) over %d columns", tests.lines, tests.wide,
		percent(tests.wide, tests.lines), maxColumns)
	check(t, "testdata/columns.txt", columns)
	check(t, "testdata/sentences.txt", sentences)
}

// check compares the breaches with the list of exceptions in a file, or lowers that list.
func check(t *testing.T, list string, found breaches) {
	t.Helper()
	data, err := os.ReadFile(list)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !(missing && *update) {
		t.Fatal(err)
	}
	listed, err := parseExceptions(string(data))
	if err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	if !*update {
		for _, c := range compare(listed, found) {
			t.Errorf("%s: %s", list, c)
		}
		return
	}
	lowered, bad := lower(listed, found, missing)
	for _, b := range bad {
		t.Errorf("%s: %s", list, b)
	}
	if len(bad) == 0 {
		if err := os.MkdirAll(filepath.Dir(list), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(list, []byte(lowered.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compare says where the breaches are not those that are listed.
//
// What a file that is gone was allowed counts for files that are not listed, since files are moved, split and renamed.
func compare(listed exceptions, found breaches) []string {
	var bad []string
	free := 0 // what is allowed to files that are gone or have less
	for name, n := range listed {
		have := len(found[name])
		free += max(n-have, 0)
		switch {
		case have > n:
			bad = append(bad, fmt.Sprintf("%s has %d breaches, %d are allowed: %s", name, have, n,
				strings.Join(found[name], "\n\t")))
		case have < n:
			bad = append(bad, fmt.Sprintf("%s has %d breaches where %d are listed: lower the number (-update does)", name, have,
				n))
		}
	}
	fresh := 0
	var all []string
	for name, places := range found {
		if _, ok := listed[name]; !ok {
			fresh += len(places)
			all = append(all, name+" "+strings.Join(places, "\n\t"))
		}
	}
	slices.Sort(all)
	switch {
	case fresh > free:
		bad = append(bad, fmt.Sprintf("files that are not listed have %d breaches, of which %d come from files that are "+
			"gone or have less:\n%s",
			fresh, free, strings.Join(all, "\n")))
	case fresh > 0:
		bad = append(bad, fmt.Sprintf("files were moved: list them (-update does):\n%s", strings.Join(all, "\n")))
	}
	slices.Sort(bad)
	return bad
}

// lower gives the list for what was found, and says why it may not be: the sum never rises, nor the number of a listed
// file. Where there was no list, everything that was found is listed.
func lower(listed exceptions, found breaches, missing bool) (exceptions, []string) {
	lowered, sum := exceptions{}, 0
	var bad []string
	for name, places := range found {
		lowered[name] = len(places)
		sum += len(places)
		if n, ok := listed[name]; ok && len(places) > n {
			bad = append(bad, fmt.Sprintf("%s has %d breaches, %d are allowed: %s", name, len(places), n,
				strings.Join(places, "\n\t")))
		}
	}
	allowed := 0
	for _, n := range listed {
		allowed += n
	}
	if sum > allowed && !missing {
		bad = append(bad, fmt.Sprintf("%d breaches in all, %d are allowed: run the test without -update to see them", sum,
			allowed))
	}
	slices.Sort(bad)
	if missing {
		return lowered, nil
	}
	return lowered, bad
}

func (e exceptions) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e)) {
		fmt.Fprintf(&b, "%s %d\n", name, e[name])
	}
	return b.String()
}

func parseExceptions(text string) (exceptions, error) {
	e := exceptions{}
	for line := range strings.Lines(text) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%q: want a file and the number of its breaches", line)
		}
		if _, twice := e[name]; twice {
			return nil, fmt.Errorf("%s is listed twice", name)
		}
		e[name] = n
	}
	return e, nil
}

func TestProseFindsBreaches(t *testing.T) {
	text := strings.Repeat("word ", 31) + "end.\n\nShort.\n"
	columns, sentences := breaches{}, breaches{}
	var m measured
	m.judge("x.md", proseLines(text), markdownSentences(text), columns, sentences)
	if len(columns["x.md"]) != 1 || !strings.HasPrefix(columns["x.md"][0], "line 1 has 159 columns") {
		t.Errorf("columns: %q", columns)
	}
	if len(sentences["x.md"]) != 1 || !strings.HasPrefix(sentences["x.md"][0], "line 1: 32 words: word word") {
		t.Errorf("sentences: %q", sentences)
	}
	if m.sentences != 2 || m.words != 33 || m.long != 1 || m.wide != 1 {
		t.Errorf("measured: %v", m)
	}
}

func TestExceptionsOnlyShrink(t *testing.T) {
	of := func(numbers exceptions) breaches {
		b := breaches{}
		for name, n := range numbers {
			b[name] = slices.Repeat([]string{"here"}, n)
		}
		return b
	}
	for _, c := range []struct {
		what          string
		listed, found exceptions
		test, update  string // what each complains of
	}{
		{"the same", exceptions{"a": 2}, exceptions{"a": 2}, "", ""},
		{"more", exceptions{"a": 2}, exceptions{"a": 3}, "a has 3 breaches, 2 are allowed",
			"a has 3 breaches, 2 are allowed"},
		{"fewer", exceptions{"a": 2}, exceptions{"a": 1}, "lower the number", ""},
		{"none left", exceptions{"a": 2}, exceptions{}, "a has 0 breaches where 2 are listed", ""},
		{"a new file", exceptions{"a": 2}, exceptions{"a": 2, "b": 1}, "files that are not listed have 1",
			"3 breaches in all, 2 are allowed"},
		{"moved", exceptions{"a": 2}, exceptions{"b": 2}, "files were moved", ""},
		{"moved, and one more", exceptions{"a": 2}, exceptions{"b": 3}, "3 breaches, of which 2 come from",
			"3 breaches in all"},
		{"split", exceptions{"a": 5}, exceptions{"a": 2, "b": 3}, "files were moved", ""},
		{"from one to the other", exceptions{"a": 2, "b": 2}, exceptions{"a": 1, "b": 3}, "b has 3 breaches",
			"b has 3 breaches"},
	} {
		got := strings.Join(compare(c.listed, of(c.found)), "\n")
		if c.test == "" && got != "" || !strings.Contains(got, c.test) {
			t.Errorf("%s: the test says %q, want %q", c.what, got, c.test)
		}
		lowered, bad := lower(c.listed, of(c.found), false)
		got = strings.Join(bad, "\n")
		if c.update == "" && got != "" || !strings.Contains(got, c.update) {
			t.Errorf("%s: -update says %q, want %q", c.what, got, c.update)
		}
		if again, err := parseExceptions(lowered.String()); err != nil || !maps.Equal(again, c.found) {
			t.Errorf("%s: the list is %q, %v", c.what, lowered, err)
		}
	}
	if lowered, bad := lower(nil, of(exceptions{"a": 1}), true); len(bad) > 0 || lowered["a"] != 1 {
		t.Errorf("a list that is not there: %v, %q", lowered, bad)
	}
	for _, text := range []string{"a\n", "a 0\n", "a x\n", "a 1\na 2\n"} {
		if _, err := parseExceptions(text); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}
