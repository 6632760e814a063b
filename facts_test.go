package rehearse_test

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// registryFacts is what an analysis would say about subjects.Registry, in a file beside a copy of nothing: its sources
// are in a folder of the test's own.
func registryFacts(t *testing.T, spoil func(f *facts.File)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "registry.go"), []byte("package registry"), 0o666); err != nil {
		t.Fatal(err)
	}
	hash, err := facts.HashSource(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "github.com/rehearse-go/rehearse/subjects"
	handler := func(message, field string) facts.Handler {
		return facts.Handler{Actor: "subjects.registry", Message: "subjects." + message, At: "registry.go:43",
			Reads: []string{field}, Writes: []string{field}}
	}
	f := &facts.File{Package: pkg, Tool: facts.Analysis, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Sources:  []facts.Source{{Dir: "../..", Package: pkg, Tests: true, Hash: hash}},
		Actors:   []facts.Actor{{Name: "subjects.registry", Package: pkg, Fields: []string{"f", "g"}, Framework: "native"}},
		Handlers: []facts.Handler{handler("taskP", "f"), handler("taskM", "g"), handler("taskT", "g")}}
	if spoil != nil {
		spoil(f)
	}
	path := filepath.Join(dir, filepath.FromSlash(facts.Place))
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is said in a facts file saves executions where it is reckoned with, and the result says so; else the result says
// why it is not.
func TestFacts(t *testing.T) {
	good := registryFacts(t, nil)
	stale := registryFacts(t, func(f *facts.File) { f.Sources[0].Hash = "00" })
	elsewhere := registryFacts(t, func(f *facts.File) { f.Platform = "plan9/mips" })
	older := registryFacts(t, func(f *facts.File) { f.Tool = "0" })
	for name, tt := range map[string]struct {
		config rehearse.Config
		want   int
		said   string // about facts
	}{
		"used":       {rehearse.Config{Facts: good}, 2, "facts of 3 handlers were used"},
		"by source":  {rehearse.Config{Facts: good, Strategy: "source/LCA"}, 2, "facts of 3 handlers were used"},
		"under fifo": {rehearse.Config{Facts: good, Model: rehearse.FIFO}, 2, "facts of 3 handlers were used"},
		"beside declared": {rehearse.Config{Facts: good, Effects: subjects.RegistryEffects()[:1]}, 2,
			"facts of 2 handlers were used"},
		"off":             {rehearse.Config{Facts: "off"}, 6, ""},
		"none by default": {rehearse.Config{}, 6, ""},
		"by reverse":      {rehearse.Config{Facts: good, Strategy: "reverse"}, 2, "facts of 3 handlers were used"},
		"no use": {rehearse.Config{Facts: good, Strategy: "persistent/LCA"}, 6,
			"not used: they count for strategies such as source, optimal"},
		"under mailbox":    {rehearse.Config{Facts: good, Model: rehearse.Mailbox}, 2, "under bag, fifo and causal"},
		"stale":            {rehearse.Config{Facts: stale}, 6, "has changed since they were made"},
		"another platform": {rehearse.Config{Facts: elsewhere}, 6, "they were made for plan9/mips"},
		"by auto":          {rehearse.Config{Facts: good, Strategy: "auto"}, 0, "facts of 3 handlers were used"},
		"another analysis": {rehearse.Config{Facts: older}, 6, "the analysis has changed (from version 0 to"},
		"shared messages":  {rehearse.Config{Facts: good, ShareMessages: true}, 6, "messages share memory"},
		"under faults": {rehearse.Config{Facts: good, Strategy: "source", Faults: "drop"}, 0,
			"without asynchronous timers and injected faults"},
	} {
		c := tt.config
		c.Budget = "unlimited"
		if c.Strategy == "" {
			c.Strategy = "optimal"
		}
		r, err := rehearse.Explore(c, subjects.Registry())
		if err != nil || tt.want > 0 && r.Executions != tt.want || (tt.said == "") != (r.Facts == "") ||
			!strings.Contains(r.Facts, tt.said) ||
			!strings.Contains(r.String(), tt.said) {
			t.Errorf("%s: %d executions, facts %q, error %v; want %d and %q", name, r.Executions, r.Facts, err, tt.want, tt.said)
		}
	}
}

// What is wrong with a file, and a handler that does what no fact announces, is an error with its place.
func TestBadFacts(t *testing.T) {
	change := func(spoil func(h *facts.Handler)) string {
		return registryFacts(t, func(f *facts.File) { spoil(&f.Handlers[0]) })
	}
	cut := registryFacts(t, nil)
	if err := os.Truncate(cut, 100); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ path, want string }{
		"missing": {"no.facts", `facts "no.facts": there is no such file`},
		"cut off": {cut, filepath.ToSlash(cut) + ":1: the line does not end"},
		"a silent write": {change(func(h *facts.Handler) { h.Writes = nil }),
			"a broken fact: the handler of subjects.taskP by subjects.registry (registry.go:43) changed the field f and is " +
				"not announced to"},
		"another package": {registryFacts(t, func(f *facts.File) { f.Actors[0].Package = "example.com/subjects" }),
			"is that of package github.com/rehearse-go/rehearse/subjects, of which the facts tell nothing"},
	} {
		_, err := rehearse.Explore(rehearse.Config{Strategy: "optimal", Budget: "unlimited", Facts: tt.path},
			subjects.Registry())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
		if err != nil && strings.Contains(tt.want, "broken fact") &&
			!strings.Contains(err.Error(), "facts:4 says otherwise") {
			t.Errorf("%s: error %v does not cite the claim", name, err)
		}
	}
}

