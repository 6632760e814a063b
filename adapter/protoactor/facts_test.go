package protoactor_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/facts"
)

// chest and trunk put what they get on the left or on the right.
type (
	chest struct{ left, right int }
	trunk struct{ chest }

	leftwards  struct{ n *int }
	rightwards struct{ n *int }
)

func (c *chest) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case leftwards:
		c.left += *m.n
	case rightwards:
		c.right += *m.n
	case *int:
		*m = 5
	}
}

// chests sends each way to a chest and to a trunk, whose props are given.
func chests(props func(*actor.Props) *actor.Props, then func(*actor.ActorSystem, *actor.PID, *int)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		n := 1
		var to []*actor.PID
		t.SetUp(func() {
			to = append(to, s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &chest{} })))
			to = append(to, s.Root.Spawn(props(actor.PropsFromProducer(func() actor.Actor { return &trunk{} }))))
		})
		for _, pid := range to {
			s.Root.Send(pid, leftwards{&n})
			s.Root.Send(pid, rightwards{&n})
		}
		if then != nil {
			then(s, to[1], &n)
		}
	})
}

// chestFacts are what an analysis would say, in a file.
func chestFacts(t *testing.T) string {
	t.Helper()
	const pkg = "github.com/rehearse-go/rehearse/adapter/protoactor_test"
	f := &facts.File{Package: pkg, Tool: facts.Analysis, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, a := range []struct {
		name   string
		fields []string
		side   [2]string
	}{{"chest", []string{"left", "right"}, [2]string{"left", "right"}}, {"trunk", []string{"chest"}, [2]string{"chest.left", "chest.right"}}} {
		name := "protoactor_test." + a.name
		f.Actors = append(f.Actors, facts.Actor{Name: name, Package: pkg, Fields: a.fields, Framework: "protoactor"})
		for i, m := range []string{"leftwards", "rightwards"} {
			f.Handlers = append(f.Handlers, facts.Handler{Actor: name, Message: "protoactor_test." + m, At: "facts_test.go:27", Writes: []string{a.side[i]}})
		}
	}
	path := filepath.Join(t.TempDir(), "facts")
	if err := os.WriteFile(path, f.Marshal(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Facts count for programs of the framework. Those that cannot be relied on there are left out, one by one, and
// everything is as if they had never been.
func TestFacts(t *testing.T) {
	path := chestFacts(t)
	plain := func(p *actor.Props) *actor.Props { return p }
	watched := actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc { return next })
	for _, tt := range []struct {
		name       string
		sys        rehearse.System
		executions int // 4 without facts; the trunk has one field
		said       []string
	}{
		{"fit", chests(plain, nil), 2, []string{"facts of 4 handlers were used"}},
		{"middleware of one", chests(func(p *actor.Props) *actor.Props { return p.Configure(watched) }, nil), 2,
			[]string{"facts of 2 handlers were used", "not those of protoactor_test.leftwards by protoactor_test.trunk, since its actor has receiver middleware"}},
		{"a process of the program's own", chests(plain, func(s *actor.ActorSystem, _ *actor.PID, _ *int) { s.ProcessRegistry.Add(process{}, "stranger") }), 4,
			[]string{"facts of 0 handlers were used; the program has registered stranger"}},
		{"a message that somebody changes", chests(plain, func(s *actor.ActorSystem, _ *actor.PID, n *int) {
			s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &chest{} })), n)
		}), 4, []string{"facts of 0 handlers were used", "what a leftwards holds was changed after it was sent, by int from Driver to chest#2"}},
	} {
		for _, strategy := range []string{"source", "optimal", "auto"} {
			r, err := rehearse.Explore(rehearse.Config{Model: rehearse.Bag, Strategy: strategy, Facts: path}, tt.sys)
			// its sender changes it while its receiver has it
			shares := tt.name == "a message that somebody changes"
			if err != nil || r.Complete == shares || (r.Shared != "") != shares || len(r.Findings) > 0 || strategy != "auto" && r.Executions != tt.executions {
				// auto samples first
				t.Errorf("%s, %s: %d executions, complete %v, %d findings, error %v; want %d", tt.name, strategy, r.Executions, r.Complete, len(r.Findings), err, tt.executions)
			}
			for _, want := range tt.said {
				if !strings.Contains(r.Facts, want) {
					t.Errorf("%s, %s: it says %q, want %q", tt.name, strategy, r.Facts, want)
				}
			}
		}
	}
}
