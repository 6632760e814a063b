// Package explorer serves a page on which somebody steps through the executions of a test by hand.
//
//	program.go   the program: what is built, and what tells it from a changed one
//	stepper.go   the process that goes to positions; it is started again when it hangs or dies
//	progress.go  the process that explores, and what it has told
//	tree.go      the choices of its executions, folded
//	server.go    who may ask: this machine, with the token, from the page itself
//	api.go       what can be asked for
//	page/        the page: src/ has its source, app.js is made of that (folder bundle)
//
// What comes from the program under test is text for the page, and nothing else. Nothing is loaded from a network.
// Decision 0033 (docs/decisions) tells why it is so.
package explorer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"

	"github.com/rehearse-go/rehearse/internal/byhand"
)

// Program is a test binary.
type Program struct {
	Binary  string
	Dir     string   // of its package, where it runs
	Env     []string // to run it with
	Pattern string   // of the test, for -test.run
	Test    string   // with its subtests
	Ordinal int      // of the Check within the test, from 0
	Digest  string   // of its sources: the same program has the same on every machine
}

// Source is where programs come from.
type Source interface {
	// Build makes the program as its sources are now. A *BuildError says that they have errors.
	Build() (*Program, error)
	// Digest is that of the sources as they are now.
	Digest() (string, error)
}

// BuildError tells that the sources do not build.
type BuildError struct {
	Output string // what the go command says of it
}

func (e *BuildError) Error() string { return "the test does not build" }

// command starts the program. temp is a folder for what it leaves behind when it is killed.
func (p *Program) command(temp string) *exec.Cmd {
	cmd := exec.Command(p.Binary, "-test.run="+p.Pattern, "-test.count=1", "-test.timeout=0")
	cmd.Dir = p.Dir
	env := p.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(append([]string{}, env...), "TMPDIR="+temp)
	return cmd
}

// digest is that of the sources and of the conditions under which the test is shown: the same choices lead elsewhere
// under others.
func (p *Program) digest(a *byhand.About) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", a.Conditions, a.Seed))
	return p.Digest + "-" + hex.EncodeToString(sum[:3])
}

func (p *Program) hello(explore bool) byhand.Hello {
	return byhand.Hello{Test: p.Test, Ordinal: p.Ordinal, Explore: explore}
}
