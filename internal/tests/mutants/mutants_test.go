package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// account is a package with one of everything that can be changed, and with its tests.
var account = map[string]string{
	"go.mod": "module account\n\ngo 1.25\n",
	"account.go": `package account

type kind uint8

const (
	deposit kind = iota
	withdraw
)

type account struct {
	sum    int32
	frozen bool
	calls  int
}

func (a *account) handle(k kind, amount int32) bool {
	a.calls++
	if a.frozen || amount <= 0 {
		return false
	}
	if amount > 1<<30 {
		panic("too much")
	}
	switch k {
	case deposit:
		a.sum += amount
	case withdraw:
		a.sum = a.sum - amount
	}
	return true
}

func never(x int) bool { return x > 0 && x < 9 }
`,
	"account_test.go": `package account

import "testing"

func TestHandle(t *testing.T) {
	var a account
	if !a.handle(deposit, 5) || a.sum != 5 || !a.handle(withdraw, 3) || a.sum != 2 || a.handle(deposit, 0) {
		t.Error(a)
	}
	a.frozen = true
	if a.handle(deposit, 1) || a.handle(deposit, -1) {
		t.Error(a)
	}
}
`,
}

// TestMutants: of a small package each change is found, compiles beside all others, and is killed by the test that
// sees it. One survives: calls are not looked at. Told apart is what makes no difference in any test: in a function
// that none calls, and where a bound is never met.
func TestMutants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range account {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	p, err := load(".")
	if err != nil {
		t.Fatal(err)
	}
	suites, err := build(p, []string{"."}, 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if s := suites[0]; len(s.tests) != 1 || s.tests[0].name != "TestHandle" {
		t.Fatalf("tests that reach the package: %+v", s.tests)
	}
	want := map[fate][]string{
		killed: {
			"18:17: boundary: amount <= 0", "18:17: left out of ||: amount <= 0", "18:5: is false: a.frozen || amount <= 0",
			"18:5: is true: a.frozen || amount <= 0", "18:5: left out of ||: a.frozen", "19:10: is flipped: false",
			"21:5: is true: amount > 1<<30", "25:7: case never matches: deposit", "26:3: left out: a.sum += amount",
			"27:7: case never matches: withdraw", "28:11: off by one: a.sum - amount", "28:3: left out: a.sum = a.sum - amount",
			"30:9: is flipped: true",
		},
		survived: {"17:2: left out: a.calls++"},
		unreached: {
			"21:5: boundary: amount > 1<<30",
			"33:33: boundary: x > 0", "33:33: is false: x > 0 && x < 9", "33:33: is true: x > 0 && x < 9",
			"33:33: left out of &&: x > 0", "33:42: boundary: x < 9", "33:42: left out of &&: x < 9",
		},
	}
	got, all := map[fate][]string{}, &tally{}
	for _, m := range p.mutants {
		f := all.try(m, suites, 0)
		got[f] = append(got[f], strings.TrimPrefix(m.String(), "account.go:"))
	}
	for f := killed; f <= unreached; f++ {
		if slices.Sort(got[f]); !slices.Equal(got[f], want[f]) {
			t.Errorf("fate %d:\n got %q\nwant %q", f, got[f], want[f])
		}
	}
	if after, err := os.ReadDir(dir); err != nil || len(after) != len(account) {
		t.Errorf("files of the package after the run: %v, %v", after, err)
	}
}

// TestReaching: of the tests in which a mutant makes a difference the one comes first that kills more for its time, in
// the mutant's file above all.
func TestReaching(t *testing.T) {
	m, far := mutant{id: 1, file: "a.go"}, mutant{id: 2, file: "b.go"}
	tests := map[string]*test{}
	s := &suite{}
	for name, takes := range map[string]time.Duration{"quick": time.Second, "slow": 3 * time.Second, "other": 0} {
		tests[name] = &test{suite: s, name: name, takes: takes, matters: map[int]bool{1: true},
			record: map[string]score{}}
		s.tests = append(s.tests, tests[name])
	}
	tests["other"].matters = map[int]bool{2: true}
	order := func() (names []string) {
		for _, t := range reaching(m, []*suite{s}) {
			names = append(names, t.name)
		}
		return names
	}
	want := func(when string, names ...string) {
		if got := order(); !slices.Equal(got, names) {
			t.Errorf("%s: %q, want %q", when, got, names)
		}
	}
	want("nothing is known", "quick", "slow")
	for range 10 {
		tests["quick"].note(far, false)
	}
	want("the quick one kills nothing", "slow", "quick")
	for range 10 {
		tests["quick"].note(m, true)
	}
	want("but in this file", "quick", "slow")
}

// TestSpend: a test that is too long for what is left to be spent on a mutant is passed over, and a small one behind it
// runs. With mutant 7 this test fails, and the other one passes.
func TestSpend(t *testing.T) {
	if os.Getenv(variable) == "7" {
		t.Fatal("the mutant is on")
	}
	m := mutant{id: 7, file: "a.go"}
	s := &suite{dir: ".", binary: os.Args[0]}
	for name, takes := range map[string]time.Duration{"TestParse": time.Second, "TestReaching": 2 * time.Second,
		"TestSpend": time.Millisecond} {
		s.tests = append(s.tests, &test{suite: s, name: name, takes: takes, matters: map[int]bool{7: true},
			record: map[string]score{"a.go": {tried: 1000, killed: int(takes / time.Millisecond)}}})
	}
	for spend, want := range map[time.Duration]fate{2500 * time.Millisecond: killed, time.Second: survived} {
		if got := new(tally).try(m, []*suite{s}, spend); got != want {
			t.Errorf("%v to spend: fate %d, want %d", spend, got, want)
		}
	}
}

// TestParse: what the command line says, and what it may not say.
func TestParse(t *testing.T) {
	s, err := parse([]string{"-tests", "./b,./c", "-for", "2m", "-at", "x.go", "./a"})
	want := []string{"./a", "./b", "./c"}
	if err != nil || !slices.Equal(s.tests, want) || s.limit != 2*time.Minute || !s.at.MatchString("x.go:1") {
		t.Errorf("%+v, %v", s, err)
	}
	file := filepath.Join(t.TempDir(), "earlier")
	m, n := mutant{file: "x.go", change: "left out", text: "f()"}, mutant{file: "x.go", change: "left out", text: "g()"}
	if err := os.WriteFile(file, []byte(m.String()+idle+"\n./a: 2 mutants"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := parse([]string{"-again", file, "./a"}); err != nil || !s.chooses(m) || s.chooses(n) {
		t.Errorf("of what an earlier run printed: %+v, %v", s, err)
	}
	for _, args := range [][]string{
		{"-again", "no file", "./a"}, {}, {"./a", "./b"}, {"./..."}, {"-p", "0", "./a"}, {"-at", "(", "./a"},
	} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
