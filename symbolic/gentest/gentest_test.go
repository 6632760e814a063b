package gentest_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var (
	reading sync.Mutex
	read    = map[string]func() (*load.Program, error){}
)

// loaded reads packages once for all tests.
func loaded(dir, pattern string) (*load.Program, error) {
	reading.Lock()
	key := dir + " " + pattern
	if read[key] == nil {
		read[key] = sync.OnceValues(func() (*load.Program, error) { return gentest.Load(dir, []string{pattern}) })
	}
	once := read[key]
	reading.Unlock()
	return once()
}

// made generates tests of a folder's packages.
func made(t *testing.T, dir, pattern, run string, o gentest.Options) (*cases.Program, []*gentest.Package) {
	t.Helper()
	p, err := loaded(dir, pattern)
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	q := cases.New(t.Context(), p, store, solver)
	targets, err := q.Select(run)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := gentest.Generate(t.Context(), q, solver, gentest.Tested(q, targets), o)
	if err != nil {
		t.Fatal(err)
	}
	return q, packages
}

// share is what became of the tests of packages.
type share struct{ confirmed, unconfirmed, left int }

// confirmed runs the tests of packages.
func confirmed(t *testing.T, packages []*gentest.Package) (all share) {
	t.Helper()
	for _, pkg := range packages {
		s := confirmedWith(t, pkg, nil)
		all.confirmed, all.unconfirmed, all.left = all.confirmed+s.confirmed, all.unconfirmed+s.unconfirmed, all.left+s.left
	}
	return all
}

// confirmedWith runs the tests of a package in which files are laid over others.
func confirmedWith(t *testing.T, pkg *gentest.Package, overlay map[string]string) (s share) {
	t.Helper()
	if err := pkg.Confirm(t.Context(), gentest.Run{Scratch: t.TempDir(), Overlay: overlay}); err != nil {
		t.Error(err)
		return s
	}
	for _, x := range pkg.Tests {
		switch {
		case x.Unconfirmed():
			s.unconfirmed++
			t.Logf("unconfirmed: %s %s: %s\n%s", x.Target.Name, x.Name, x.Output, strings.Join(x.Lines, "\n"))
			if strings.Contains(x.Output, "does not compile") {
				t.Errorf("%s %s does not compile", x.Target.Name, x.Name)
			}
		case x.Why != "":
			s.left++
		default:
			s.confirmed++
		}
	}
	t.Logf("%s: %d confirmed, %d unconfirmed, %d left out", pkg.Path, s.confirmed, s.unconfirmed, s.left)
	return s
}

// hold runs the tests of packages, with REHEARSE_TOY: compiling them takes a second. At least so many are confirmed,
// the others may be left out or not.
func hold(t *testing.T, packages []*gentest.Package, least int, left bool) {
	t.Helper()
	if os.Getenv("REHEARSE_TOY") == "" {
		return
	}
	if s := confirmed(t, packages); s.unconfirmed > 0 || s.confirmed < least || s.left > 0 && !left {
		t.Errorf("%+v: want at least %d confirmed, left out may be some: %v", s, least, left)
	}
}

// repeated runs the confirmed tests of packages so often. They are compiled once.
func repeated(t *testing.T, packages []*gentest.Package, count int) {
	t.Helper()
	for _, pkg := range packages {
		if !slices.ContainsFunc(pkg.Tests, func(x *gentest.Test) bool { return x.State == gentest.Confirmed }) {
			continue
		}
		bin, generated := compiled(t, pkg, t.TempDir(), map[string]string{})
		cmd := exec.CommandContext(t.Context(), bin, "-test.run="+generated, fmt.Sprintf("-test.count=%d", count), "-test.timeout=30m")
		cmd.Dir, cmd.Env = pkg.Dir, environ()
		begin := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: of %d times: %v\n%.4000s", pkg.Path, count, err, out)
		}
		t.Logf("%s: %d times in %.1f s", pkg.Path, count, time.Since(begin).Seconds())
	}
}

// upToDate: generated tests that are kept beside a package are those that would be generated now. It reports whether
// there are some.
func upToDate(t *testing.T, pkg *gentest.Package) bool {
	t.Helper()
	old, err := gentest.ReadOld(pkg.Dir)
	if err != nil || len(old.Files) == 0 {
		if err != nil {
			t.Error(err)
		}
		return false
	}
	files, err := pkg.Files(func(x *gentest.Test) bool { return x.State == gentest.Confirmed })
	if err != nil {
		t.Fatal(err)
	}
	changes, err := old.Compare(files)
	if err != nil || len(changes) > 0 || len(files) != len(old.Files) || old.Command != pkg.Command {
		var told strings.Builder
		gentest.ReportChanges(&told, changes)
		t.Errorf("%s is out of date, %v: run rehearse generate -update\n%s", pkg.Path, err, told.String())
	}
	return true
}

