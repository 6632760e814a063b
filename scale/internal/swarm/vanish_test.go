//go:build unix

package swarm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// felled has a swarm explore the program that takes its machine down, most times at most. It gives what the run says,
// and how often that was.
func felled(t *testing.T, most int) (text string, times int) {
	t.Helper()
	out := &output{}
	r := runOf(t, "fells", out)
	file := filepath.Join(t.TempDir(), "fells")
	r.Manifest.Env = append(r.Manifest.Env, "REHEARSE_TEST_FELLS="+file, fmt.Sprint("REHEARSE_TEST_FELLS_MOST=", most))
	r = packed(t, r)
	outlived(t, r, r.Coordinate, out)
	fells, _ := os.ReadFile(file)
	return out.String(), len(fells)
}

// outlived has a run come to its end, by agents that are taken down. A new one comes whenever one is gone.
func outlived(t *testing.T, r *Run, run func(context.Context, *nats.Conn) (int, error), out *output) {
	t.Helper()
	folder := t.TempDir()
	s, err := broker.Start(broker.Options{Folder: filepath.Join(folder, "server")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r.Streams.AckWait, r.Streams.Alive = time.Second/2, time.Second
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	nc := connected(t, s, "coordinator")
	go func() {
		code, err := run(ctx, nc)
		if err == nil && code != 0 {
			err = fmt.Errorf("exit code %d", code)
		}
		ended <- err
	}()
	for n := 1; ; n++ {
		p := &player{role: fmt.Sprint("agent", n)}
		p.start(t, folder, "0", "fells")
		select {
		case <-p.over:
		case err := <-ended:
			p.kill()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			return
		}
	}
}

// Who has begun an execution and is alive may survive it: others wait for that. When so many are not, it is convicted.
func TestWaitsForWhoIsAlive(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	h := explorer{notes: notes{ctx: t.Context(), ends: t.Context(), agent: &Agent{Name: "me"}, job: j}}
	for i := range mostVanished {
		name := fmt.Sprint("worker", i)
		_, err := j.Begin(t.Context(), "t3", name)
		if err == nil && i == 1 {
			err = j.Beat(t.Context(), name, []byte("{}"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, err := h.again("t3", seedTask()); !errors.Is(err, errLater) {
		t.Errorf("%v, %v: want that it waits", r, err)
	}
	if err := j.Bye(t.Context(), "worker1"); err != nil {
		t.Fatal(err)
	}
	task := seedTask()
	r, err := h.again("t3", task)
	if err != nil || r.Closes(task) != nil {
		t.Fatalf("%v, %v", r, err)
	}
	if r.Deadly != 5 || len(r.New) != 1 || string(r.New[0].Rest) != "r" || r.Tasks[0].Suspected() ||
		len(r.Found) != 1 || !strings.Contains(r.Found[0].Violation.Text, "(workers worker0, worker1, worker2)") {
		t.Errorf("%+v", r)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	h.ctx = cancelled
	data, err := encodeTask(task)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.perform(&streams.Task{Name: "t9", Data: data, Deliveries: 2}); !errors.Is(err, errStopped) {
		t.Errorf("%v: want that the task is given back", err)
	}
}

// One machine may have begun a task in several processes. When it vanishes that is one machine.
func TestVanishesOnce(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	h := explorer{notes: notes{ctx: t.Context(), ends: t.Context(), agent: &Agent{Name: "me"}, job: j}}
	for _, name := range []string{"one", "two", "one", "one"} {
		if _, err := j.Begin(t.Context(), "t3", name); err != nil {
			t.Fatal(err)
		}
	}
	if begun, vanished, err := h.vanished("t3"); begun != 2 || len(vanished) > 0 || err != nil {
		t.Errorf("%d have begun it, %v have vanished, %v", begun, vanished, err)
	}
}

// An execution that takes down every machine that makes it is a finding, and the rest is explored.
func TestExecutionTakesMachinesDown(t *testing.T) {
	t.Parallel()
	out, times := felled(t, 100)
	for _, want := range []string{"complete false, 119 executions",
		"3 machines vanished or fell silent in the middle of this execution (workers agent"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	// Nobody suspects it the first time, nor when its task is small.
	if times <= mostVanished || times > 4*mostVanished {
		t.Errorf("%d machines were taken down", times)
	}
}

// A target whose search takes down every machine is given up, and the others of its task are searched for. One that
// machines die of, and others survive, is searched for to the end.
func TestTargetTakesMachinesDown(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	deadly, harmless := filepath.Join(folder, "deadly"), filepath.Join(folder, "harmless")
	names := targetNames(16, "first", "fells:100:"+deadly, "second", fmt.Sprintf("fells:%d:%s", mostVanished, harmless))
	out := &output{}
	r, err := newTargets(t.TempDir(), names, out)
	if err != nil {
		t.Fatal(err)
	}
	outlived(t, r, r.ShareTargets, out)
	for file, want := range map[string]int{deadly: mostVanished + 1, harmless: mostVanished} {
		if fells, err := os.ReadFile(file); len(fells) != want || err != nil {
			t.Errorf("%s: %d machines were taken down, want %d, %v", filepath.Base(file), len(fells), want, err)
		}
	}
	text := out.String()
	const gaveUp = `"verdict":"gave up","why":"3 machines vanished or fell silent in the middle of the search for it ` +
		`(workers agent`
	if !strings.Contains(text, gaveUp) || !strings.Contains(text, toldOf(names[:1])) ||
		!strings.Contains(text, toldOf(names[2:])) || strings.Count(text, "TOLD") != len(names) {
		t.Errorf("want that one target is given up\n%s", text)
	}
}

// Who has begun the search for a target and is alive may survive it: nothing of the task is searched for meanwhile.
func TestTargetsWaitForWhoIsAlive(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	s := &searcher{notes: notes{ctx: t.Context(), ends: t.Context(), agent: &Agent{Name: "me"}, job: j}, stopped: true}
	for i := range mostVanished {
		name := fmt.Sprint("worker", i)
		_, err := j.Begin(t.Context(), noteOf("t4", 6), name)
		if err == nil && i == 1 {
			err = j.Beat(t.Context(), name, []byte("{}"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.again("t4", []int{4, 5, 6, 7}); !errors.Is(err, errLater) {
		t.Errorf("%s, %v: want that it waits", got, err)
	}
	if got, err := s.again("t4", []int{4, 5}); !errors.Is(err, errStopped) {
		t.Errorf("%s, %v: want that the others are searched for", got, err)
	}
}

// One that machines die of, and others survive, is none.
func TestMachinesAreKilledInnocently(t *testing.T) {
	t.Parallel()
	out, times := felled(t, mostVanished)
	if want := "RESULT " + alone(t, "fells"); times != mostVanished || !strings.Contains(out, want) {
		t.Errorf("%d machines were taken down\n%s\nwant %s", times, out, want)
	}
}
