package law

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// law says who may import whom: the package before the colon may import those after it, and whatever those may import.
// "x/..." stands for x and all packages below it. Only the standard library needs no permission. A package that is not
// in the table may not exist: put it where it belongs, lower is better.
const law = `
	# The vocabulary, the loop, and what executes or chooses. Deterministic, free of I/O.
	trace:
	explore: trace
	internal/bitset:
	internal/delivery: trace internal/bitset
	internal/search: explore
	internal/sample: internal/search
	internal/cover: internal/search internal/bitset
	internal/order: explore
	internal/causal: explore internal/delivery
	internal/baseline: internal/causal internal/order
	internal/dpor: internal/causal internal/order internal/search
	internal/reverse: internal/causal internal/search
	internal/guide: internal/causal
	internal/replay: explore
	internal/stateful: internal/causal
	internal/strategies: internal/sample internal/cover internal/stateful internal/baseline internal/dpor
	+ internal/reverse
	internal/check: explore internal/chance internal/render
	internal/reach: explore

	# From a finding to a story.
	internal/explain: internal/replay
	internal/render: trace
	internal/report: internal/explain internal/render
	internal/byhand: internal/replay internal/render

	# The world outside: variables, files, logs, time.
	internal/files:
	internal/settings: internal/strategies internal/chance
	internal/record: internal/report
	internal/facts: explore internal/files
	internal/formats: trace
	# It validates what formats writes, in a module of its own: nobody else needs what validates.
	internal/formats/schematest: internal/formats github.com/owenrumney/go-sarif/... github.com/xeipuuv/gojsonschema
	internal/saved: explore internal/files
	internal/profile: internal/cover internal/files
	internal/child:
	internal/targets: internal/child
	internal/parallel: internal/search internal/files internal/child internal/saved
	internal/startstate: explore internal/files
	internal/gotest:
	internal/chance: explore internal/goroutine
	internal/goroutine:
	internal/memory: internal/chance
	internal/tests/law:

	# One exploration from its plan to what is saved of it. What it tells the test is the root package's affair.
	internal/session: internal/strategies internal/causal internal/guide internal/check internal/reach
	+ internal/chance internal/facts internal/report internal/saved internal/profile internal/parallel
	+ internal/gotest internal/startstate internal/byhand

	# Entry points of the user. The root package knows no System, and no System knows the root package.
	.: internal/session internal/settings internal/record internal/gotest
	internal/onestep: explore
	actor/steptest: actor internal/onestep
	actor: explore internal/chance internal/facts internal/delivery internal/goroutine internal/memory
	+ internal/startstate github.com/huandu/go-clone/...
	adapter: explore internal/chance internal/facts internal/delivery internal/goroutine internal/startstate
	# The framework's registry is made of concurrent maps; their number is its cost.
	adapter/goakt/...: adapter internal/onestep github.com/tochemey/goakt/... github.com/reugn/...
	+ github.com/flowchartsman/...
	adapter/hollywood/...: adapter internal/onestep github.com/anthdm/hollywood/...
	adapter/protoactor/...: adapter internal/onestep github.com/asynkron/protoactor-go/...
	+ github.com/orcaman/concurrent-map

	# The static half, a module of its own: what a program can do, from its source. It knows the other half's names, not its code.
	static/load: golang.org/x/tools/...
	static/model: static/load
	static/points: static/model
	static/flow: static/points
	static/prove: static/model
	static/vet/internal/frame: static/model
	static/vet/internal/outside: static/vet/internal/frame
	static/vet/internal/share: static/vet/internal/frame
	static/vet/internal/oneprocess: static/model
	static/vet: static/vet/internal/outside static/vet/internal/share static/vet/internal/oneprocess
	static/effects: static/flow internal/facts
	static/chain: static/flow
	static/finding: static/flow
	static/graph: static/chain static/finding trace
	static/internal/sketch: static/flow
	static/internal/sampled: golang.org/x/tools/...

	# Symbolic execution of handlers, a module of its own: no test of a user links a solver.
	symbolic/term:
	symbolic/internal/random: symbolic/term
	symbolic/solve/internal/circuit: github.com/go-air/gini/...
	symbolic/solve/internal/smtlib: symbolic/term
	symbolic/solve: symbolic/solve/internal/circuit symbolic/solve/internal/smtlib
	symbolic/exec: static/model symbolic/solve
	symbolic/summary: symbolic/exec
	# Holds summaries to executions, for tests.
	symbolic/internal/concrete: symbolic/summary explore internal/startstate
	# Random small systems and their twin, for tests.
	symbolic/internal/toysys: trace
	symbolic/tasks: symbolic/summary
	# Its cases are executed by programs of the framework, in a module of their own: what reads programs needs none.
	symbolic/tasks/prototest/...: github.com/asynkron/protoactor-go/...
	symbolic/cases: symbolic/tasks
	symbolic/gentest: symbolic/cases
	symbolic/reachtest: symbolic/gentest symbolic/system internal/saved internal/record internal/render
	symbolic/system: symbolic/summary static/flow internal/check internal/delivery internal/render internal/startstate
	symbolic/target: symbolic/system static/prove internal/bitset
	symbolic/tap: symbolic/system

	# One exploration over many machines, a module of its own: nobody else links a message broker.
	scale/internal/broker: internal/files github.com/nats-io/...
	scale/internal/streams: github.com/nats-io/...
	# What a thousand workers do, in virtual time.
	scale/internal/simulate:
	scale/internal/bundle: internal/facts internal/settings github.com/nats-io/nkeys/...
	scale/internal/request: scale/internal/bundle
	scale/internal/cli: internal/command scale/internal/request scale/internal/streams
	scale/internal/swarm: scale/internal/bundle scale/internal/streams internal/parallel internal/child
	+ internal/strategies internal/report internal/targets github.com/nats-io/nats.go
	scale/rehearse-swarm: scale/internal/cli scale/internal/broker scale/internal/streams scale/internal/swarm
	+ github.com/nats-io/nats.go

	# What commands consist of, those too that are programs of their own.
	internal/command: internal/settings internal/facts internal/files

	# Programs: for tests, for newcomers, for the shell.
	internal/tests/chancetest: internal/chance
	internal/tests/choosers:
	internal/tests/uncontrolled: . internal/goroutine
	internal/tests/agree: internal/causal internal/strategies
	internal/tests/answers: internal/causal internal/sample
	internal/tests/failing:
	internal/tests/long: actor
	internal/tests/mutants:
	internal/tests/markup:
	internal/tests/features: adapter internal/check internal/replay internal/tests/agree
	# What each adapter runs. It links no framework: two of them cannot be in one binary.
	adapter/conform: . actor internal/tests/features
	internal/tests/toy: internal/check internal/delivery internal/replay internal/sample
	published:
	subjects/...: . actor
	examples/...: . actor adapter/protoactor/... internal/tests/markup github.com/asynkron/protoactor-go/...
	savina/...: actor github.com/asynkron/protoactor-go/...
	cmd/rehearse: cmd/rehearse/internal/cli
	cmd/rehearse/internal/overlay:
	cmd/rehearse/internal/reproduce: published subjects/... internal/strategies
	# What makes the page of its source is a module of its own: nothing that is shipped links it.
	cmd/rehearse/internal/explorer/bundle: github.com/evanw/esbuild/...
	cmd/rehearse/internal/explorer: internal/byhand internal/child internal/files
	cmd/rehearse/internal/export: internal/report
	cmd/rehearse/internal/layered: trace
	cmd/rehearse/internal/cli: internal/command cmd/rehearse/internal/overlay cmd/rehearse/internal/explorer
	+ internal/record internal/formats internal/render internal/settings internal/chance internal/profile
	+ cmd/rehearse/internal/reproduce trace internal/facts internal/files cmd/rehearse/internal/export
	+ cmd/rehearse/internal/layered
	# What reads sources is a command of its own, so that the other one is built without the static half.
	cmd/rehearse/rehearse-source: cmd/rehearse/internal/source
	cmd/rehearse/internal/source: cmd/rehearse/internal/cli static/vet static/graph static/finding static/effects
	+ symbolic/gentest published symbolic/reachtest symbolic/target symbolic/tap internal/record internal/targets
`

