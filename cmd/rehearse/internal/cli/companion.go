package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/command"
)

// Some commands are programs of their own, so that who only runs tests does not build what these link. The analyses of
// sources are half of what rehearse would else be made of, and a broker is as much again. Such a companion is called as
// part of this one, and its flags, help and exit codes are its own.

// companion is one of them.
type companion struct {
	name, module string // the program is the package of that name below the module
	does         string // as in: it does something
	asks         bool   // it is worth building to complete a command line
	commands     []Command
}

var sourceCompanion = &companion{name: "rehearse-source", module: "github.com/rehearse-go/rehearse/cmd/rehearse",
	does: "reads sources", asks: true, commands: []Command{
		{Name: "graph", Short: "draw who creates whom and who sends what to whom, from the source"},
		{Name: "facts", Short: "write down what handlers read, write and send, so that fewer executions are needed"},
		{Name: "vet", Short: "check that actors share nothing and do nothing that exploring cannot see"},
		{Name: "summary", Short: "tell what handlers do on each path: conditions, changes, messages, panics"},
		{Name: "generate", Short: "write tests of handlers: a test for each way through them"},
		{Name: "target", Short: "find messages and an order that reach a line, and write the test that shows it"},
		{Name: "fill", Short: "write tests that reach what the tests of actors leave out"},
	}}

var swarmCompanion = &companion{name: "rehearse-swarm", module: "github.com/rehearse-go/rehearse/scale",
	does: "shares an exploration among machines", commands: []Command{
		{Name: "swarm", Short: "share one exploration among the machines of a job"},
		{Name: "worker", Short: "work on the jobs of a swarm, on this machine"},
	}}

var companions = []*companion{sourceCompanion, swarmCompanion}

// whose gives the companion that does a command, nil if this program does it.
func whose(name string) *companion {
	for _, c := range companions {
		for i := range c.commands {
			if c.commands[i].Name == name {
				return c
			}
		}
	}
	return nil
}

// path is what go install is told.
func (c *companion) path() string { return c.module + "/" + c.name }

// AsVetTool reports whether go vet calls this command as its tool: to ask for its version or flags, or to check one
// package.
func AsVetTool(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg"))
}

// delegate has a companion do what it is for, and gives its exit code. help NAME is of the one that does NAME.
func delegate(s Streams, args []string) int {
	name := args[0]
	if name == "help" {
		name = args[1]
	}
	if AsVetTool(args) {
		name = "vet"
	}
	return whose(name).do(s, name, args)
}

// do has the companion do something on behalf of a command, and gives its exit code.
func (c *companion) do(s Streams, name string, args []string) int {
	code, err := c.run("", s, args)
	if err != nil {
		fmt.Fprintf(s.Err, "rehearse %s: %v\n", name, err)
		return ExitError
	}
	return code
}

// run runs it in a folder.
func (c *companion) run(dir string, s Streams, args []string) (int, error) {
	path, err := c.find(!AsVetTool(args))
	if err != nil {
		return ExitError, err
	}
	self, err := os.Executable()
	if err != nil {
		return ExitError, err
	}
	cmd := exec.Command(path, command.HandOn(command.Caller{Path: self, Called: howCalled()}, args)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, os.Stdin, s.Out, s.Err
	err = runToItsEnd(cmd)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	return ExitOK, err
}

// runToItsEnd runs a command that may have something to tell when it is interrupted. An interrupt from the keyboard
// reaches it anyhow; what ends only this process is passed on.
func runToItsEnd(cmd *exec.Cmd) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGTERM {
					cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	return cmd.Wait()
}

// find looks for it beside this program. Then it builds it, if the module of both is at hand: in a checkout, or in a
// module that requires it as a tool. At last it looks for it in PATH. As a tool of go vet, which runs in the folders of
// all packages, it is not built.
func (c *companion) find(build bool) (string, error) {
	if beside, ok := c.beside(); ok {
		return beside, nil
	}
	built := errors.New("go vet runs it everywhere")
	if build {
		var path string
		if path, built = c.build(); built == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(c.name); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("the command %s, which %s, is neither beside this one nor in PATH, and cannot be built here "+
		"(%w); install it with this one: go install %s %s", c.name, c.does, built, sourceCompanion.module, c.path())
}

// tellCompanion tells another companion where one is. It is no command of the user's.
func tellCompanion(s Streams, names []string) int {
	for _, c := range companions {
		if len(names) != 1 || c.name != names[0] {
			continue
		}
		path, err := c.find(true)
		if err != nil {
			fmt.Fprintln(s.Err, "rehearse:", err)
			return ExitError
		}
		fmt.Fprintln(s.Out, path)
		return ExitOK
	}
	fmt.Fprintf(s.Err, "rehearse: %q is no part of it\n", names)
	return ExitError
}

// isThere reports whether it need not be built.
func (c *companion) isThere() bool {
	_, ok := c.beside()
	_, err := exec.LookPath(c.name)
	return ok || err == nil
}

func (c *companion) beside() (string, bool) {
	self, err := os.Executable()
	if err != nil {
		return "", false
	}
	path := filepath.Join(filepath.Dir(self), c.file())
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}

// file is what its binary is called.
func (c *companion) file() string {
	if runtime.GOOS == "windows" {
		return c.name + ".exe"
	}
	return c.name
}

// build builds it from the module that the current folder is in, or that this one requires. What has not changed is not
// built again.
func (c *companion) build() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", c.path()).Output()
	if err != nil {
		return "", errors.New("no module at hand has it")
	}
	dir := filepath.Join(cache, "rehearse", "bin", strings.Map(inFileName, strings.TrimSpace(string(out))))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(dir, c.file())
	args := append(append([]string{"build"}, stamp(command.Version())...), "-o", path, c.path())
	if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	return path, nil
}

// stamp are the flags with which a companion of the same version is built. Go writes the version of a repository into
// what go build makes, and not into what go run makes, as this program may be.
func stamp(version string) []string {
	if strings.HasPrefix(version, "(devel)") {
		return []string{"-buildvcs=false"}
	}
	return nil
}

// inFileName makes one name of a path.
func inFileName(r rune) rune {
	if r == '/' || r == '\\' || r == ':' {
		return '-'
	}
	return r
}
