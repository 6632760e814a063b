package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// This file collects the sources of packages, for a job that reads them and runs their tests. What their modules need
// travels as go mod vendor gives it, so that a worker fetches nothing.

// Sources says which packages travel as sources.
type Sources struct {
	Packages []string // patterns, as the go command takes them
	Scratch  string   // folder for what is made; it is needed until the bundle is packed
}

// adapters are what tests import that are made on workers, if the module has it.
var adapters = []string{"github.com/rehearse-go/rehearse", "github.com/rehearse-go/rehearse/adapter/protoactor",
	"github.com/rehearse-go/rehearse/adapter/hollywood", "github.com/rehearse-go/rehearse/adapter/goakt"}

// ModuleOf gives the folder of the module that a folder is in, whatever workspace there is.
func ModuleOf(ctx context.Context, dir string) (string, error) {
	mod, err := goCommand(ctx, dir, "env", "GOMOD")
	mod = strings.TrimSpace(mod)
	if err == nil && (mod == "" || mod == os.DevNull) {
		err = fmt.Errorf("%s is in no module: want packages of a module", dir)
	}
	return filepath.Dir(mod), err
}

// goCommand gives what the go command prints that knows of no workspace.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	var errs strings.Builder
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "GOWORK=off"), &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(errs.String()+" "+err.Error()))
	}
	return string(out), nil
}

// addSources takes the module's files, those of the packages that it needs, and what is vendored for them.
func (c *collector) addSources(ctx context.Context, m *Manifest) error {
	if err := c.addToolchain(ctx, m); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if _, err := os.Stat(filepath.Join(c.Root, name)); err != nil && name == "go.sum" {
			continue
		}
		if err := c.add(filepath.Join(c.Root, name), name, Plain); err != nil {
			return err
		}
	}
	if err := c.addPackages(ctx); err != nil {
		return err
	}
	return c.addVendor(ctx)
}

// addToolchain notes what go command there must be, and its settings that matter for what a program is.
func (c *collector) addToolchain(ctx context.Context, m *Manifest) error {
	text, err := goCommand(ctx, c.Dir, "env", "-json", "GOVERSION", "GOFLAGS", "CGO_ENABLED", "GOEXPERIMENT", "GOOS",
		"GOARCH")
	if err != nil {
		return err
	}
	set := map[string]string{}
	if err := json.Unmarshal([]byte(text), &set); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	if set["GOOS"] != m.GOOS || set["GOARCH"] != m.GOARCH {
		return fmt.Errorf("the go command builds for %s/%s, and what reads sources was built for %s/%s: unset GOOS and "+
			"GOARCH", set["GOOS"], set["GOARCH"], m.GOOS, m.GOARCH)
	}
	// Without paths of folders, what one process has built another one need not build again.
	flags := []string{"-mod=vendor", "-trimpath"}
	for _, f := range strings.Fields(set["GOFLAGS"]) {
		name := strings.TrimLeft(strings.SplitN(f, "=", 2)[0], "-")
		switch {
		case name == "overlay" || name == "modfile":
			return fmt.Errorf("GOFLAGS has -%s, which names a file of this machine: sources travel without it; unset it", name)
		case name != "mod" && name != "modcacherw" && name != "trimpath":
			flags = append(flags, f)
		}
	}
	m.Toolchain = set["GOVERSION"]
	c.env = append(c.env, "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS="+strings.Join(flags, " "),
		"CGO_ENABLED="+set["CGO_ENABLED"])
	if set["GOEXPERIMENT"] != "" {
		c.env = append(c.env, "GOEXPERIMENT="+set["GOEXPERIMENT"])
	}
	return nil
}

// listed is a package as go list tells of it.
type listed struct {
	Dir, ImportPath                                     string
	Module                                              *struct{ Main bool }
	GoFiles, CgoFiles, CFiles, CXXFiles, HFiles, FFiles []string
	MFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles  []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles         []string
}

const listedFields = "Dir,ImportPath,Module,GoFiles,CgoFiles,CFiles,CXXFiles,HFiles,FFiles,MFiles,SFiles,SwigFiles," +
	"SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles"