// testLaw lists what only tests may import from outside of the repository. Inside it tests may import anything, since
// the go command forbids cycles and internal/ the rest.
const testLaw = `
	cmd/rehearse/internal/cli: github.com/rogpeppe/go-internal/...
	adapter/...: github.com/anthdm/hollywood/... github.com/asynkron/protoactor-go/... google.golang.org/protobuf/...
	examples/...: github.com/asynkron/protoactor-go/...
	savina/...: github.com/asynkron/protoactor-go/...
`

// rules is a parsed table.
type rules map[string][]string

func parseRules(table string) (rules, error) {
	r := rules{}
	last := ""
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if more, ok := strings.CutPrefix(line, "+"); ok {
			r[last] = append(r[last], strings.Fields(more)...)
			continue
		}
		name, may, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%q: want package: imports", line)
		}
		if _, twice := r[name]; twice {
			return nil, fmt.Errorf("%s is in the table twice", name)
		}
		r[name], last = strings.Fields(may), name
	}
	return r, nil
}

// covers reports whether a pattern of the table stands for the package.
func covers(pattern, pkg string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	return pattern == pkg
}

// find gives the pattern whose row is the package's.
func (r rules) find(pkg string) (string, bool) {
	for pattern := range r {
		if covers(pattern, pkg) {
			return pattern, true
		}
	}
	return "", false
}

// allows reports whether the row of pattern permits an import, directly or through what it may import.
func (r rules) allows(pattern, imported string, seen map[string]bool) bool {
	if seen[pattern] {
		return false
	}
	seen[pattern] = true
	for _, may := range r[pattern] {
		if covers(may, imported) || r.allows(may, imported, seen) {
			return true
		}
	}
	return false
}

