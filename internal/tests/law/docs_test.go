package law

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/settings"
)

// read reads a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks gives the fenced blocks of a Markdown text in that language.
func blocks(text, language string) []string {
	var found []string
	for _, part := range strings.Split(text, "\n```"+language+"\n")[1:] {
		body, _, _ := strings.Cut(part, "\n```")
		found = append(found, body+"\n")
	}
	return found
}

// The README's commands are the ones that .ci/run runs.
func TestREADMECommandsAreChecked(t *testing.T) {
	sh := blocks(read(t, "README.md"), "sh")
	if len(sh) != 1 || strings.Count(sh[0], "\n") != 2 {
		t.Fatalf("the README has shell blocks %q: want one with two commands", sh)
	}
	ci := "\n" + read(t, ".ci/run")
	for line := range strings.Lines(sh[0]) {
		if !strings.Contains(ci, "\n"+line) {
			t.Errorf(".ci/run does not run the README's command %q", line)
		}
	}
}

// The README's test is the one that the command's story runs.
func TestREADMETestIsRun(t *testing.T) {
	code := blocks(read(t, "README.md"), "go")
	if len(code) != 1 {
		t.Fatalf("the README has %d Go blocks: want one", len(code))
	}
	if !strings.Contains(read(t, "cmd/rehearse/internal/cli/testdata/script/native.txtar"),
		"-- account_test.go --\n"+code[0]) {
		t.Error("the README's test differs from account_test.go in native.txtar")
	}
}

// The page of settings has the table that flags, variables and fields come from.
func TestDocsHaveTheSettings(t *testing.T) {
	if manual := settings.Manual(); !strings.Contains(read(t, "docs/settings.md"), manual) {
		t.Errorf("the table of docs/settings.md is out of date, it should be:\n%s", manual)
	}
}

// reference matches the key of a paper, as in [Basset11].
var reference = regexp.MustCompile(`\[(?:[A-Z][A-Za-z]+\d\d|ASTS|aPET13|TAP18)\]`)

// Every paper that code or documents cite is in docs/REFERENCES.md.
func TestReferencesExist(t *testing.T) {
	known := read(t, "docs/REFERENCES.md")
	for _, f := range tree(t) {
		for _, group := range f.ast.Comments {
			for _, key := range reference.FindAllString(group.Text(), -1) {
				if !strings.Contains(known, "\n"+key) && !strings.Contains(known, "| "+key) {
					t.Errorf("%s cites %s, which docs/REFERENCES.md does not have", f.at(group), key)
				}
			}
		}
	}
}

// link matches a relative link of Markdown.
var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

func TestDocumentLinks(t *testing.T) {
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/decisions/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		for _, f := range found {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(f), "../../../"))
		}
	}
	numbers := map[string]string{} // of decisions
	for _, name := range names {
		if dir, file := path.Split(name); dir == "docs/decisions/" {
			number, _, _ := strings.Cut(file, "-")
			if other := numbers[number]; other != "" {
				t.Errorf("%s and %s have the same number", name, other)
			}
			if numbers[number] = name; !strings.HasPrefix(read(t, name), "# "+number+": ") {
				t.Errorf("%s does not begin with its number", name)
			}
		}
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			target := filepath.Join("..", "..", "..", filepath.Dir(filepath.FromSlash(name)), filepath.FromSlash(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			}
		}
	}
}