// A send that no fact announces is a broken fact, though sending is announced.
func TestUnannouncedSend(t *testing.T) {
	const pkg = "github.com/rehearse-go/rehearse/subjects"
	path := registryFacts(t, func(f *facts.File) {
		f.Actors = []facts.Actor{{Name: "subjects.registryWorker", Package: pkg, Framework: "native"}}
		f.Handlers = []facts.Handler{{Actor: "subjects.registryWorker", Message: "subjects.taskQ", At: "registry.go:56",
			Sends: []facts.Send{{Message: "subjects.taskT", At: "registry.go:59"}}}}
	})
	_, err := rehearse.Explore(rehearse.Config{Strategy: "optimal", Facts: path}, subjects.Registry())
	if want := "the handler of subjects.taskQ by subjects.registryWorker (registry.go:56) sent subjects.taskM and is " +
		"not announced to"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Systems that nobody holds to facts do without.
func TestFactsOfOtherSystems(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "optimal", Facts: registryFacts(t, nil), Model: rehearse.Bag},
		unchecked{subjects.Registry()})
	if err != nil || r.Executions != 6 || !strings.Contains(r.Facts, "nobody holds the actors") {
		t.Errorf("%d executions, facts %q, error %v", r.Executions, r.Facts, err)
	}
}

// unchecked is a System that does not check effects.
type unchecked struct{ rehearse.System }

func (u unchecked) DefaultModel() trace.Model { return u.System.DefaultModel() }

// Package variables that handlers use nobody can look at while the program runs; what facts say of them the result
// says, under models that facts leave no execution out of, too. Without facts it may be any. naive takes no steps to be
// independent, so it needs no word.
func TestFactsOfPackageVariables(t *testing.T) {
	with := func(unknown string) string {
		return registryFacts(t, func(f *facts.File) {
			f.Actors = append(f.Actors,
				facts.Actor{Name: "subjects.registryWorker", Package: f.Package, Framework: facts.Native})
			f.Handlers = append(f.Handlers,
				facts.Handler{Actor: "subjects.registry", Message: "subjects.taskX", At: "registry.go:50", Unknown: unknown},
				facts.Handler{Actor: "subjects.registryWorker", Message: facts.Rest})
		})
	}
	writes := with("it writes to a package variable, registry.go:51")
	uses, any := "the package variables that subjects.registry uses", "package variables (make facts: rehearse facts)"
	for _, tt := range []struct {
		path, want string
		cfg        rehearse.Config
	}{
		{writes, uses, rehearse.Config{}},
		{writes, uses, rehearse.Config{Model: rehearse.Mailbox}},
		{writes, "", rehearse.Config{Checks: rehearse.Levels{rehearse.Isolation: rehearse.Off}}},
		{writes, "", rehearse.Config{Strategy: "naive"}},
		{with("it calls what nobody knows"), "the package variables that subjects.registry may use", rehearse.Config{}},
		// nothing is said of this one
		{registryFacts(t, nil), "the package variables that subjects.registryWorker may use", rehearse.Config{}},
		{with(""), "", rehearse.Config{}},
		{"off", any, rehearse.Config{Strategy: "auto"}},
		{"", any, rehearse.Config{Model: rehearse.Mailbox}},
	} {
		tt.cfg.Strategy, tt.cfg.Facts = cmp.Or(tt.cfg.Strategy, "optimal"), tt.path
		if tt.cfg.Model == 0 {
			tt.cfg.Model = rehearse.Bag
		}
		r, err := rehearse.Explore(tt.cfg, subjects.Registry())
		if err != nil || !r.Complete || r.Unseen != tt.want || tt.want != "" &&
			!strings.Contains(r.String(), "nobody looked behind "+tt.want) {
			t.Errorf("facts %q, model %s: error %v, nobody looked behind %q, want %q\n%s", tt.path, tt.cfg.Model, err,
				r.Unseen, tt.want, r)
		}
	}
}

// Where handlers of two actors are known to use package variables, their steps are not independent: only what counts on
// that is not complete. One actor shares with nobody.
func TestFactsOfSharedVariables(t *testing.T) {
	uses := func(messages ...string) string {
		return registryFacts(t, func(f *facts.File) {
			f.Actors = append(f.Actors,
				facts.Actor{Name: "subjects.registryWorker", Package: f.Package, Framework: facts.Native})
			for _, m := range messages {
				f.Handlers = append(f.Handlers,
					facts.Handler{Actor: "subjects.registryWorker", Message: "subjects." + m, At: "registry.go:65",
						Unknown: "it uses the package variable app.users, which may change"})
			}
		})
	}
	const said = "the handlers of registryWorker#1 and registryWorker#2 use package variables"
	for _, tt := range []struct {
		facts, strategy string
		shared          bool
	}{
		{uses("taskQ", "taskH"), "optimal", true},
		{uses("taskQ", "taskH"), "auto", true},
		{uses("taskQ", "taskH"), "naive", false},
		{uses("taskQ"), "optimal", false}, // of the other's message nothing is known
	} {
		r, err := rehearse.Explore(rehearse.Config{Facts: tt.facts, Strategy: tt.strategy, Model: rehearse.Bag},
			subjects.Registry())
		named := strings.Contains(r.String(), said) && strings.Contains(r.String(), "app.users, which may change")
		if err != nil || r.Complete == tt.shared || named != tt.shared {
			t.Errorf("%s: want shared variables %v: error %v\n%s", tt.strategy, tt.shared, err, r)
		}
	}
}