// standard reports whether an import path is of the standard library: its first element has no dot. Packages of the
// repository are named relative to it, so they are told apart by the table.
func (r rules) standard(imported string) bool {
	if _, ours := r.find(imported); ours {
		return false
	}
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// judge lists the imports of a file that the table forbids.
func (r rules) judge(f *file) []string {
	own, ok := r.find(f.pkg)
	if !ok {
		return []string{fmt.Sprintf("%s: package %s is not in the table of imports_test.go: add it where it belongs", f.name,
			f.pkg)}
	}
	var bad []string
	for _, imported := range f.imports() {
		if !r.standard(imported) && !covers(own, imported) && !r.allows(own, imported, map[string]bool{}) {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %s", f.name, f.pkg, imported))
		}
	}
	return bad
}

// judgeTest lists the imports of a test file from outside of the repository that neither table allows.
func (r rules) judgeTest(f *file, tests rules) []string {
	var bad []string
	for _, imported := range f.imports() {
		first, _, _ := strings.Cut(imported, "/")
		if imported == "." || !strings.Contains(first, ".") {
			continue
		}
		own, _ := r.find(f.pkg)
		ownTest, _ := tests.find(f.pkg)
		if !r.allows(own, imported, map[string]bool{}) && !tests.allows(ownTest, imported, map[string]bool{}) {
			bad = append(bad, fmt.Sprintf("%s: tests of %s may not import %s", f.name, f.pkg, imported))
		}
	}
	return bad
}

func tables(t *testing.T) (code, tests rules) {
	t.Helper()
	code, err := parseRules(law)
	if err != nil {
		t.Fatal(err)
	}
	tests, err = parseRules(testLaw)
	if err != nil {
		t.Fatal(err)
	}
	return code, tests
}

func TestImports(t *testing.T) {
	code, tests := tables(t)
	for _, f := range tree(t) {
		bad := code.judge
		if f.test {
			bad = func(f *file) []string { return code.judgeTest(f, tests) }
		}
		for _, b := range bad(f) {
			t.Error(b)
		}
	}
}

// A row that refers to a package without a row would allow what nobody meant.
func TestTableIsClosed(t *testing.T) {
	code, _ := tables(t)
	for name, may := range code {
		for _, m := range may {
			if _, ours := code[m]; !ours && code.standard(m) {
				t.Errorf("%s may import %s, which has no row", name, m)
			}
			if code.allows(m, strings.TrimSuffix(name, "/..."), map[string]bool{}) {
				t.Errorf("%s and %s may import each other", name, m)
			}
		}
	}
}

func TestImportsFindsBreaches(t *testing.T) {
	code, tests := tables(t)
	for _, c := range []struct{ name, imports, want string }{
		{"trace/x.go", `"fmt"`, ""},
		{"trace/x.go", `"github.com/rehearse-go/rehearse/explore"`, "trace may not import explore"},
		{"internal/strategies/x.go", `"github.com/rehearse-go/rehearse/trace"`, ""},
		{"internal/search/x.go", `"github.com/rehearse-go/rehearse/internal/sample"`,
			"internal/search may not import internal/sample"},
		{"rehearse.go", `"github.com/rehearse-go/rehearse/actor"`, ". may not import actor"},
		{"rehearse.go", `"github.com/asynkron/protoactor-go/actor"`,
			". may not import github.com/asynkron/protoactor-go/actor"},
		{"actor/x.go", `"github.com/rehearse-go/rehearse"`, "actor may not import ."},
		{"actor/x.go", `"github.com/huandu/go-clone"`, ""},
		{"adapter/protoactor/x.go", `"github.com/asynkron/protoactor-go/actor"`, ""},
		{"adapter/protoactor/x.go", `"golang.org/x/exp/maps"`, "adapter/protoactor may not import golang.org/x/exp/maps"},
		{"examples/bank/x.go", `"github.com/rehearse-go/rehearse/examples/internal/shows"`, ""},
		{"internal/misc/x.go", `"fmt"`, "package internal/misc is not in the table"},
		{"cmd/rehearse/internal/cli/x.go", `"github.com/rogpeppe/go-internal/testscript"`,
			"may not import github.com/rogpeppe"},
		{"cmd/rehearse/internal/cli/x_test.go", `"github.com/rogpeppe/go-internal/testscript"`, ""},
		{"trace/x_test.go", `"github.com/google/go-cmp/cmp"`, "tests of trace may not import github.com/google/go-cmp/cmp"},
		{"trace/x_test.go", `"github.com/rehearse-go/rehearse/internal/tests/toy"`, ""},
	} {
		f := mustParse(t, c.name, "package p\nimport "+c.imports+"\n")
		got := code.judge
		if f.test {
			got = func(f *file) []string { return code.judgeTest(f, tests) }
		}
		bad := got(f)
		if c.want == "" && len(bad) > 0 || c.want != "" &&
			!slices.ContainsFunc(bad, func(b string) bool { return strings.Contains(b, c.want) }) {
			t.Errorf("%s with import %s: %q, want %q", c.name, c.imports, bad, c.want)
		}
	}
}
