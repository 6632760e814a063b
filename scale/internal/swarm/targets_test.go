package swarm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// read is what a process does in the place of one that reads a program: its arguments are the targets. deadly... ends
// the process, once... the first one, fells... the agent too, broken... is an operating problem, and the others take
// 20 ms.
func read(value string) error {
	s, err := targets.Connect(value)
	if err != nil {
		return err
	}
	os.Unsetenv(targets.Variable)
	names := os.Args[1:]
	search := func(_ context.Context, numbers []int) (data []json.RawMessage, err error) {
		for _, n := range numbers {
			switch name := names[n]; {
			case strings.HasPrefix(name, "deadly"):
				panic("it is " + name)
			case strings.HasPrefix(name, "once"):
				// The folder of what is temporary is that of the hand.
				if f, err := os.OpenFile(filepath.Join(os.TempDir(), name), os.O_CREATE|os.O_EXCL, 0o666); err == nil {
					f.Close()
					os.Exit(5)
				}
			case strings.HasPrefix(name, "fells"):
				fell(name)
			case strings.HasPrefix(name, "broken"):
				return nil, fmt.Errorf("the disk is full")
			}
			time.Sleep(20 * time.Millisecond)
			data = append(data, fmt.Appendf(nil, `{"target":%q,"verdict":"covered"}`, names[n]))
		}
		return data, nil
	}
	return s.Serve(context.Background(), names, search, func(t *targets.Tell) error {
		for i, a := range t.Answers {
			fmt.Printf("TOLD %s %s %s\n", names[i], a, t.Why)
		}
		return nil
	})
}

// fell takes down the process and the agent that has started it. The name says how often at most, and the file that has
// a byte for each time: fells:3:/folder/file.
func fell(name string) {
	parts := strings.SplitN(name, ":", 3)
	most, _ := strconv.Atoi(parts[1])
	if before, _ := os.ReadFile(parts[2]); len(before) < most {
		_ = os.WriteFile(parts[2], append(before, '.'), 0o600)
		agent, _ := os.FindProcess(os.Getppid())
		_ = agent.Kill()
		os.Exit(6)
	}
}

// newTargets is a run of targets of those names.
func newTargets(dir string, names []string, out io.Writer) (*Run, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	contents, err := bundle.Collect(bundle.Source{Root: dir, Dir: dir, Package: "./till", Test: "-panics", Tool: "test",
		Binary: self, Args: names})
	if err != nil {
		return nil, err
	}
	return &Run{Manifest: contents.Manifest, Pack: contents.Pack, Binary: self, Args: names, Dir: dir, Env: os.Environ(),
		Out: out, Err: out, Progress: &Progress{W: out}, Streams: streams.Options{AckWait: 2 * time.Second,
			Alive: 10 * time.Second}}, nil
}

// targetNames are so many, of which some are others.
func targetNames(n int, others ...string) []string {
	names := slices.Clone(others)
	for i := len(names); i < n; i++ {
		names = append(names, fmt.Sprint("target", i))
	}
	return names
}

// toldOf is what is told of targets that are covered.
func toldOf(names []string) (lines string) {
	for _, name := range names {
		lines += fmt.Sprintf("TOLD %s {\"target\":%[1]q,\"verdict\":\"covered\"} \n", name)
	}
	return lines
}

func shared(t *testing.T, s *broker.Server, names []string) (out *output, err error) {
	t.Helper()
	out = &output{}
	r, err := newTargets(t.TempDir(), names, out)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	nc := connected(t, s, "coordinator")
	code, err := r.ShareTargets(ctx, nc)
	if err == nil && code != 0 {
		t.Errorf("exit code %d", code)
	}
	if left, failed := streams.List(ctx, nc); err == nil && (failed != nil || len(left) > 0) {
		t.Errorf("jobs are left: %v, %v", left, failed)
	}
	return out, err
}

