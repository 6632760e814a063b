//go:build unix

package swarm

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// A process of a worker that hangs is killed, and what it had is executed by another one.
func TestHangingProcess(t *testing.T) {
	t.Parallel()
	s := served(t)
	nc := connected(t, s, "agent")
	agentOf(t, nc, func(a *Agent) { a.Patience = 2 * time.Second })
	file := filepath.Join(t.TempDir(), "hung")
	r := runOf(t, "hangs", nil)
	r.Manifest.Env = append(r.Manifest.Env, "REHEARSE_TEST_HANG="+file)
	succeeds(t, connected(t, s, "coordinator"), packed(t, r), "hangs")
	if _, err := os.Stat(file); err != nil {
		t.Error("nothing hung")
	}
}

// A machine that hangs loses its task to another one; what it answers later does not count.
func TestHangingAgent(t *testing.T) {
	if !whole(t) {
		return
	}
	t.Parallel()
	folder := t.TempDir()
	s, err := broker.Start(broker.Options{Folder: filepath.Join(folder, "server")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := &player{role: "agent1"}
	p.start(t, folder, "0", "pi9")
	defer p.kill()
	hung := make(chan struct{})
	go func() {
		time.Sleep(1500 * time.Millisecond) // it has a task by then, mostly
		_ = p.cmd.Process.Signal(syscall.SIGSTOP)
		close(hung)
		time.Sleep(3 * time.Second)
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
	}()
	agentOf(t, connected(t, s, "agent"), func(*Agent) {})
	succeeds(t, connected(t, s, "coordinator"), runOf(t, "pi9", nil), "pi9")
	<-hung
}

// A process that hangs does not keep a worker from ending, though nobody had set how long a task may take.
func TestHangingProcessIsLeft(t *testing.T) {
	t.Parallel()
	s := served(t)
	ctx, cancel := context.WithCancel(t.Context())
	file := filepath.Join(t.TempDir(), "hung")
	a := &Agent{Name: "agent", Hands: 1, Cache: t.TempDir(), Tool: "test", End: time.Second / 2}
	nc := connected(t, s, a.Name)
	ended := make(chan error, 1)
	go func() {
		go func() { ended <- a.Serve(ctx, nc) }()
		for range 600 {
			if _, err := os.Stat(file); err == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		cancel()
	}()
	r := runOf(t, "hangs", nil)
	r.Manifest.Env = append(r.Manifest.Env, "REHEARSE_TEST_HANG="+file)
	out := &output{}
	r = packed(t, r)
	r.Out, r.Err, r.Progress.W = out, out, out
	if _, err := r.Coordinate(ctx, connected(t, s, "coordinator")); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v\n%s", err, out)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the worker goes on")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("nothing hung")
	}
}
