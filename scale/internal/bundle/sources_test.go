package bundle

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes a module of two packages that needs one that lies beside it.
func module(t *testing.T) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "app")
	for name, text := range map[string]string{
		"app/go.mod": "module example.com/app\n\ngo 1.25\n\nrequire example.com/coin v0.0.0\n\n" +
			"replace example.com/coin => ../coin\n",
		"app/till/till.go":         "package till\n\nimport \"example.com/app/inner\"\n\nvar T = inner.I\n",
		"app/till/till_test.go":    "package till_test\n\nimport \"example.com/coin\"\n\nvar _ = coin.C\n",
		"app/till/testdata/a.txt":  "a",
		"app/till/notes.txt":       "nobody reads them",
		"app/inner/inner.go":       "package inner\n\nimport _ \"embed\"\n\n//go:embed prices\nvar I string\n",
		"app/inner/prices":         "1",
		"app/inner/other_plan9.go": "package inner\n",
		"app/apart/apart.go":       "package apart\n",
		"coin/go.mod":              "module example.com/coin\n\ngo 1.25\n",
		"coin/coin.go":             "package coin\n\nvar C int\n",
	} {
		path := filepath.Join(filepath.Dir(root), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func sourceOf(t *testing.T, root string) Source {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Source{Root: root, Dir: root, Package: "./till", Test: "-panics", Tool: "test", Binary: self,
		Sources: &Sources{Packages: []string{"./till"}, Scratch: t.TempDir()}}
}

// The sources that packages are built of travel, with those of other modules, and no others. The user's folder stays as
// it is, and the tests can be built where they arrive.
func TestSources(t *testing.T) {
	root := module(t)
	t.Setenv("GOFLAGS", "-buildvcs=false -mod=mod")
	dir, err := ModuleOf(context.Background(), filepath.Join(root, "till"))
	if err != nil || dir != root {
		t.Fatalf("the module is in %s, %v", dir, err)
	}
	c, err := Collect(sourceOf(t, root))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"go.mod", "inner/inner.go", "inner/prices", "rehearse.test", "till/testdata/a.txt", "till/till.go",
		"till/till_test.go", "vendor/example.com/coin/coin.go", "vendor/modules.txt"}
	if got := slices.Sorted(maps.Keys(c.from)); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for _, v := range []string{"GOWORK=off", "GOFLAGS=-mod=vendor -trimpath -buildvcs=false"} {
		if !slices.Contains(c.Manifest.Env, v) {
			t.Errorf("variables %q, want %s", c.Manifest.Env, v)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "vendor")); err == nil {
		t.Error("something was written to the user's folder")
	}
	again, err := Collect(sourceOf(t, root))
	if err != nil || again.Manifest.Digest() != c.Manifest.Digest() {
		t.Errorf("collected again it has another digest: %v", err)
	}
	stage := stageOf(t, c)
	cmd := exec.Command("go", "vet", "./till")
	cmd.Dir, cmd.Env = stage.Dir, stage.Manifest.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// stageOf sends contents and makes a stage of them.
func stageOf(t *testing.T, c *Contents) *Stage {
	t.Helper()
	var packed strings.Builder
	if err := c.Pack(&packed); err != nil {
		t.Fatal(err)
	}
	b, err := Unpack(strings.NewReader(packed.String()), t.TempDir(), c.Manifest.Digest(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	stage, err := b.Stage()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stage.Remove)
	return stage
}

// A machine with another go command, or without one, is refused.
func TestToolchain(t *testing.T) {
	c, err := Collect(sourceOf(t, module(t)))
	if err != nil {
		t.Fatal(err)
	}
	stage := stageOf(t, c)
	if err := stage.HasToolchain(context.Background()); err != nil {
		t.Error(err)
	}
	refused := func(want string) {
		t.Helper()
		if err := stage.HasToolchain(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	stage.Manifest.Toolchain = "go1.2"
	refused("with go1.2, and the go command here is " + c.Manifest.Toolchain)
	t.Setenv("PATH", t.TempDir())
	refused("there is no go command")
	stage.Manifest.Toolchain = ""
	if err := stage.HasToolchain(context.Background()); err != nil {
		t.Error(err)
	}
}

// What cannot travel is refused, with what to do.
func TestSourcesRefused(t *testing.T) {
	root := module(t)
	t.Setenv("GOFLAGS", "-overlay=x.json")
	if _, err := Collect(sourceOf(t, root)); err == nil || !strings.Contains(err.Error(), "unset it") {
		t.Errorf("an overlay: %v", err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	mod := filepath.Join(root, "go.mod")
	if err := os.WriteFile(mod, []byte("module example.com/app\n\ngo 1.25\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Collect(sourceOf(t, root)); err == nil || !strings.Contains(err.Error(), "a workspace does not travel") {
		t.Errorf("a workspace: %v", err)
	}
	_, err := ModuleOf(context.Background(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "in no module") {
		t.Errorf("no module: %v", err)
	}
}
