package formats

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are texts of a program that would like to be more than text.
var hostile = []string{
	"", "plain", "::error file=x::y", "a\n::set-output name=x::y\r\n::add-mask::z", "50%, 100%25, %0A",
	"a:b,c=d", "<script>alert(1)</script>", "]]>&amp;<x/>", "```\n# title\n``` ````", "| a | b |\n|---|---|",
	"[x](javascript:y) ![z](http://w) @everyone #1 https://example.org/", "\u202eevil\u2066", "\x00\x07\x1b[31m",
	"\xff\xfe\xc3",
	strings.Repeat("long ", 1000), "##[error]x", "&#58;&colon;", "end", "\ufffe\uffff",
}

func findings() (fs []Finding) {
	for i, s := range hostile {
		fs = append(fs, Finding{Rule: "panic", Level: []string{Error, Warning, Note}[i%3], Title: s, Message: s, File: s,
			Line: i, Column: i % 2, Key: s})
	}
	return fs
}

// An annotation is one line, whatever is in it, and GitHub reads the texts back from it.
func TestAnnotations(t *testing.T) {
	var b bytes.Buffer
	if err := Annotations(&b, []Finding{
		{Level: Error, Title: "panic: no", Message: "two\nlines, 100%", File: "a,b:c.go", Line: 7, Column: 3},
		{Level: Note, Message: "no place"},
	}); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac.go,line=7,col=3,title=panic%3A no::two%0Alines, 100%25\n::notice::no place\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	fs := findings()
	b.Reset()
	if err := Annotations(&b, fs); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(fs) {
		t.Fatalf("%d lines of %d findings:\n%s", len(lines), len(fs), b.String())
	}
	for i, line := range lines {
		head, message, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
		if !ok || unescaped(message) != text(fs[i].Message) || strings.ContainsAny(line, "\r\x00\x1b") ||
			!utf8.ValidString(line) {
			t.Errorf("%q says %q, want %q", line, unescaped(message), text(fs[i].Message))
		}
		_, properties, _ := strings.Cut(head, " ")
		for _, p := range strings.Split(properties, ",") {
			name, value, ok := strings.Cut(p, "=")
			known := strings.Contains(" file line col title ", " "+name+" ")
			if properties != "" && (!ok || strings.ContainsAny(value, ":,") || !known) {
				t.Errorf("%q has the property %q", line, p)
			}
		}
	}
}

func unescaped(s string) string {
	return strings.NewReplacer("%0A", "\n", "%0D", "\r", "%2C", ",", "%3A", ":", "%25", "%").Replace(s)
}

// In a paragraph, a cell and a fence texts stay text.
func TestMarkdown(t *testing.T) {
	for _, s := range hostile {
		got := Markdown(s)
		if strings.ContainsAny(got, "<>`*_[]()|@!:/\\\n") {
			t.Errorf("%q becomes %q", s, got)
		}
		fence := Fence("text", s)
		lines := strings.Split(strings.TrimSuffix(fence, "\n"), "\n")
		mark := strings.TrimSuffix(lines[0], "text")
		for i, l := range lines[1:] {
			if closes := strings.HasPrefix(strings.TrimSpace(l), mark); closes != (i == len(lines)-2) {
				t.Errorf("%q in a fence:\n%s", s, fence)
			}
		}
	}
	const want = "| a&#124;b | c |\n|---|---|\n| x y | 1 |\n"
	if got := Table([]string{"a|b", "c"}, [][]string{{"x\ny", "1"}}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// JUnit XML can be read again, and has the texts.
func TestJUnit(t *testing.T) {
	s := Suite{Name: "example.com/bank", Time: 1.5}
	for i, text := range hostile {
		s.Tests = append(s.Tests, Test{Name: fmt.Sprintf("Test%d/%s", i, text), Time: 0.25, Failed: i%4 == 1,
			Broken: i%4 == 2, Skipped: i%4 == 3, Kind: text, Message: text, Output: text})
	}
	var b bytes.Buffer
	if err := JUnit(&b, []Suite{s, {Name: "empty"}}); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	n := len(hostile)
	if got.Tests != n || got.Failures != (n+2)/4 || got.Errors != (n+1)/4 || got.Skipped != n/4 || got.Time != "1.500" ||
		len(got.Suites) != 2 || len(got.Suites[0].Cases) != n {
		t.Errorf("%+v", got)
	}
	for i, c := range got.Suites[0].Cases {
		found := c.Output
		for _, o := range []*junitOutcome{c.Failure, c.Error, c.Skipped} {
			if o != nil {
				found = o.Text
			}
		}
		if want := text(hostile[i]); found != want || c.Classname != "example.com/bank" {
			t.Errorf("%d: %q, want %q", i, found, want)
		}
	}
}

// What SARIF says is in the document, and a finding keeps its fingerprint when its line moves. The schema is tested in
// schematest.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	f := Finding{Rule: "panic", Level: Error, Message: "it breaks", File: "a b/c%d.go", Line: 3}
	moved := f
	moved.Line = 9
	rules := []Rule{{"deadlock", "nobody goes on"}}
	if err := SARIF(&b, "rehearse test", "v1", rules, []Finding{f, moved, {Rule: "x"}}); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 3 || len(run.Tool.Driver.Rules) != 3 || run.Results[0].RuleIndex != 1 ||
		run.Results[2].RuleIndex != 2 {
		t.Fatalf("%s", b.String())
	}
	if len(run.Invocations) != 0 {
		t.Errorf("all was seen: %+v", run.Invocations)
	}
	b.Reset()
	if err := SARIF(&b, "rehearse vet", "v1", nil, nil, "a package", "another\x1b"); err != nil {
		t.Fatal(err)
	}
	var unseen sarifLog
	if err := json.Unmarshal(b.Bytes(), &unseen); err != nil {
		t.Fatal(err)
	}
	if in := unseen.Runs[0].Invocations; len(in) != 1 || in[0].Successful || len(in[0].Notifications) != 2 ||
		in[0].Notifications[1].Message.Text != `another\x1b` {
		t.Errorf("what was not seen: %s", b.String())
	}
	if uri := run.Results[0].Locations[0].Physical.Artifact.URI; uri != "a%20b/c%25d.go" {
		t.Errorf("URI %s", uri)
	}
	if run.Results[0].Fingerprints["rehearse/v1"] != run.Results[1].Fingerprints["rehearse/v1"] {
		t.Error("a line that moves makes another finding")
	}
	for path, want := range map[string]string{"a:b.go": "./a:b.go", "/tmp/x y": "file:///tmp/x%20y", "é.go": "%C3%A9.go"} {
		if got := uri(path); got != want {
			t.Errorf("URI of %s: %s, want %s", path, got, want)
		}
	}
}