// TestCorpus: tests of the examples and subjects compile, and pass each time; those that are kept are up to date. With
// REHEARSE_TOY one more example; REHEARSE_GENERATE=100 runs those of all packages so often.
func TestCorpus(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("REHEARSE_GENERATE"))
	corpus := []struct{ dir, pattern, run string }{{"../../examples", "./bank", ""}}
	if os.Getenv("REHEARSE_TOY") != "" {
		corpus = append(corpus, struct{ dir, pattern, run string }{"../../examples", "./overdraft", "^account"})
	}
	kept := 0
	if count > 0 {
		corpus = append(corpus[:0], []struct{ dir, pattern, run string }{{"../../examples", "./...", ""}, {"../../subjects", ".", ""}}...)
	}
	for _, c := range corpus {
		_, packages := made(t, c.dir, c.pattern, c.run, gentest.Options{})
		s := confirmed(t, packages)
		for _, pkg := range packages {
			if upToDate(t, pkg) {
				kept++
			}
		}
		if count > 1 {
			repeated(t, packages, count)
		}
		t.Logf("%s: %+v", c.pattern, s)
		if s.confirmed < 4 || s.unconfirmed*20 > s.confirmed {
			t.Errorf("%s: %+v: want at most one in twenty unconfirmed", c.pattern, s)
		}
	}
	if kept == 0 {
		t.Error("no package has generated tests beside it")
	}
}

// TestBank: the source of the tests of a handler, as people read it.
func TestBank(t *testing.T) {
	_, packages := made(t, "../../examples", "./bank", "^Client.Withdraw$", gentest.Options{Command: gentest.FormatCommand([]string{"-run=^Client.Withdraw$"})})
	files, err := packages[0].Files(func(*gentest.Test) bool { return true })
	if err != nil || len(files) != 1 || files[0].Name != "client_rehearse_test.go" {
		t.Fatalf("%d files, %v", len(files), err)
	}
	text := string(files[0].Content)
	for _, want := range []string{"// Code generated by rehearse generate \"-run=^Client.Withdraw$\"; DO NOT EDIT.\n", "\npackage bank\n", "func TestClient_Withdraw(t *testing.T) {",
		`	t.Run("c.Balance>=msg.Amount,c.Server!=nil,distinct", func(t *testing.T) {
		x := steptest.New(t)
		server := x.Peer("server")
		c := &Client{Server: server, Balance: 3, Sent: 5}
		x.Handle(c, Withdraw{Amount: 2})
		x.Sends(server, Withdraw{Number: 6, Amount: 2})
		x.Equal("c", c, &Client{Server: server, Balance: 1, Sent: 6})
	})
`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no\n%s\nit is\n%s", want, text)
		}
	}
	if why := gentest.Edited(files[0].Content); why != "" {
		t.Error(why)
	}
	if why := gentest.Edited([]byte(strings.ReplaceAll(text, "\n", "\r\n"))); why != "" {
		t.Errorf("a file that was checked out with other ends of lines: %s", why)
	}
	for _, change := range []string{strings.Replace(text, "Sent: 6", "Sent: 7", 1), text + "\n", "package bank\n"} {
		if gentest.Edited([]byte(change)) == "" {
			t.Errorf("an edited file passes for a generated one")
		}
	}
}

// TestCommand: arguments come out of the header as they were put in.
func TestCommand(t *testing.T) {
	args := []string{"-run=^a$", "-assume=Withdraw.Amount > 0", `-assume=x == "y"`, "-loop=5", "-run="}
	got, err := gentest.ParseCommand(gentest.FormatCommand(args))
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", args) {
		t.Errorf("%q, %v: want %q", got, err, args)
	}
	if _, err := gentest.ParseCommand(` "-run`); err == nil {
		t.Error("half a string is an argument")
	}
}

// TestUpdate: a second time there is no difference; what differs is told by name, with the lines.
func TestUpdate(t *testing.T) {
	q, packages := made(t, "../../examples", "./bank", "^Client", gentest.Options{})
	files, err := packages[0].Files(func(*gentest.Test) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := string(files[0].Content)
	put := func(text string) *gentest.Old {
		if err := os.WriteFile(dir+"/"+files[0].Name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		old, err := gentest.ReadOld(dir)
		if err != nil {
			t.Fatal(err)
		}
		return old
	}
	if list, err := put(text).Compare(files); err != nil || len(list) > 0 {
		t.Errorf("the same tests differ: %v, %v", list, err)
	}
	head, code, _ := strings.Cut(text, "\n\n")
	command, _, _ := strings.Cut(head, "\n")
	for from, to := range map[string]string{`Balance: 1, Sent: 6`: `Balance: 2, Sent: 6`, `t.Run("c.Balance<msg.Amount"`: `t.Run("c.Balance<0"`} {
		code = strings.ReplaceAll(code, from, to)
	}
	list, err := put(fmt.Sprintf("%s\n// rehearse:digest %s\n\n%s", command, fmt.Sprintf("%x", sha256.Sum256([]byte(code)))[:32], code)).Compare(files)
	var out strings.Builder
	gentest.ReportChanges(&out, list)
	want := `  TestClient_Withdraw
    changed  c.Balance<msg.Amount
        was  c.Balance<0
    changed  c.Balance>=msg.Amount,c.Server!=nil,distinct
        - x.Equal("c", c, &Client{Server: server, Balance: 2, Sent: 6})
        + x.Equal("c", c, &Client{Server: server, Balance: 1, Sent: 6})
`
	if err != nil || out.String() != want {
		t.Errorf("told, %v:\n%s\nwant\n%s", err, out.String(), want)
	}
	var js strings.Builder
	if err := gentest.WriteJSON(&js, q, packages); err != nil || !strings.Contains(js.String(), `"case": "c.Balance<msg.Amount"`) {
		t.Errorf("%v: JSON\n%s", err, js.String())
	}
}
