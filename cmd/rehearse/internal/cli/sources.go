package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// What reads sources is a command of its own, so that who only runs tests does not build it: half of what rehearse
// would else be made of. It is called as part of this one, and its flags, help and exit codes are its own.

// sources are the commands that it does.
var sources = []Command{
	{Name: "graph", Short: "draw who creates whom and who sends what to whom, from the source"},
	{Name: "facts", Short: "write down what handlers read, write and send, so that fewer executions are needed"},
	{Name: "vet", Short: "check that actors share nothing and do nothing that exploring cannot see"},
	{Name: "summary", Short: "tell what handlers do on each path: conditions, changes, messages, panics"},
	{Name: "generate", Short: "write tests of handlers: a test for each way through them"},
	{Name: "target", Short: "find messages and an order that reach a line, and write the test that shows it"},
	{Name: "fill", Short: "write tests that reach what the tests of actors leave out"},
}

// sourceCommand is its name, sourcePackage where it is.
const (
	sourceCommand = "rehearse-source"
	sourcePackage = "github.com/rehearse-go/rehearse/cmd/rehearse/" + sourceCommand
)

// Protocol is how the two know each other: both have to be of one version.
func Protocol() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && !strings.Contains(info.Main.Version, "+dirty") {
		version = info.Main.Version
	}
	return "-of=" + version + "/" + facts.Analysis
}

// AsVetTool reports whether go vet calls this command as its tool: to ask for its version or flags, or to check one
// package.
func AsVetTool(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg"))
}

// delegate has the command for sources do what it is for, and gives its exit code.
func delegate(s Streams, args []string) int {
	name := args[0]
	if AsVetTool(args) {
		name = "vet"
	}
	code, err := runSource("", s, args)
	if err != nil {
		fmt.Fprintf(s.Err, "rehearse %s: %v\n", name, err)
		return ExitError
	}
	return code
}

// runSource runs it in a folder.
func runSource(dir string, s Streams, args []string) (int, error) {
	path, err := findSource(!AsVetTool(args))
	if err != nil {
		return ExitError, err
	}
	cmd := exec.Command(path, append([]string{Protocol()}, args...)...)
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

// findSource looks for it beside this program. Then it builds it, if the module of both is at hand: in a checkout, or
// in a module that requires it as a tool. At last it looks for it in PATH. As a tool of go vet, which runs in the
// folders of all packages, it is not built.
func findSource(build bool) (string, error) {
	name := sourceCommand
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	built := errors.New("go vet runs it everywhere")
	if build {
		var path string
		if path, built = buildSource(name); built == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(sourceCommand); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("the command %s, which reads sources, is neither beside this one nor in PATH, and cannot be "+
		"built here (%w); install both: go install %s %s",
		sourceCommand, built, strings.TrimSuffix(sourcePackage, "/"+sourceCommand), sourcePackage)
}

// buildSource builds it from the module that the current folder is in, or that this one requires. What has not changed
// is not built again.
func buildSource(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", sourcePackage).Output()
	if err != nil {
		return "", errors.New("no module at hand has it")
	}
	dir := filepath.Join(cache, "rehearse", "bin", strings.Map(inFileName, strings.TrimSpace(string(out))))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if text, err := exec.Command("go", "build", "-o", path, sourcePackage).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	return path, nil
}

// inFileName makes one name of a path.
func inFileName(r rune) rune {
	if r == '/' || r == '\\' || r == ':' {
		return '-'
	}
	return r
}
