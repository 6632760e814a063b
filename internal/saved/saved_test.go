package saved

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

func schedule(n int) *trace.Schedule {
	s := &trace.Schedule{Header: trace.Header{Package: "bank", Test: "TestX", Model: trace.Bag, Seed: 1,
		Violation: &trace.Violation{Kind: trace.Assertion, Text: "overdraft"}}}
	for i := range n {
		s.Steps = append(s.Steps, trace.Forced{ID: trace.ID{Hi: 1, Lo: uint64(i + 1)}, Kind: trace.Deliver, Actor: "Account",
			Message: "bank.Withdraw"})
	}
	return s
}

func TestDir(t *testing.T) {
	for name, want := range map[string]string{
		"TestX":               "testdata/rehearse/TestX",
		"TestX/two_clients#1": "testdata/rehearse/TestX/two_clients#1",
		`TestX/a:b*"c"`:       "testdata/rehearse/TestX/a%3Ab%2A%22c%22",
		"TestX/../../etc":     "testdata/rehearse/TestX/%2E%2E/%2E%2E/etc",
		"TestX//50%":          "testdata/rehearse/TestX/%/50%25",
		"TestX/v1.2":          "testdata/rehearse/TestX/v1.2",
		"TestÄ":               "testdata/rehearse/Test%C3%84",
	} {
		if got := filepath.ToSlash(Dir(name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "testdata", "rehearse", "TestX")
	if files, bad := Load(dir); len(files)+len(bad) != 0 {
		t.Errorf("nothing is there: %v %v", files, bad)
	}
	path, err := Save(dir, schedule(3))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Save(dir, schedule(3))
	if err != nil || again != path {
		t.Errorf("the same schedule has another place: %s, %s, %v", path, again, err)
	}
	if _, err := Save(dir, schedule(2)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "README"), []byte("not a schedule"), 0o644); err != nil {
		t.Fatal(err)
	}
	files, bad := Load(dir)
	if len(files) != 2 || len(bad) != 0 {
		t.Fatalf("loaded %d files, errors %v", len(files), bad)
	}
	for _, f := range files {
		if f.Name() != f.Schedule.Hash() || f.Schedule.Header.Violation.Text != "overdraft" {
			t.Errorf("file %s: %+v", f.Path, f.Schedule.Header)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v %v", left, err)
	}
}

// A file that cannot be used is named, with its line and what to do, and does not hide the others.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Save(dir, schedule(1)); err != nil {
		t.Fatal(err)
	}
	header := `{"rehearse_schedule":1,"model":"bag","timers":"quiescent"}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"newer": {`{"rehearse_schedule":99}`,
			"newer.schedule:1: written by a newer Rehearse (format 99, this one reads up to 5): update " +
				"github.com/rehearse-go/rehearse"},
		"corrupt":   {header + "\x00\x01", "corrupt.schedule:2: step 1: not JSON at column 1"},
		"truncated": {header + `{"step":"deliver"}`, `truncated.schedule:2: step 1 is truncated`},
		"other":     {"package main", "other.schedule:1: this is no schedule"},
		"empty":     {"", "empty.schedule: the file is empty: want a schedule; delete it, or restore it"},
	} {
		path := filepath.Join(dir, name+Ext)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		files, bad := Load(dir)
		if len(files) != 1 {
			t.Errorf("%s: the good file is to be read: %d files", name, len(files))
		}
		if len(bad) != 1 || !strings.Contains(bad[0].Error(), c.want) ||
			!strings.HasPrefix(bad[0].Error(), "saved schedule "+filepath.ToSlash(dir)) {
			t.Errorf("%s: %v, want the path and %q", name, bad, c.want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that was damaged is written again by the finding it belonged to.
func TestSaveRepairs(t *testing.T) {
	dir := t.TempDir()
	path, err := Save(dir, schedule(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(dir, schedule(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err != nil {
		t.Error(err)
	}
}

func TestRefreshAndPrune(t *testing.T) {
	dir := t.TempDir()
	path, err := Save(dir, schedule(3))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if path, err = Refresh(f, map[int]bool{2: true}); err != nil {
		t.Fatal(err)
	}
	files, _ := Load(dir)
	if len(files) != 1 || files[0].Path != path || len(files[0].Schedule.Steps) != 2 ||
		files[0].Schedule.Steps[1].ID.Lo != 3 {
		t.Fatalf("after Refresh: %+v", files)
	}
	if err := Prune(files[0].Path); err != nil {
		t.Fatal(err)
	}
	if files, bad := Load(dir); len(files)+len(bad) != 0 {
		t.Errorf("after Prune: %v %v", files, bad)
	}
}

func TestSaveSaysWhatFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(filepath.Join(dir, "TestX"), schedule(1)); err == nil ||
		!strings.Contains(err.Error(), "save schedule") {
		t.Errorf("error %v", err)
	}
}

// The Checks of a test have corpora of their own, and none is loaded with the findings.
func TestCorpusDir(t *testing.T) {
	t.Chdir(t.TempDir())
	for ordinal, want := range []string{"testdata/rehearse/TestX/corpus", "testdata/rehearse/TestX/corpus/2",
		"testdata/rehearse/TestX/corpus/3"} {
		if got := filepath.ToSlash(CorpusDir("TestX", ordinal)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if _, err := Save(CorpusDir("TestX", ordinal), schedule(1)); err != nil {
			t.Fatal(err)
		}
	}
	if files, bad := Load(Dir("TestX")); len(files)+len(bad) != 0 {
		t.Errorf("%v %v", files, bad)
	}
	if files, bad := Load(CorpusDir("TestX", 0)); len(files) != 1 || len(bad) != 0 {
		t.Errorf("%v %v", files, bad)
	}
}
