package protoactor_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// Programs that do what they should not. Each runs in a process of its own, since some hang, exit or die, and what
// Check prints is what counts: what is wrong and where.

// hostile are the programs by name; the files by topic fill it.
var hostile = map[string]func(*testing.T){}

// hostileVar names the program that a child process runs.
const hostileVar = "REHEARSE_TEST_HOSTILE"

// hostileLimit ends a child that hangs. It is far from what any of them takes.
const hostileLimit = 2 * time.Minute

// TestHostileProgram is the user's test of the child process; a process that is no child has nothing to run here.
func TestHostileProgram(t *testing.T) {
	if name := os.Getenv(hostileVar); name != "" {
		hostile[name](t)
		fmt.Println("the test goes on")
	}
}

// TestNextTest shows that the process of a hostile program goes on with other tests.
func TestNextTest(t *testing.T) {
	if os.Getenv(hostileVar) != "" {
		fmt.Println("the process goes on")
	}
}

// verdict is how a child process ended.
type verdict struct {
	out    string
	failed bool
}

// child runs a hostile program in a process of its own, in dir or a fresh one.
func child(t *testing.T, name, dir string, env ...string) verdict {
	t.Helper()
	if hostile[name] == nil {
		t.Fatalf("there is no program %q", name)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		dir = t.TempDir()
	}
	limited, cancel := context.WithTimeout(t.Context(), hostileLimit)
	defer cancel()
	cmd := exec.CommandContext(limited, exe, "-test.run=^(TestHostileProgram|TestNextTest)$", "-test.timeout=0")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), hostileVar+"="+name, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HOME="+dir)
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if limited.Err() != nil {
		t.Fatalf("%s hangs; so far it printed:\n%s", name, out.String())
	}
	return verdict{out.String(), err != nil}
}

// has reports what is not in the output.
func (v verdict) has(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(v.out, part) {
			t.Errorf("want %q in:\n%s", part, v.out)
			return
		}
	}
}

// lacks reports what is in the output and should not be.
func (v verdict) lacks(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(v.out, part) {
			t.Errorf("want no %q in:\n%s", part, v.out)
			return
		}
	}
}

// ping is a message; whoever gets it may do something hostile.
type ping struct{ n int }

// quick is a Config of few executions.
func quick() rehearse.Config { return rehearse.Config{Budget: "20x", Strategy: "random"} }

// blocking is quick for programs that wait for ever. The time that they may take passes when they call hangs, and not
// before: no machine is too slow for what they do until then.
func blocking() (c rehearse.Config, hangs func()) {
	c = quick()
	c.Blocked = 500 * time.Millisecond
	hangs, _ = goroutine.Hang() // for as long as the process lives
	return c, hangs
}

// does is a system with one actor, "victim", that gets n pings and does as told with each.
func does(n int, handle func(t *rehearse.T, ctx actor.Context, m ping)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		pid := spawnFunc(root, "victim", func(ctx actor.Context) {
			if m, ok := ctx.Message().(ping); ok {
				handle(t, ctx, m)
			}
		})
		for i := range n {
			root.Send(pid, ping{i})
		}
	})
}

// spawnFunc makes a named actor of a function.
func spawnFunc(s actor.SpawnerContext, name string, f func(actor.Context)) *actor.PID {
	pid, err := s.SpawnNamed(actor.PropsFromFunc(f), name)
	if err != nil {
		panic(err)
	}
	return pid
}
