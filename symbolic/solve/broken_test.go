//go:build unix

package solve_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// fakes are programs in the place of z3, and what comes of them.
var fakes = []struct {
	name, script string
	want         string // in Result.Why
}{
	{"hangs", "exec sleep 1000", "was ended: context deadline exceeded"},
	{"hangs with a child that has its output", "sleep 1000 & wait", "was ended: context deadline exceeded"},
	{"is killed", "read line; kill -9 $$", "ended in the middle of a question: signal: killed"},
	{"fails", "read line; echo out of luck >&2; exit 3", "exit status 3: out of luck"},
	{"ends", "read line", "exit status 0"},
	{"talks nonsense", speaking("nonsense"), `z3 answers "nonsense"`},
	{"says error", speaking(`(error "line 1: no")`), `answers "(error`},
	{"does not know", speaking("unknown"), "z3 does not know"},
	{"has a core that is none", speaking("unsat", "(error \"no core\")"), "answers"},
	{"has half a value", speaking("sat", "((t1 #x0"), "answers"},
	{"has no value", speaking("sat", "((t1 maybe))"), "maybe is no value of word64"},
	{"lies", speaking("sat", "((t3 #x0000000000000000))"), "does not hold in Go"},
	{"floods", "yes | head -c 3000000", "ended in the middle"},
}

// speaking is a script that gives one answer after the other, over and over, each with the mark that it is asked to
// echo.
func speaking(answers ...string) string {
	var b strings.Builder
	b.WriteString("while true; do\n")
	for _, a := range answers {
		b.WriteString("while true; do read line || exit; case \"$line\" in '(echo'*) break;; esac; done\n")
		b.WriteString("cat <<'END'\n" + a + "\nEND\nmark=${line#*\\\"}; echo \"${mark%\\\"*}\"\n")
	}
	return b.String() + "done\n"
}

// A solver that breaks is a clear Unknown, its process is gone, and the next check starts another.
func TestBrokenExternal(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatal("the fakes are shell scripts:", err)
	}
	for _, fake := range fakes {
		t.Run(fake.name, func(t *testing.T) {
			dir := t.TempDir()
			pids := filepath.Join(dir, "pids")
			script := "#!/bin/sh\necho $$ >> " + pids + "\n" + fake.script + "\n"
			if err := os.WriteFile(filepath.Join(dir, "z3"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			store := term.NewStore()
			cond := store.SLess(store.Int(term.Word64, 0), store.Var("x", term.Word64))
			s := newSolver(t, store, solve.Config{Engine: solve.Z3, Limit: limitOf(fake.name)})
			for range 2 {
				r := s.Check(context.Background(), cond)
				if r.Answer != solve.Unknown || !strings.Contains(r.Why, fake.want) {
					t.Errorf("%v: %s, want unknown: %s", r.Answer, r.Why, fake.want)
				}
			}
			s.Close()
			gone(t, pids)
		})
	}
}

// limitOf is short for those that hang.
func limitOf(name string) time.Duration {
	if strings.HasPrefix(name, "hangs") {
		return 300 * time.Millisecond
	}
	return time.Minute
}

// gone fails if a process of the list is still there, as a zombie or alive.
func gone(t *testing.T, pids string) {
	t.Helper()
	list, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(list)) {
		pid := 0
		for _, digit := range field {
			pid = 10*pid + int(digit-'0')
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is still there: %v", pid, err)
		}
	}
}

func TestNoExternal(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	store := term.NewStore()
	if _, err := solve.New(store, solve.Config{Engine: solve.Z3}); err == nil {
		t.Error("z3 is found where there is none")
	}
	if _, err := solve.New(store, solve.Config{Engine: "magic"}); err == nil {
		t.Error("there is an engine called magic")
	}
	f := store.Var("f", term.Float64)
	hard := store.FEqual(store.FMul(f, f), store.Float(term.Float64, 2.25000000000001))
	s := newSolver(t, store, solve.Config{})
	if r := s.Check(context.Background(), hard); r.Answer != solve.Unknown || r.Why != "arithmetic of floats" {
		t.Errorf("without an external solver: %v, %s", r.Answer, r.Why)
	}
}

// What the embedded solver leaves unknown an external one decides, if there is one.
func TestAuto(t *testing.T) {
	found := ""
	for _, name := range []string{"z3", "cvc5"} {
		if _, err := exec.LookPath(name); err == nil {
			found = name
			break
		}
	}
	store := term.NewStore()
	s := newSolver(t, store, solve.Config{})
	f := store.Var("f", term.Float64)
	hard := []*term.Term{store.FEqual(store.FAdd(f, store.Float(term.Float64, 0.1)), store.Float(term.Float64, 0.30000000000000004))}
	r := s.Check(context.Background(), hard...)
	if found == "" {
		t.Log("neither z3 nor cvc5 is on the PATH: what the embedded solver does not know stays unknown")
	} else if r.Answer != solve.Sat || s.Stats().External != 1 {
		t.Errorf("with %s: %v, %s, %+v", found, r.Answer, r.Why, s.Stats())
	}
	if r := s.Check(context.Background(), store.SLess(store.Var("x", term.Word8), store.Int(term.Word8, 3))); r.Answer != solve.Sat {
		t.Errorf("an easy one is %v, %s", r.Answer, r.Why)
	}
}
