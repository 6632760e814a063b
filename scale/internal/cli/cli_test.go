package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// dirVariable names the folder of the package that is built.
const dirVariable = "REHEARSE_TEST_DIR"

// TestMain is also the rehearse that builds tests: what it builds is this binary, and it says what it was told.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == command.BuildTest {
		os.Exit(built(os.Args[2:]))
	}
	if len(os.Args) == 3 && os.Args[1] == command.FindCompanion {
		self, err := os.Executable()
		if err != nil || os.Args[2] != sourceReader {
			os.Exit(2)
		}
		fmt.Println(self)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func built(args []string) int {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	out := fs.String("o", "", "")
	fs.Bool("no-overlay", false, "")
	fs.String("choices", "", "")
	fs.String("facts", "", "")
	if fs.Parse(args) != nil || fs.Arg(0) == "./broken" {
		fmt.Fprintln(os.Stderr, "undefined: missing")
		return 2
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Link(self, *out)
	}
	if err != nil {
		data, _ := os.ReadFile(self)
		err = os.WriteFile(*out, data, 0o755)
	}
	fmt.Fprintf(os.Stderr, "built with %q\n", slices.DeleteFunc(args, func(a string) bool { return a == *out }))
	dir := os.Getenv(dirVariable)
	json.NewEncoder(os.Stdout).Encode(command.Built{Package: "example.com/till", Dir: dir, Root: filepath.Dir(dir)})
	if err != nil {
		return 2
	}
	return 0
}

// asked is what a command line came to.
type asked struct {
	out, err string
	code     int
	request  any
}

// ask runs a command line, whose requests are kept.
func ask(t *testing.T, args ...string) (a asked) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	keep := func(r any) (int, error) { a.request = r; return 7, nil }
	a.code = Main(command.HandOn(command.Caller{Path: self, Called: "rehearse"}, args),
		command.Streams{Out: &out, Err: &errs}, Actions{
			Swarm: func(_ context.Context, _ command.Streams, r *request.Swarm) (int, error) {
				if _, err := os.Stat(r.Binary); err != nil {
					t.Errorf("%q: %v", args, err)
				}
				return keep(r)
			},
			Worker: func(_ context.Context, _ command.Streams, r *request.Worker) (int, error) { return keep(r) },
			Status: func(_ context.Context, _ command.Streams, r *request.Status) (int, error) { return keep(r) },
			Stop: func(_ context.Context, _ command.Streams, r *request.Stop) (int, error) {
				keep(r)
				return 0, errors.New("no such job")
			},
		})
	a.out, a.err = out.String(), errs.String()
	return a
}

