package protoactor

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

func TestFrameworkIsSupported(t *testing.T) {
	if err := supported(looks, 0, len(relied), "x"); err != nil {
		t.Error(err)
	}
	if v := version(); !strings.HasPrefix(v, "v0.0.0-") {
		t.Errorf("the version is %q", v)
	}
}

// What timers call, and what they have captured, is read in an execution.
func TestTimersAreRead(t *testing.T) {
	future, timeout := ownFuture(), ownTimeout() // outside
	synctest.Test(t, func(t *testing.T) {
		if !goroutine.FindTimers() {
			return // nobody reads them
		}
		if read, ok := goroutine.ReadTimer(timeout); !ok || short(read.Func().Name()) != receiveTimeoutHandler {
			t.Errorf("a receive timeout is not read: %v", ok)
		}
		code, at := futureTimers()
		read, _ := goroutine.ReadTimer(hidden(future, "t").Interface().(*time.Timer))
		if code == 0 || read.Captured(at) != reflect.ValueOf(future).UnsafePointer() {
			t.Errorf("the timer of a future is not known")
		}
		if err := supported(looks, partTimers, len(relied), ""); err != nil {
			t.Error(err)
		}
	})
}

// An exploration ends with the error, without an execution where that is possible.
func TestUnsupportedFramework(t *testing.T) {
	explored := func() (executions int, err error) {
		r, err := rehearse.Explore(rehearse.Config{}, System(func(t *explore.T) {
			executions++
			s := NewActorSystem()
			s.Root.Send(s.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {})), "x")
		}))
		if err == nil && r.Complete {
			err = errors.New("complete")
		}
		return executions, err
	}
	framework, timers := checkFramework, checkTimers
	defer func() { checkFramework, checkTimers = framework, timers }()
	want := unsupported("v9", []string{"actor.X is gone (everything)"})
	checkTimers = func() error { return want }
	if n, err := explored(); n != 1 || err == nil || !strings.Contains(err.Error(), "actor.X is gone") {
		t.Errorf("timers: %d executions, %v", n, err)
	}
	checkFramework = func() error { return want }
	if n, err := explored(); n != 0 || err == nil || !strings.Contains(err.Error(), "actor.X is gone") {
		t.Errorf("framework: %d executions, %v", n, err)
	}
}

// The versions that the error names are those with which tests are run.
func TestVersionsAreTested(t *testing.T) {
	for file, version := range map[string]string{"go.mod": oldest, "go.newest.mod": newest} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "\tgithub.com/asynkron/protoactor-go "+version+"\n") {
			t.Errorf("%s does not require %s: %v", file, version, err)
		}
	}
}

// changed looks at the framework, and then changes what was seen, for the part of the table at place i.
func changed(i int, change func(*seen)) error {
	with := looks
	with[i] = func(s *seen) { looks[i](s); change(s) }
	return supported(with, 0, len(relied), "v9")
}

// Each entry of the table is named, alone, where what it says does not hold.
func TestEachDifferenceIsNamed(t *testing.T) {
	alone := func(r reliance, name string, err error) {
		if err == nil {
			t.Errorf("%s: no error", name)
			return
		}
		text := err.Error()
		for _, want := range []string{"protoactor-go v9 is not supported", "\n\t" + name, "(" + r.use + ")\n", newest} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the error does not say %q:\n%s", name, want, text)
			}
		}
		if n := strings.Count(text, "\n\t"); n != 1 {
			t.Errorf("%s: %d differences:\n%s", name, n, text)
		}
	}
	for i, part := range relied {
		for _, r := range part {
			if r.of == "" {
				alone(r, r.name+": now new, and was ", changed(i, func(s *seen) { s.facts[r.name] = "new" }))
				continue
			}
			name := r.of + "." + r.name
			alone(r, name+" is gone", changed(i, func(s *seen) { delete(s.fields[r.of], r.name) }))
			alone(r, name+": now uint8, and was ", changed(i, func(s *seen) { s.fields[r.of][r.name] = reflect.TypeFor[uint8]() }))
		}
	}
}

// What is seen is what is there.
func TestDifferencesAreSeen(t *testing.T) {
	type props struct{ spawner int }
	err := changed(0, func(s *seen) { s.note("actor.Props", reflect.TypeFor[*props]()) })
	if err == nil || !strings.Contains(err.Error(), "actor.Props.spawner: now int, and was actor.SpawnFunc") ||
		!strings.Contains(err.Error(), "actor.Props.dispatcher is gone") {
		t.Errorf("another type: %v", err)
	}
	if err := changed(1, func(*seen) { panic("nothing there") }); err == nil || !strings.Contains(err.Error(), "nothing there") {
		t.Errorf("a panic: %v", err)
	}
	one, other := actor.DefaultSpawner, actor.SpawnFunc(func(*actor.ActorSystem, string, *actor.Props, actor.SpawnerContext) (*actor.PID, error) {
		return nil, nil
	})
	for want, linked := range map[string]actor.SpawnFunc{"nothing": nil, "another function than actor.DefaultSpawner": other, "actor.DefaultSpawner": one} {
		if got := spawnerIs(linked, one); got != want {
			t.Errorf("the variable is %q, want %q", got, want)
		}
	}
}

// The error says which version it is, wherever that is.
func TestVersionOfFile(t *testing.T) {
	for file, want := range map[string]string{
		"/go/pkg/mod/github.com/asynkron/protoactor-go@v0.0.0-2024-ab/actor/actor_system.go": "v0.0.0-2024-ab",
		"github.com/asynkron/protoactor-go@v1.2.3/actor/actor_system.go":                     "v1.2.3",
		"/app/vendor/github.com/asynkron/protoactor-go/actor/actor_system.go":                "in /app/vendor/github.com/asynkron/protoactor-go",
	} {
		if got := versionOf(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// No field is read by name that is not in the table.
func TestAllThatIsReliedOnIsInTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, part := range relied {
		for _, r := range part {
			known[r.name] = true
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun, ok := call.Fun.(*ast.Ident)
			if !ok || fun.Name != "hidden" && fun.Name != "field" && fun.Name != "pointer" && fun.Name != "pids" && fun.Name != "isSet" {
				return true
			}
			if lit, ok := call.Args[1].(*ast.BasicLit); ok {
				read++
				if name, err := strconv.Unquote(lit.Value); err != nil || !known[name] {
					t.Errorf("%s: %s reads %s, which is not in the table of relies.go", f.Name(), fun.Name, lit.Value)
				}
			}
			return true
		})
	}
	if read < 40 {
		t.Errorf("only %d fields are read by name", read)
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := supported(looks, 0, len(relied), ""); err != nil {
			b.Fatal(err)
		}
	}
}
