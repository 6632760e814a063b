package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/cli"
)

// dirVariable names the folder of the package that is built.
const dirVariable = "REHEARSE_TEST_DIR"

// tillVariable names the binary of the test of package till.
const tillVariable = "REHEARSE_TEST_TILL"

// TestMain is also the rehearse that builds tests: what it builds is the test of package till.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == command.BuildTest && os.Args[2] == "-o" {
		os.Exit(built(os.Args[3]))
	}
	temp, err := os.MkdirTemp("", "rehearse-till")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Setenv(tillVariable, filepath.Join(temp, "till.test"))
	code := m.Run()
	os.RemoveAll(temp)
	os.Exit(code)
}

func built(out string) int {
	err := os.Symlink(os.Getenv(tillVariable), out)
	dir := os.Getenv(dirVariable)
	told := json.NewEncoder(os.Stdout).Encode(command.Built{Package: "example.com/till", Dir: dir, Root: dir})
	if errors.Join(err, told) != nil {
		return 2
	}
	return 0
}

// till builds the test of package till once.
var till = sync.OnceValue(func() error {
	out, err := exec.Command("go", "test", "-c", "-o", os.Getenv(tillVariable), "./till").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

// place makes a folder for the package, and one for what is cached.
func place(t *testing.T) {
	t.Helper()
	if err := till(); err != nil {
		t.Fatal(err)
	}
	t.Setenv(dirVariable, t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// programVariable says what the test of package till does, and beganVariable names a file that its handlers make, which
// then take a while. They travel, so that workers know.
const (
	programVariable = "REHEARSE_TEST_PROGRAM"
	beganVariable   = "REHEARSE_TEST_BEGAN"
)

// all is what is said of it in whole. How many deliveries there are depends on how it is divided.
const all = "complete: 24 executions, "

var inTasks = regexp.MustCompile(` repeats, \d+ tasks? \(`)

// ask runs a command line with everything that does it.
func ask(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = cli.Main(command.HandOn(command.Caller{Path: self, Called: "rehearse"}, args),
		command.Streams{Out: &o, Err: &e}, does)
	return o.String(), e.String(), code
}

// One command explores with processes of this machine, and says what one process says.
func TestWhole(t *testing.T) {
	place(t)
	t.Setenv(programVariable, "passes")
	store := t.TempDir()
	args := []string{"swarm", "-store", store, "-workers", "2", "-strategy", "reverse", "-budget", "unlimited", "-run",
		"^TestProgram$", "-env", programVariable, "./till"}
	out, errs, code := ask(t, args...)
	if code != command.ExitOK || !strings.HasPrefix(errs, "rehearse swarm: building the test of ./till\n") ||
		!strings.Contains(out, all) || !inTasks.MatchString(out) {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	if out, errs, code := ask(t, "swarm", "status", "-store", store); code != command.ExitOK ||
		out != "there are no jobs\n" {
		t.Errorf("status: %d\n%s\n%s", code, out, errs)
	}
	t.Setenv(programVariable, "fails")
	out, errs, code = ask(t, append([]string{"swarm", "-json", "-first"}, args[1:]...)...)
	if code != command.ExitFound || !strings.Contains(errs, "the sum is 7") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	found, answered := false, 0.0
	for line := range strings.Lines(out) {
		var told map[string]any // progress has a job, a result its reason
		if err := json.Unmarshal([]byte(line), &told); err != nil || told["job"] == nil && told["reason"] == nil {
			t.Errorf("%q: %v", line, err)
		}
		findings, _ := told["findings"].([]any)
		tasks, _ := told["tasks"].(float64)
		if told["reason"] == "found" && len(findings) == 1 { // the last line
			found = tasks > 0 && tasks == answered
		}
		answered = tasks
	}
	if !found {
		t.Errorf("no record of the finding, or not of the tasks of the line before, in %s", out)
	}
}

// A worker that trusts the key works on a job that was signed with it, by way of the folder of the server.
func TestWorkerWorks(t *testing.T) {
	place(t)
	seed := filepath.Join(t.TempDir(), "seed")
	public, err := bundle.NewKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(programVariable, "passes")
	store := t.TempDir()
	s, err := broker.Start(broker.Options{Folder: store})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := strings.Replace(s.Access().URL, "nats://", "nats://"+s.Access().Token+"@", 1)
	var both sync.WaitGroup
	both.Go(func() {
		_, errs, code := ask(t, "worker", "-store", store, "-trust", public, "-workers", "2", "-once")
		if code != command.ExitOK || !strings.Contains(errs, "TestProgram") {
			t.Errorf("worker: %d\n%s", code, errs)
		}
	})
	out, errs, code := ask(t, "swarm", "-nats", url, "-sign", seed, "-workers", "0", "-strategy", "reverse", "-run",
		"^TestProgram$", "-env", programVariable, "./till")
	if code != command.ExitOK || !strings.Contains(out, all) {
		t.Errorf("swarm: %d\n%s\n%s", code, out, errs)
	}
	both.Wait()
	out, errs, code = ask(t, "swarm", "status", "-store", store)
	if code != command.ExitOK || out != "there are no jobs\n" {
		t.Errorf("status: %d\n%s\n%s", code, out, errs)
	}
	if strings.Contains(errs, s.Access().Token) {
		t.Error("the token is shown")
	}
}

// Explorations that are no Checks are shared, too, and their results are the test's. Where nothing is shared, that is
// said.
func TestExplored(t *testing.T) {
	place(t)
	store := t.TempDir()
	for _, c := range []struct {
		test, program string
		code          int
		out, errs     string
	}{
		{"Explore", "passes", command.ExitOK, all, ""},
		{"Alone", "passes", command.ExitOK, "PASS", "rehearse swarm: nothing was shared: what the tests had to do was done"},
		{"Alone", "untold", command.ExitError, "PASS", "rehearse swarm: nothing was shared: no test that -run matches calls"},
		{"None", "passes", command.ExitError, "PASS", "rehearse swarm: nothing was shared: no test that -run"},
	} {
		t.Setenv(programVariable, c.program)
		out, errs, code := ask(t, "swarm", "-store", store, "-workers", "1", "-env", programVariable, "-run",
			"^Test"+c.test+"$", "./till")
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) ||
			c.errs == "" && strings.Contains(errs, "nothing") {
			t.Errorf("%s, %s: %d\n%s\n%s", c.test, c.program, code, out, errs)
		}
	}
}

// What cannot be divided is refused with what to choose.
func TestUndivided(t *testing.T) {
	place(t)
	t.Setenv(programVariable, "passes")
	out, errs, code := ask(t, "swarm", "-store", t.TempDir(), "-workers", "1", "-strategy", "source", "-run",
		"^TestProgram$", "-env", programVariable, "./till")
	if code != command.ExitError || !strings.Contains(out, "source") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
}

// A test whose processes die before they explore anything is no finding: what they said is told, and the exit code is
// that of an error.
func TestDies(t *testing.T) {
	place(t)
	t.Setenv(programVariable, "dies")
	out, errs, code := ask(t, "swarm", "-store", t.TempDir(), "-workers", "1", "-run", "^TestProgram$", "-env",
		programVariable, "./till")
	if code != command.ExitError || !strings.Contains(out, "my file is not there") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
}

// That there was nothing to discard is said: the name may be mistyped.
func TestNothingIsDiscarded(t *testing.T) {
	_, errs, code := ask(t, "swarm", "stop", "-store", t.TempDir(), "-discard", "nigth")
	if code != command.ExitOK || !strings.HasPrefix(errs, "rehearse swarm: job nigth: the server has no such job") {
		t.Errorf("%d, %s", code, errs)
	}
}

// A job that was stopped says so. Where nobody came to work at it, nobody says that the test has nothing to explore.
func TestStopped(t *testing.T) {
	place(t)
	t.Setenv(programVariable, "passes")
	s, err := broker.Start(broker.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := strings.Replace(s.Access().URL, "nats://", "nats://"+s.Access().Token+"@", 1)
	began := filepath.Join(t.TempDir(), "began")
	t.Setenv(beganVariable, began)
	for job, c := range map[string]struct {
		workers string
		code    int
		want    string
	}{
		"alone":  {"0", command.ExitError, "no machine of the swarm has executed anything"},
		"shared": {"1", command.ExitOK, "rehearse: stopped by rehearse swarm stop: "},
	} {
		ended, stops := make(chan struct{}), sync.WaitGroup{}
		stops.Go(func() {
			for over := false; !over; {
				info, err := os.Stat(began)
				if err == nil && info.Size() >= 12 || c.workers == "0" { // three executions have been made, of 24
					ask(t, "swarm", "stop", "-nats", url, job) // whoever begins may take one back that comes too early
				}
				select {
				case <-ended:
					over = true
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
		out, errs, code := ask(t, "swarm", "-nats", url, "-job", job, "-workers", c.workers, "-strategy", "naive",
			"-run", "^TestProgram$", "-env", programVariable, "-env", beganVariable, "./till")
		close(ended)
		stops.Wait()
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d\n%s\n%s", job, code, out, errs)
		}
	}
}

// When the server's store cannot be written all ends.
func TestEndWith(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan struct{})
	close(failed)
	endWith(ctx, failed, cancel)
	if ctx.Err() == nil {
		t.Error("it goes on")
	}
	endWith(ctx, nil, func() { t.Error("it is ended twice") })
}
