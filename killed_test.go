//go:build linux

package rehearse_test

// This file kills workers and coordinators. The children of a process, and what it does, are looked up in /proc.

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
)

// killed are the names of those that tests kill: every third one, with REHEARSE_TOY all; under the race detector, whose
// processes take ten times as long, one.
func killed() []string {
	names := sampled(slices.Sorted(maps.Keys(large)))
	if testing.Short() {
		names = names[:1]
	}
	return names
}

// whole has what undisturbed explored.
var whole = map[string]string{}

// undisturbed gives what one process explores of a large program. It does so once.
func undisturbed(t *testing.T, name string) string {
	t.Helper()
	if whole[name] == "" {
		whole[name] = explored(t, rehearse.Config{Strategy: strategyOf(name), Budget: "unlimited"}, large[name]())
	}
	return whole[name]
}

// children lists the child processes of this one.
func children(t *testing.T, pid int) []int {
	t.Helper()
	var pids []int
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, l := range lists {
		b, _ := os.ReadFile(l)
		for _, f := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(f); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

// TestWorkersAreKilled: workers are killed at random moments, and nothing is lost or counted twice.
func TestWorkersAreKilled(t *testing.T) {
	var kills atomic.Int32
	for i, name := range killed() {
		want := undisturbed(t, name)
		cfg := rehearse.Config{Strategy: strategyOf(name), Budget: "unlimited", Workers: 2}
		for seed := range uint64(1) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			stop, stopped := make(chan bool), make(chan bool)
			go func() {
				defer close(stopped)
				// One kill: on a slow machine a second one might hit the same execution before it has begun, which is then deadly.
				// Of the first program as soon as there is a worker, which no machine is too fast or too slow for.
				for pause := time.Duration(i*rnd.IntN(100)) * time.Millisecond; ; pause = time.Millisecond {
					select {
					case <-stop:
						return
					case <-time.After(pause):
					}
					if pids := children(t, os.Getpid()); len(pids) > 0 &&
						syscall.Kill(pids[rnd.IntN(len(pids))], syscall.SIGKILL) == nil {
						kills.Add(1)
						return
					}
				}
			}()
			got := explored(t, cfg, large[name]())
			close(stop)
			<-stopped
			if got != want {
				t.Errorf("%s, seed %d: %s\nwant %s", name, seed, got, want)
			}
		}
	}
	if kills.Load() == 0 {
		t.Error("no worker was killed")
	}
	t.Logf("%d workers were killed", kills.Load())
}

// TestCoordinatorIsKilled: whatever is killed and how often, the file has everything that counted, and its workers do
// not outlive it.
func TestCoordinatorIsKilled(t *testing.T) {
	kills := 0
	for _, name := range killed() {
		want := undisturbed(t, name)
		for seed := range uint64(1) {
			rnd := rand.New(rand.NewPCG(seed, 9))
			dir, temporary, got := t.TempDir(), t.TempDir(), ""
			for round := range 100 {
				cmd, out := explorer(t, "large:"+name, "REHEARSE_RESUME="+dir, "TMPDIR="+temporary)
				lines := 2 + rnd.IntN(4)
				if round >= 4 {
					lines = math.MaxInt
				}
				workers, was, err := killAt(t, cmd, dir, lines)
				if was {
					kills++
				}
				if err == nil {
					got = resultLine(out.String())
					break
				}
				if strings.Contains(out.String(), "FAIL") {
					t.Fatalf("%s, seed %d:\n%s", name, seed, out)
				}
				gone(t, workers)
				if rnd.IntN(2) == 0 {
					tear(t, dir, rnd)
				}
			}
			if got != want {
				t.Errorf("%s, seed %d: %q\nwant %s", name, seed, got, want)
			}
			empty(t, temporary)
		}
	}
	if kills == 0 {
		t.Error("no coordinator was killed")
	}
	t.Logf("%d coordinators were killed", kills)
}

// killAt kills a coordinator when the file of its exploration has so many lines, and gives the workers that it had
// then. err says how it ended, which it may do before that. It is halted first, so that it starts no other worker
// meanwhile.
func killAt(t *testing.T, cmd *exec.Cmd, dir string, lines int) (workers []int, was bool, err error) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for ; ; time.Sleep(time.Millisecond) {
		select {
		case err := <-ended:
			return nil, false, err
		default:
		}
		if linesIn(t, dir) < lines || cmd.Process.Signal(syscall.SIGSTOP) != nil {
			continue
		}
		for state(cmd.Process.Pid) != "T" && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		workers = children(t, cmd.Process.Pid)
		was = cmd.Process.Kill() == nil
		return workers, was, <-ended
	}
}

// linesIn counts the lines of the file of the exploration that is kept in a folder.
func linesIn(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	files, _ := filepath.Glob(filepath.Join(dir, "*.exploration"))
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n += strings.Count(string(b), "\n")
	}
	return n
}

// state is the letter that the system has for what a process does, "" if there is none.
func state(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return rest[:min(1, len(rest))]
}

// gone waits until these processes have ended.
func gone(t *testing.T, pids []int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		alive := slices.DeleteFunc(slices.Clone(pids), func(pid int) bool {
			s := state(pid)
			return s == "" || s == "Z" // of a zombie somebody else takes care
		})
		if len(alive) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("workers %v outlive their coordinator", alive)
		}
	}
}

// tear appends a part of a line, as a process leaves it that is killed while it writes.
func tear(t *testing.T, dir string, rnd *rand.Rand) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.exploration"))
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
		last := lines[len(lines)-1]
		if err := os.WriteFile(path, append(b, last[:rnd.IntN(len(last))]...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
