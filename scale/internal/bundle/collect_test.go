package bundle

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// What cannot travel is refused where the job begins, with what and where.
func TestCollectRefuses(t *testing.T) {
	elsewhere := t.TempDir()
	write(t, 0o644, "secret", elsewhere, "secret")
	for what, c := range map[string]struct {
		change func(*Source)
		want   string
	}{
		"as it is": {func(*Source) {}, ""},
		"a package elsewhere": {func(s *Source) { s.Dir = elsewhere },
			"package example.com/shop/till: " + real(t, elsewhere) + " is outside of the module"},
		"no binary": {func(s *Source) { s.Binary = filepath.Join(s.Dir, "testdata", "tool.sh") },
			"is not a test binary of Go"},
		"no such file":  {func(s *Source) { s.Named = []Named{{Path: "none"}} }, "-file none: there is no such file"},
		"out of module": {func(s *Source) { s.Named = []Named{{Path: elsewhere}} }, "say where the test is to find it"},
		"out by dots":   {func(s *Source) { s.Named = []Named{{Path: "../../.."}} }, "say where the test is to find it"},
		"a place elsewhere": {func(s *Source) { s.Named = []Named{{elsewhere, "../../../x"}} },
			"want one relative to the package's folder, in the module"},
		"an absolute place": {func(s *Source) { s.Named = []Named{{elsewhere, "/x"}} }, "want one relative"},
		"a place taken": {func(s *Source) { s.Named = []Named{{filepath.Join(elsewhere, "secret"), "testdata/empty"}} },
			"would both be shop/till/testdata/empty"},
		"a link that leads out": {func(s *Source) {
			os.Symlink(filepath.Join(elsewhere, "secret"), filepath.Join(s.Dir, "testdata", "link"))
		}, "is a link, and"},
		"a link to a folder": {func(s *Source) {
			os.Symlink(filepath.Join(s.Dir, "testdata", "rehearse"), filepath.Join(s.Dir, "testdata", "link"))
		}, "links to folders do not travel"},
		"a link to nothing": {func(s *Source) { os.Symlink("nothing", filepath.Join(s.Dir, "testdata", "link")) },
			"no such file"},
		"too much":    {func(s *Source) { s.Limits.Total = 1000 }, "more than the limit of 1000 bytes"},
		"an argument": {func(s *Source) { s.Args = []string{"a\x00"} }, "argument 1"},
		"facts by path": {func(s *Source) { s.Env = []string{"REHEARSE_FACTS=/tmp/facts"} },
			"relative to the package's folder"},
	} {
		s := sample(t)
		c.change(&s)
		if _, err := Collect(s); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// What users name lies where the test looks for it, from wherever it comes.
func TestNamed(t *testing.T) {
	elsewhere := t.TempDir()
	write(t, 0o644, "one", elsewhere, "data", "1")
	write(t, 0o644, "two", elsewhere, "data", "deep", "2")
	s := sample(t)
	os.Symlink(filepath.Join(s.Root, "shop", "prices.csv"), filepath.Join(s.Dir, "testdata", "link"))
	write(t, 0o644, "", s.Root, "go.mod")
	s.Named = nil
	for _, text := range []string{"../../go.mod", filepath.Join(elsewhere, "data") + "=../data",
		filepath.Join(elsewhere, "data", "1") + "=testdata/one"} {
		n, err := ParseNamed(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Named = append(s.Named, n)
	}
	var paths []string
	for _, f := range collect(t, s).Manifest.Files {
		paths = append(paths, f.Path)
	}
	for _, want := range []string{"go.mod", "shop/data/1", "shop/data/deep/2", "shop/till/testdata/one",
		"shop/till/testdata/link"} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is missing in %q", want, paths)
		}
	}
	for _, text := range []string{"", "=a", "a="} {
		if _, err := ParseNamed(text); err == nil {
			t.Errorf("%q is a file", text)
		}
	}
}

// The variables that travel: no others, and none in an error.
func TestEnvironment(t *testing.T) {
	environ := []string{"SECRET=s3cret", "REHEARSE_MODEL=fifo", "REHEARSE_SEED=", "REHEARSE_WORKERS=4", "REHEARSE_TOY=1",
		"A=1", "A=2"}
	for _, c := range []struct {
		names []string
		want  string
	}{{nil, "REHEARSE_MODEL=fifo"}, {[]string{"A", "A"}, "A=2 REHEARSE_MODEL=fifo"},
		{[]string{"REHEARSE_SEED", "REHEARSE_MODEL"}, "REHEARSE_MODEL=fifo REHEARSE_SEED="}} {
		if got, err := Environment(environ, c.names); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, %v, want %q", c.names, got, err, c.want)
		}
	}
	if _, err := Environment(environ, []string{"NONE"}); !says(err, "-env NONE: the variable is not set") {
		t.Errorf("%v", err)
	}
	_, err := Environment(append(environ, "B=s3cret\xff"), []string{"B"})
	if !says(err, `variable "B"`) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%v", err)
	}
}

