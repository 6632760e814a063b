package reproduce

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/published"
)

var update = flag.Bool("update", false, "write the tables of docs/reproduction.md anew")

// TestTables reproduces everything that takes seconds. What is recorded as exact is; what is recorded as different is
// not the same throughout; and the document shows what came out.
func TestTables(t *testing.T) {
	results, err := Run(Config{})
	if err != nil {
		t.Fatal(err)
	}
	differs := map[string]bool{} // by table, subject and column: whether a cell that is recorded as different is
	for i := range results {
		r := &results[i]
		if broken := r.Broken(); len(broken) > 0 {
			t.Errorf("table %s, %s %s: %s", r.Table, r.Subject, r.Run(), strings.Join(broken, ", "))
		}
		for _, c := range r.Cells {
			if key := r.Table + " " + r.Subject + " " + c.Column; r.Why == "" && c.Status == published.Differs {
				differs[key] = differs[key] || !c.Equal()
			}
		}
	}
	for key, does := range differs {
		if !does {
			t.Errorf("%s is recorded as different, and is equal: update published/status.csv", key)
		}
	}
	compareDocument(t, results)
}

func compareDocument(t *testing.T, results []Result) {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, results, false); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "..", "..", "docs", "reproduction.md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), "\n```text\n")
	_, tail, closed := strings.Cut("\n"+rest, "\n```\n")
	if !ok || !closed {
		t.Fatalf("%s has no block of text for the tables", name)
	}
	want := head + "\n```text\n" + b.String() + "```\n" + tail
	if string(data) == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not show what came out: look at `git diff` after go test ./cmd/rehearse/internal/reproduce -run TestTables -update", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
