package gentest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// written gives the source of the generated tests of a pattern in a package of testdata.
func written(t *testing.T, pattern, run string) (text string, packages []*gentest.Package) {
	t.Helper()
	_, packages = made(t, ".", pattern, run, gentest.Options{})
	files, err := packages[0].Files(func(*gentest.Test) bool { return true })
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return string(files[0].Content), packages
}

// TestFakes: an interface for which the program has no type is a fake. It expects the calls of the case, and gives its
// answers.
func TestFakes(t *testing.T) {
	text, packages := written(t, "./testdata/asks", "^Keeper")
	for _, want := range []string{
		`		store := &fakeStoreOfKeeper{test: t, callsGet: []fakeStoreOfKeeperGet{{"n", 3, errors.New("error")}}}
		t.Cleanup(store.callsNoMore)
		k := &Keeper{store: store, failed: true}
		x.Handle(k, Add{})
		x.Equal("k", k, &Keeper{store: store, failed: true})
`, `
func (f *fakeStoreOfKeeper) Get(p0 string) (r0 int, r1 error) {
	if len(f.callsGet) == 0 {
		f.test.Error("a call of Get too many")
		return
	}
	c := f.callsGet[0]
	f.callsGet = f.callsGet[1:]
	if p0 != c.p0 {
		f.test.Errorf("Get: argument 0 is %v, want %v", p0, c.p0)
	}
	return c.r0, c.r1
}
`, `
		rate := &fakeRateOfKeeper{test: t, callsCall: []fakeRateOfKeeperCall{{"eur", 7, 11, nil}}}
		t.Cleanup(rate.callsNoMore)
		k := &Keeper{Opened: 5, rate: rate.Call}
		x.Handle(k, Rate{Cents: 7})
		x.TimerAfter(11*time.Second, Tick{})
		x.Equal("k", k, &Keeper{Opened: 11, rate: rate.Call})
`, `
func (f *fakeRateOfKeeper) Call(p0 string, p1 int) (r0 int, r1 error) {
`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no\n%s\nit is\n%s", want, text)
		}
	}
	for _, x := range packages[0].Tests {
		if x.Why != "" && x.Why != "the runtime panics in a state that is only assumed" {
			t.Errorf("%s %s is left out: %s", x.Target.Name, x.Name, x.Why)
		}
	}
	if os.Getenv("REHEARSE_TOY") == "" {
		return // mutants are compiled, and run one by one
	}
	w := prepare(t, ".", "./testdata/asks")
	var survive []string
	for k, m := range w.mutants.list {
		if !w.kills(k+1) || m.use != noConstant && !w.kills(-k-1) {
			survive = append(survive, m.what)
		}
	}
	if got := strings.Join(survive, ", "); got != `constant "a", constant "b"` { // slices are not compared
		t.Errorf("survive: %s", got)
	}
}

// TestFakeArguments: functions get fakes, too.
func TestFakeArguments(t *testing.T) {
	text, packages := written(t, "./testdata/asks", "late")
	if want := `	t.Run("c!=nil,limit+2<Now1,edge", func(t *testing.T) {`; !strings.Contains(text, want) {
		t.Errorf("the file has no\n%s\nit is\n%s", want, text)
	}
	hold(t, packages, 4, true)
}

// TestVariables: a variable that a test cannot make, and of which a case asks nothing, is as the program makes it.
func TestVariables(t *testing.T) {
	text, packages := written(t, "./testdata/asks", "^Speller")
	if strings.Contains(text, "quoter =") {
		t.Errorf("the variable is set in\n%s", text)
	}
	hold(t, packages, 2, true)
}