func (l *listed) files() []string {
	return slices.Concat(l.GoFiles, l.CgoFiles, l.CFiles, l.CXXFiles, l.HFiles, l.FFiles, l.MFiles, l.SFiles, l.SwigFiles,
		l.SwigCXXFiles, l.SysoFiles, l.EmbedFiles, l.TestEmbedFiles, l.XTestEmbedFiles)
}

// addPackages takes the files of the packages, and of those of their module that they import, with testdata.
func (c *collector) addPackages(ctx context.Context) error {
	args := []string{"list", "-e", "-deps", "-test", "-json=" + listedFields, "--"}
	out, err := goCommand(ctx, c.Dir, append(args, c.Sources.Packages...)...)
	if err != nil {
		return err
	}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ImportPath, ".test") {
			continue // of go test -c, in the cache
		}
		if err := c.addPackage(&p); err != nil {
			return fmt.Errorf("package %s: %w", p.ImportPath, err)
		}
	}
}

func (c *collector) addPackage(p *listed) error {
	dir, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		return err
	}
	place, err := c.place(dir)
	if err != nil {
		return err
	}
	for _, name := range p.files() {
		if filepath.IsAbs(name) {
			continue // cgo made it
		}
		if err := c.add(filepath.Join(dir, name), path.Join(place, filepath.ToSlash(name)), Plain); err != nil {
			return err
		}
	}
	return c.addTestdataOf(dir, place)
}

// addVendor takes the packages of other modules. SUBTLE: an overlay has the module import what tests will that are made
// later. Nothing is written to the user's folder.
func (c *collector) addVendor(ctx context.Context) error {
	found, err := goCommand(ctx, c.Root, append([]string{"list", "-e", "-find", "-f",
		"{{if not .Error}}{{.ImportPath}}{{end}}", "--"}, adapters...)...)
	if err != nil {
		return err
	}
	source := "package later\n"
	for _, p := range strings.Fields(found) {
		source += fmt.Sprintf("import _ %q\n", p)
	}
	later, overlay := filepath.Join(c.Sources.Scratch, "later.go"), filepath.Join(c.Sources.Scratch, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(c.Root, "rehearse_imports_later", "later.go"): later}})
	if err == nil {
		err = os.WriteFile(later, []byte(source), 0o644)
	}
	if err == nil {
		err = os.WriteFile(overlay, data, 0o644)
	}
	if err != nil {
		return err
	}
	to := filepath.Join(c.Sources.Scratch, "vendor")
	if _, err := goCommand(ctx, c.Root, "mod", "vendor", "-overlay", overlay, "-o", to); err != nil {
		return fmt.Errorf("the module in %s has not by itself what its packages import, and a workspace does not travel: "+
			"require it in go.mod, and go mod tidy: %w", c.Root, err)
	}
	if _, err := os.Stat(to); err != nil {
		return c.vendorNothing(to)
	}
	return c.addAll(to, "vendor")
}

// vendorNothing is for a module that needs no other: -mod=vendor wants the list all the same.
func (c *collector) vendorNothing(to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	list := filepath.Join(to, "modules.txt")
	if err := os.WriteFile(list, nil, 0o644); err != nil {
		return err
	}
	return c.add(list, "vendor/modules.txt", Plain)
}

// HasToolchain refuses a machine without the go command that a job of sources needs, in its stage.
func (s *Stage) HasToolchain(ctx context.Context) error {
	want := s.Manifest.Toolchain
	if want == "" {
		return nil
	}
	const install = "install it, and have it in PATH before others"
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir, cmd.Env = s.Dir, s.Manifest.environ()
	out, err := cmd.Output()
	got := strings.TrimSpace(string(out))
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("the job reads sources and runs tests of them with %s, and there is no go command: %s", want,
			install)
	case err != nil:
		return fmt.Errorf("the job needs %s: go env: %w", want, err)
	case got != want:
		return fmt.Errorf("the job reads sources and runs tests of them with %s, and the go command here is %s: %s", want,
			got, install)
	}
	return nil
}