// All targets are told of in their order, by however many processes they were searched for. A deadly one is told as
// such, and one that has killed a process once is searched for again.
func TestTargets(t *testing.T) {
	s := served(t)
	agents(t, s, 2, 1)
	for _, n := range []int{3, 150} {
		names := targetNames(n, "once", "deadly")
		out, err := shared(t, s, names)
		text := out.String()
		const died = `its search has ended the process 2 times: exit status 2: panic: it is deadly`
		if err != nil || !strings.Contains(text, toldOf(names[:1])) || !strings.Contains(text, toldOf(names[2:])) ||
			!strings.Contains(text, died) || strings.Count(text, "TOLD") != n {
			t.Errorf("%d targets: %v\n%s", n, err, text)
		}
	}
}

// Where no machine can search for a target, it is said why, and the job is kept.
func TestTargetsBroken(t *testing.T) {
	t.Parallel()
	s := served(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &Agent{Name: "agent", Hands: 1, Cache: t.TempDir(), Tool: "test"}
	nc := connected(t, s, a.Name)
	go func() { _ = a.Serve(ctx, nc) }()
	out, err := shared(t, s, targetNames(3, "broken"))
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || strings.Contains(out.String(), "TOLD") ||
		!strings.Contains(out.String(), "is kept: the same command goes on with it") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Agents and coordinator are killed while they work. Who goes on tells of all targets.
func TestTargetsKilled(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s, err := broker.Start(broker.Options{Folder: filepath.Join(folder, "server")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	names := targetNames(120)
	coordinator, agent := &player{role: "targets"}, &player{role: "agent1"}
	all := strings.Join(names, " ")
	for _, p := range []*player{coordinator, agent} {
		p.start(t, folder, "0", all)
	}
	defer agent.kill()
	nc := connected(t, s, "test")
	for kills := 0; ; {
		select {
		case err := <-coordinator.over:
			if err != nil || !strings.Contains(coordinator.out.String(), toldOf(names)) || kills < 2 {
				t.Errorf("%v, %d kills\n%s", err, kills, coordinator.out)
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
		list, err := streams.List(context.Background(), nc)
		if err != nil || len(list) != 1 || list[0].Results < 4*(kills+1) || kills == 2 {
			continue
		}
		p := []*player{agent, coordinator}[kills]
		p.kill()
		kills++
		p.start(t, folder, "0", all)
	}
}

// What came over the network is refused if it is none.
func TestTargetsRefused(t *testing.T) {
	for _, data := range []string{"", "null", "{}", `{"targets":[]}`, `{"targets":[3]}`, `{"targets":[-1]}`,
		`{"targets":[1,1]}`, `{"targets":[1],"x":1}`, `{"targets":[1]}1`, `{"targets":[0,1,2,0,1,2,0,1,2]}`,
		`{"targets":[1.5]}`} {
		if numbers, err := decodeSearch([]byte(data), 3); err == nil {
			t.Errorf("%s is %v", data, numbers)
		}
	}
	if numbers, err := decodeSearch([]byte(`{"targets":[0,2]}`), 3); err != nil || !slices.Equal(numbers, []int{0, 2}) {
		t.Errorf("%v, %v", numbers, err)
	}
	for _, answers := range [][]json.RawMessage{nil, {[]byte("1")}, {nil}, {[]byte("{}"), []byte("{}")}} {
		if checkAnswers(answers, 1) == nil {
			t.Errorf("%s are answers for one target", answers)
		}
	}
	for _, n := range []int{1, 31, 64, 1000} {
		var all []int
		for name, task := range searches(n) {
			if name != fmt.Sprint("t", task[0]) || len(task) > mostInTask {
				t.Errorf("task %s has %v", name, task)
			}
			all = append(all, task...)
		}
		slices.Sort(all)
		if len(all) != n || all[0] != 0 || all[n-1] != n-1 || targets.CheckNumbers(all, n) != nil {
			t.Errorf("of %d targets the tasks have %v", n, all)
		}
	}
}