// program makes a package with testdata to be built, and a key pair.
func program(t *testing.T) (dir, seed, public string) {
	t.Helper()
	root := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	dir = filepath.Join(root, "till")
	t.Setenv(dirVariable, dir)
	if err := os.MkdirAll(filepath.Join(dir, "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"testdata/a", "prices"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	seed = filepath.Join(root, "seed")
	a := ask(t, "swarm", "key", seed)
	public = strings.TrimSpace(a.out)
	if a.code != command.ExitOK || bundle.CheckPublic(public) != nil {
		t.Fatalf("%+v", a)
	}
	return dir, seed, public
}

func TestSwarm(t *testing.T) {
	dir, seed, _ := program(t)
	t.Setenv("SECRET", "of the user")
	t.Setenv("REGION", "north")
	a := ask(t, "swarm", "-nats", "tls://nats.example.org,nats://127.0.0.1:4222", "-sign", seed, "-strategy", "reverse",
		"-budget=unlimited", "-choices", "sample", "-facts", "make", "-run", "^TestTill$", "-short", "-file", "prices",
		"-env", "REGION", "-replicas", "3", "-max-bytes", "2GiB", "-first", "-workers", "0", "-job", "night",
		"./till", "--", "-tags=x", "-args", "-size=3")
	r, ok := a.request.(*request.Swarm)
	if !ok || a.code != 7 {
		t.Fatalf("%+v", a)
	}
	const told = `built with ["-o" "-choices" "sample" "-facts" "make" "./till" "--" "-tags=x"]`
	if !strings.Contains(a.err, told) {
		t.Errorf("it says %q, want %s", a.err, told)
	}
	m := r.Contents.Manifest
	want := []string{"-test.run=^TestTill$", "-test.timeout=0", "-test.v=true", "-test.short=true", "-size=3"}
	if !slices.Equal(r.Args, want) || len(m.Args) > 0 {
		t.Errorf("arguments %q, and %q that travel, want %q", r.Args, m.Args, want)
	}
	if want := []string{"REGION=north", "REHEARSE_CHOICES=sample", "REHEARSE_FACTS=on", "REHEARSE_KEEP_GOING=off",
		"REHEARSE_STRATEGY=reverse"}; !slices.Equal(m.Env, want) {
		t.Errorf("variables %q, want %q", m.Env, want)
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	if want := []string{"rehearse.test", "till/prices", "till/testdata/a"}; !slices.Equal(paths, want) {
		t.Errorf("files %q, want %q", paths, want)
	}
	if m.Package != "example.com/till" || m.Test != "^TestTill$" || m.Dir != "till" || m.Tool != command.Version() {
		t.Errorf("manifest %+v", m)
	}
	if r.Job != "night" || r.Replicas != 3 || r.MaxBytes != 2<<30 || !r.First || r.Workers != 0 || !r.Beyond ||
		r.Store != "" || r.Sign != seed || r.Dir != dir || !slices.Contains(r.Environ, "REHEARSE_STRATEGY=reverse") {
		t.Errorf("request %+v", r)
	}
	if _, err := os.Stat(r.Binary); err == nil {
		t.Error("the binary is there still")
	}
}

// Without flags a swarm is one machine with all of its cores, and a folder in the user's cache.
func TestDefaults(t *testing.T) {
	program(t)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(cache, "rehearse", "swarm")
	r, ok := ask(t, "swarm", "./till").request.(*request.Swarm)
	if !ok || r.Workers != runtime.GOMAXPROCS(0) || r.Store != store || r.Beyond || r.Replicas != 1 || r.MaxBytes != 0 ||
		r.Sync || r.Sign != "" {
		t.Errorf("%+v", r)
	}
	w, ok := ask(t, "worker").request.(*request.Worker)
	if !ok || w.Workers != runtime.GOMAXPROCS(0) || w.Store != store || w.Once || len(w.Trust) > 0 ||
		w.Cache != filepath.Join(cache, "rehearse", "bundles") {
		t.Errorf("%+v", w)
	}
}

func TestWorker(t *testing.T) {
	_, _, public := program(t)
	a := ask(t, "worker", "-nats", "tls://10.0.0.7:4222", "-trust", public, "-workers=4", "-cache", "c", "-limit", "3GiB",
		"-once", "-job=night")
	w, ok := a.request.(*request.Worker)
	if !ok || !w.Beyond || !slices.Equal(w.Trust, []string{public}) || w.Workers != 4 || !filepath.IsAbs(w.Cache) ||
		w.Limits.Total != 3<<30 || !w.Once || w.Job != "night" {
		t.Errorf("%+v", a)
	}
}

// A server that does not answer, or refuses, is told of before anything is built.
func TestReached(t *testing.T) {
	program(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"swarm", "-nats", "nats://127.0.0.1:1", "./till"},
		{"swarm", "-nats", "nats://127.0.0.1:1", "target", "./till", "--", "-panics"}} {
		var out, errs bytes.Buffer
		asked := ""
		code := Main(command.HandOn(command.Caller{Path: self, Called: "rehearse"}, args),
			command.Streams{Out: &out, Err: &errs}, Actions{
				Reach: func(_ context.Context, _ command.Streams, s *request.Server) error {
					asked = s.URL
					return errors.New("nobody is there")
				},
			})
		if want := "rehearse swarm: nobody is there\n"; code != command.ExitError || errs.String() != want ||
			asked != "nats://127.0.0.1:1" {
			t.Errorf("%q: %d, asked for %q, %s", args, code, asked, &errs)
		}
	}
}

// The parts of swarm that are no packages.
func TestParts(t *testing.T) {
	_, seed, _ := program(t)
	r, ok := ask(t, "swarm", "status", "-json", "-store", "s").request.(*request.Status)
	if !ok || !r.JSON || r.Job != "" || !filepath.IsAbs(r.Store) {
		t.Errorf("status: %+v", r)
	}
	if r, ok := ask(t, "swarm", "status", "night").request.(*request.Status); !ok || r.Job != "night" {
		t.Errorf("status night: %+v", r)
	}
	a := ask(t, "swarm", "stop", "night")
	if r, ok := a.request.(*request.Stop); !ok || r.Job != "night" || a.code != command.ExitError ||
		!strings.Contains(a.err, "rehearse swarm: no such job") {
		t.Errorf("stop: %+v", a)
	}
	before, err := os.ReadFile(seed)
	if err != nil {
		t.Fatal(err)
	}
	a = ask(t, "swarm", "key", seed)
	after, err := os.ReadFile(seed)
	if err != nil || a.code != command.ExitError || !strings.Contains(a.err, "is there already") ||
		!bytes.Equal(before, after) {
		t.Errorf("key over a key: %+v, %v", a, err)
	}
	if shown := a.out + a.err; strings.Contains(shown, string(before[:20])) {
		t.Error("the seed is shown")
	}
}

// What searches for targets travels with the sources, and is told what rehearse target is told.
func TestTarget(t *testing.T) {
	dir, _, _ := program(t)
	for name, text := range map[string]string{"go.mod": "module example.com/till\n\ngo 1.25\n",
		"till.go": "package till\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	a := ask(t, "swarm", "-workers", "3", "-json", "target", "./...", "--", "-panics", "-seconds=5")
	r, ok := a.request.(*request.Swarm)
	if !ok || a.code != 7 || !r.Targets || !r.JSON || r.Workers != 3 {
		t.Fatalf("%+v", a)
	}
	m := r.Contents.Manifest
	if args := strings.Join(m.Args, " "); !strings.HasSuffix(args, " target -panics -seconds=5 ./...") ||
		strings.Contains(args, dir) || m.Toolchain == "" || m.Dir != "." {
		t.Errorf("%+v", m)
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	want := []string{"go.mod", "rehearse.test", "testdata/a", "till.go", "vendor/modules.txt"}
	if !slices.Equal(paths, want) {
		t.Errorf("files %q, want %q", paths, want)
	}
}

// What is refused, and that nothing was built before.
func TestRefused(t *testing.T) {
	dir, seed, public := program(t)
	if err := os.WriteFile(filepath.Join(dir, "open"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none")
	secret, err := os.ReadFile(seed)
	if err != nil {
		t.Fatal(err)
	}
	const far = "tls://nats.example.org"
	for _, c := range []struct{ args, want string }{
		{"swarm", "no package given"},
		{"swarm ./a ./b", "got 2 packages: want one"},
		{"swarm -strategy nothing ./till", `unknown strategy "nothing"`},
		{"swarm -job a.b ./till", "letters, digits"},
		{"swarm -workers 0 ./till", "nobody would work"},
		{"swarm -workers 5000 ./till", "from 0 to 1024"},
		{"swarm -worker 2 ./till", "did you mean -workers?"},
		{"swarm -nats http://x ./till", "-nats: want nats://HOST:PORT"},
		{"swarm -nats nats:// ./till", "-nats: want nats://HOST:PORT"},
		{"swarm -nats " + far + " ./till", "sign with -sign FILE"},
		{"swarm -nats nats://127.0.0.1," + far + " ./till", "sign with -sign FILE"},
		{"swarm -nats " + far + " -sign " + none + " ./till", "-sign: stat " + none},
		{"swarm -sign " + filepath.Join(dir, "open") + " ./till", "chmod 600"},
		{"swarm -nats nats://[::1]:4222 -store s ./till", "give one of them"},
		{"swarm -nats nats://localhost -sync ./till", "-sync is about a server in this process"},
		{"swarm -creds x ./till", "-creds is about the server of -nats"},
		{"swarm -nats " + far + " -creds " + none + " ./till", "-creds: open " + none},
		{"swarm -nats " + far + " -creds " + dir + " ./till", "it is a folder"},
		{"swarm -nats " + far + " -tls-cert x ./till", "-tls-cert and -tls-key belong together"},
		{"swarm -replicas 3 ./till", "a server in this process is one"},
		{"swarm -nats nats://localhost -replicas 9 ./till", "want 1, 3 or 5"},
		{"swarm -limit 3GB ./till", "want a size such as 500MiB or 3GiB"},
		{"swarm -file =x ./till", "want PATH, or PATH=PLACE"},
		{"swarm -file none ./till", "-file none: there is no such file"},
		{"swarm -env NO_SUCH_VARIABLE ./till", "-env NO_SUCH_VARIABLE: the variable is not set"},
		{"swarm ./broken", "undefined: missing\nrehearse swarm: the test was not built"},
		{"swarm status a b", "want one job at most"},
		{"swarm status -first", "-first means nothing for swarm status"},
		{"swarm stop", "want one job"},
		{"swarm -first -keep-going 1 ./till", "give one of them"},
		{"swarm stop -json a", "-json means nothing for swarm stop"},
		{"swarm key", "want one file"},
		{"swarm key -nats " + far + " x", "-nats means nothing for swarm key"},
		{"swarm target", "say which targets"},
		{"swarm -first target . -- -panics", "-first means nothing for swarm target"},
		{"swarm -workers 0 target . -- -panics", "nobody would work"},
		{"swarm -nats " + far + " target . -- -panics", "sign with -sign FILE"},
		{"swarm target . -- -diff=HEAD~1", "-diff of rehearse target means nothing here: it asks git"},
		{"swarm target . -- -uncovered c.out", "its file does not travel"},
		{"swarm target . -- -panics -json", "give it before --"},
		{"worker ./till", `"./till": it takes flags only`},
		{"worker -workers 0", "from 1 to 1024"},
		{"worker -longest 10ms", "-longest 10ms: want 100ms at least"},
		{"swarm -longest 0s ./till", "-longest 0s: want 100ms at least"},
		{"worker -patience 10s", "-patience 10s: want more than a task takes, which is 10s (-longest)"},
		{"worker -nats " + far, "with -trust"},
		{"worker -nats " + far + " -trust x", "-trust: it is no key that `rehearse swarm key` has printed"},
		{"worker -nats " + far + " -trust " + public[1:], "is no key"},
		{"worker -trust " + strings.TrimSpace(string(secret)), "-trust: it seems to be a seed"},
		{"worker -trust " + strings.ToLower(string(secret)), "-trust: it is no key"},
	} {
		a := ask(t, strings.Fields(c.args)...)
		if a.request != nil || a.code != command.ExitError || !strings.Contains(a.err, c.want) {
			t.Errorf("%s: %d, %q, %+v, want %q", c.args, a.code, a.err, a.request, c.want)
		}
		if strings.Contains(strings.ToUpper(a.err), string(secret[:12])) {
			t.Errorf("%s: the seed is shown", c.args[:12])
		}
		if late := []string{"-file none", "NO_SUCH"}; strings.Contains(a.err, "built with") &&
			!slices.ContainsFunc(late, func(l string) bool { return strings.Contains(c.args, l) }) {
			t.Errorf("%s: the test was built first", c.args)
		}
	}
	t.Setenv("REHEARSE_REPLAY", "x")
	if a := ask(t, "swarm", "./till"); !strings.Contains(a.err, "REHEARSE_REPLAY means nothing for a swarm") {
		t.Errorf("%+v", a)
	}
}

// A password in a URL is in no error.
func TestPasswords(t *testing.T) {
	program(t)
	for _, url := range []string{"nats://user:passw0rd@%zz", "http://user:passw0rd@host", "nats://user:passw0rd@host:x"} {
		if a := ask(t, "worker", "-nats", url); a.code != command.ExitError || strings.Contains(a.err, "passw0rd") {
			t.Errorf("%s: %+v", url, a)
		}
	}
}
