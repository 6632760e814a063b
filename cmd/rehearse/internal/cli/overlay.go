package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/overlay"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// plainVariable, if it is "off", has tests built without the overlay. It spares the project's own tests of this command
// the time to build the standard library.
const plainVariable = "REHEARSE_TEST_OVERLAY"

const (
	noOverlayDoc = "build the test as go test does, without numbers for what Go itself chooses: see rehearse help test"
	overlayDoc   = "build the test with numbers for what Go itself chooses: the default, where they can be had"
)

// installation is what the go command says of itself, in the folder of the tests: a module may want another version
// than the one in PATH.
type installation struct {
	GOROOT, GOVERSION, GOMODCACHE, GOFLAGS, GOEXPERIMENT, GOOS, GOARCH string
}

// numberDraws has the test built with the overlay of the standard library. Where that cannot be had it says why, and
// the test is an ordinary one.
func (g *goTest) numberDraws() {
	if os.Getenv(plainVariable) == "off" {
		return
	}
	if err := g.withOverlay(); err != nil {
		fmt.Fprintf(g.err, "rehearse: %v; plain tests are used, in which Go's own choices have no numbers\n", err)
	}
}

func (g *goTest) withOverlay() error {
	in, err := g.installation()
	if err != nil {
		return err
	}
	if err := in.refuse(g.args); err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	made, err := overlay.Make(overlay.Go{Root: in.GOROOT, Version: in.GOVERSION, ModCache: in.GOMODCACHE},
		filepath.Join(cache, "rehearse"))
	if err != nil {
		return err
	}
	g.args = append([]string{"-overlay=" + made.File}, g.args...)
	g.env = append(g.environ(), chance.CommandVariable+"="+howCalled())
	if made.Root != in.GOROOT {
		bin := filepath.Join(made.Root, "bin")
		g.command = filepath.Join(bin, "go")
		g.env = append(g.environ(), "GOROOT="+made.Root, "GOTOOLCHAIN=local",
			"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	return nil
}

// installation asks the go command.
func (g *goTest) installation() (in installation, err error) {
	cmd := exec.Command("go", "env", "-json", "GOROOT", "GOVERSION", "GOMODCACHE", "GOFLAGS",
		"GOEXPERIMENT", "GOOS", "GOARCH")
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.Output()
	if err != nil {
		return in, fmt.Errorf("go env: %w", err)
	}
	return in, json.Unmarshal(out, &in)
}

// refuse says what an overlay of ours would be in the way of, or was never tried with.
func (in *installation) refuse(args []string) error {
	asked := slices.Concat(args, strings.Fields(in.GOFLAGS))
	isOverlay := func(a string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return strings.HasPrefix(a, "-") && name == "overlay"
	}
	switch {
	case slices.ContainsFunc(asked, isOverlay):
		return fmt.Errorf("go test is given an -overlay already")
	case in.GOEXPERIMENT != "":
		return fmt.Errorf("%s with GOEXPERIMENT=%s was not tested", in.GOVERSION, in.GOEXPERIMENT)
	case in.GOOS != "linux":
		return fmt.Errorf("%s on GOOS=%s was not tested", in.GOVERSION, in.GOOS)
	case in.GOARCH != "amd64" && in.GOARCH != "arm64":
		return fmt.Errorf("%s on GOARCH=%s was not tested", in.GOVERSION, in.GOARCH)
	}
	return nil
}

// environ is the environment of the go command.
func (g *goTest) environ() []string {
	if g.env == nil {
		return os.Environ()
	}
	return g.env
}