// writeFacts writes facts about the folders to the place of the package.
func writeFacts(t *testing.T, s Source, dirs ...string) {
	t.Helper()
	f := &facts.File{Package: s.Package, Tool: facts.Analysis, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	at := filepath.Join(s.Dir, filepath.FromSlash(facts.Place))
	for _, dir := range dirs {
		hash, err := facts.HashSource(dir, true)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(filepath.Dir(at), dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Sources = append(f.Sources, facts.Source{Dir: filepath.ToSlash(rel), Package: dir, Tests: true, Hash: hash})
	}
	if err := f.Write(at); err != nil {
		t.Fatal(err)
	}
}

// Facts hold on another machine exactly if they hold here: their sources travel.
func TestFacts(t *testing.T) {
	s := sample(t)
	write(t, 0o644, "package till\n", s.Dir, "till.go")
	write(t, 0o644, "package till\n", s.Dir, "till_test.go")
	write(t, 0o644, "package coin\n", s.Root, "coin", "coin.go")
	write(t, 0o644, "no source\n", s.Root, "coin", "README")
	writeFacts(t, s, s.Dir, filepath.Join(s.Root, "coin"))
	stale := func() string {
		t.Helper()
		c := collect(t, s)
		if len(c.Notes) > 0 {
			t.Errorf("notes: %q", c.Notes)
		}
		b, err := Unpack(strings.NewReader(string(pack(t, c))), t.TempDir(), c.Manifest.Digest(), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Manifest.find("coin/README") != nil {
			t.Error("README travels")
		}
		stage, err := b.Stage()
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Remove()
		at := filepath.Join(stage.Dir, filepath.FromSlash(facts.Place))
		f, err := facts.Load(at)
		if err != nil {
			t.Fatal(err)
		}
		return f.Stale(at)
	}
	if why := stale(); why != "" {
		t.Errorf("facts that hold here do not hold there: %s", why)
	}
	write(t, 0o644, "package coin // changed\n", s.Root, "coin", "coin.go")
	if why := stale(); why == "" {
		t.Error("facts that do not hold here hold there")
	}
	elsewhere := t.TempDir()
	write(t, 0o644, "package x\n", elsewhere, "x.go")
	writeFacts(t, s, s.Dir, elsewhere)
	c := collect(t, s)
	if !slices.Contains(c.Manifest.Env, "REHEARSE_FACTS=off") || len(c.Notes) != 1 ||
		!strings.Contains(c.Notes[0], "facts are not used") {
		t.Errorf("facts about sources elsewhere: %q, %q", c.Manifest.Env, c.Notes)
	}
}

// A file that changes while the job is packed is no part of a bundle.
func TestChangedWhilePacked(t *testing.T) {
	for what, text := range map[string]string{"longer": "prices\nmore", "other": "pricez\n", "shorter": "p"} {
		s := sample(t)
		c := collect(t, s)
		write(t, 0o644, text, s.Root, "shop", "prices.csv")
		if err := c.Pack(new(strings.Builder)); !says(err, "changed while the job was packed") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Another machine is refused with both named.
func TestRunsOn(t *testing.T) {
	m, _ := small()
	for _, c := range []struct{ goos, goarch, tool, want string }{
		{"linux", "amd64", "v1", ""},
		{"linux", "arm64", "v1", "is for linux/amd64 and this machine is linux/arm64"},
		{"darwin", "amd64", "v1", "is for linux/amd64 and this machine is darwin/amd64"},
		{"linux", "amd64", "v2", "is of Rehearse v1 and this worker of v2"},
	} {
		if err := m.RunsOn(c.goos, c.goarch, c.tool); !says(err, c.want) {
			t.Errorf("%s/%s %s: %v, want %q", c.goos, c.goarch, c.tool, err, c.want)
		}
	}
}
