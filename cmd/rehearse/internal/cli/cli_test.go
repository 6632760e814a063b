package cli_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/source"
	"github.com/rehearse-go/rehearse/internal/command"
)

// TestMain lets the scripts run the command as `rehearse`.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rehearse":        func() { os.Exit(cli.Main(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr})) },
		"rehearse-source": func() { os.Exit(source.Main(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr})) },
		"rehearse-swarm":  func() { os.Exit(swarm(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr})) },
	})
}

// swarm stands for the companion of that name, which is in another module: it has a test built, runs it, and tells what
// it was handed.
func swarm(args []string, s cli.Streams) int {
	caller, args, ok := command.Begin("rehearse-swarm", args, s.Err)
	if !ok {
		return cli.ExitError
	}
	setup := func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		plain := fs.Bool("no-overlay", false, "build a plain test")
		return func(s cli.Streams, a cli.Arguments) int {
			flags := []string{"-o", "built.test"}
			if *plain {
				flags = append(flags, "-no-overlay")
			}
			built, err := caller.Build(context.Background(), s.Err, slices.Concat(flags, a.Operands, []string{"--"}, a.Rest))
			if err != nil {
				fmt.Fprintf(s.Err, "rehearse swarm: %v\n", err)
				return cli.ExitError
			}
			fmt.Fprintf(s.Out, "%s in %s of %s, as %q\n", built.Package, built.Dir, built.Root, caller.Called)
			cmd := exec.Command("./built.test", "-test.v")
			cmd.Stdout = s.Out
			if cmd.Run() != nil {
				return cli.ExitFound
			}
			return cli.ExitOK
		}
	}
	c := command.Companion{Name: "rehearse-swarm", Does: "shares an exploration among machines",
		Commands: []cli.Command{{Name: "swarm", Args: "PKG", Long: "Swarm is here.\n", Setup: setup}}}
	return c.Main(args, s)
}

// TestScripts runs the user stories in testdata/script: of the long ones the first part, up to the line of the
// condition all, with REHEARSE_TOY the whole. Five that take over half a minute have the condition most instead: they
// run with REHEARSE_TOY=2.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		// A folder of ours, because of its own testscript leaves an empty one behind.
		WorkdirRoot: t.TempDir(),
		Cmds:        map[string]func(*testscript.TestScript, bool, []string){"exitcode": exitCode},
		Condition: func(name string) (bool, error) {
			toy := os.Getenv("REHEARSE_TOY")
			switch name {
			case "all":
				return toy != "", nil
			case "most":
				return toy != "" && toy != "1", nil
			}
			return false, fmt.Errorf("unknown condition %q: want all or most", name)
		},
		Setup: func(env *testscript.Env) error {
			// The build cache and the module cache are the machine's own; everything else is the script's.
			home, err := os.UserCacheDir()
			if err != nil {
				return err
			}
			cache := os.Getenv("GOCACHE")
			if cache == "" {
				cache = filepath.Join(home, "go-build")
			}
			// Test binaries stay in a folder of the script: go test links one anew only if something in it has changed.
			linked := filepath.Join(env.WorkDir, ".linked")
			if err := os.Mkdir(linked, 0o777); err != nil {
				return err
			}
			// Memory is collected seldom: what the scripts start lives for moments.
			for k, v := range map[string]string{"GOGC": "400", "REHEARSE_ROOT": root, "GOCACHE": cache, "GOMODCACHE": modCache(),
				"GOWORK": "off", "GOFLAGS": "-mod=mod -vet=off -ldflags=-s -o=" + linked + string(filepath.Separator),
				"GOPROXY": os.Getenv("GOPROXY"), "GONOSUMDB": os.Getenv("GONOSUMDB"), "GOTOOLCHAIN": "local",
				"REHEARSE_TEST_OVERLAY": "off"} {
				env.Setenv(k, v)
			}
			return nil
		},
	})
}

// exitCode runs a command that must end with the given exit code: exitcode 2 rehearse test ./broken.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command [args]")
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

func modCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	gopath := os.Getenv("GOPATH")
	if gopath == "" {
		home, _ := os.UserHomeDir()
		gopath = filepath.Join(home, "go")
	}
	return filepath.Join(gopath, "pkg", "mod")
}
