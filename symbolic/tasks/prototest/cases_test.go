package prototest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// subject is a handler to test, with random inputs for it.
type subject struct {
	dir, actor, message string
	recv                string // the receiver's name
	make                func(*rand.Rand) actor.Actor
	msg                 func(*rand.Rand) any
	queued              map[string]func(*rand.Rand) any
	answers             []any
	queue               int // how many messages may be in the queue in the beginning
}

// loaded reads a program once.
var loaded = map[string]func() (*load.Program, error){}

var loading sync.Mutex

func program(t *testing.T, dir string) *tasks.Program {
	t.Helper()
	loading.Lock()
	if loaded[dir] == nil {
		loaded[dir] = sync.OnceValues(func() (*load.Program, error) {
			return summary.Load(load.Config{Dir: dir, Patterns: []string{"."}, NoTests: true})
		})
	}
	read := loaded[dir]
	loading.Unlock()
	p, err := read()
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { solver.Close() })
	return tasks.New(t.Context(), p, store, solver)
}

func small(rng *rand.Rand) int { return rng.IntN(6) - 2 }

// somebody gives an actor of the outside, or nobody.
func somebody(rng *rand.Rand) *actor.PID {
	if rng.IntN(8) == 0 {
		return nil
	}
	return pid(outsiders[rng.IntN(len(outsiders))])
}

func limit(rng *rand.Rand) time.Duration { return time.Duration(rng.IntN(4)-1) * time.Second }

// draw is a random input: the seeds of what is made anew for each execution.
type draw struct {
	subject
	seed   uint64
	queue  []string
	values []any // of answers
}

// script makes the input, always the same.
func (d draw) script(answers []*tasks.Answer) script {
	rng := rand.New(rand.NewPCG(d.seed, 1))
	s := script{tested: d.make(rng), msg: d.msg(rng)}
	for _, name := range d.queue {
		s.queued, s.senders = append(s.queued, d.queued[name](rng)), append(s.senders, somebody(rng))
	}
	for i, a := range answers {
		s.answers = append(s.answers, answer{a.How, d.values[i]})
	}
	return s
}

// inputs gives names to it. Roots that are interfaces stay such.
func (d draw) inputs(p *tasks.Program, s script) *inputs {
	in := newInputs(p.Exec())
	in.roots[d.recv] = reflect.ValueOf(s.tested)
	in.roots["msg"] = reflect.ValueOf(s.msg)
	in.roots["sender"], in.roots["self"] = reflect.ValueOf(pid("collector")), reflect.ValueOf(pid("tested"))
	for i := range s.queued {
		in.roots[fmt.Sprint("queued", i+1)] = reflect.ValueOf(s.queued[i])
		in.roots[fmt.Sprint("sender", i+1)] = reflect.ValueOf(s.senders[i])
	}
	for i := range d.values {
		in.roots[fmt.Sprint("answer", i+1)] = reflect.ValueOf(&d.values[i]).Elem()
	}
	return in
}

// random draws inputs for the cases of a result.
func (s subject) random(rng *rand.Rand, queue int) draw {
	d := draw{subject: s, seed: rng.Uint64()}
	var names []string
	for name := range s.queued {
		names = append(names, name)
	}
	slices.Sort(names)
	for range queue {
		d.queue = append(d.queue, names[rng.IntN(len(names))])
	}
	for range 8 {
		d.values = append(d.values, s.answers[rng.IntN(len(s.answers))])
	}
	return d
}

// meets reports whether the input meets a case.
func (d draw) meets(t *testing.T, p *tasks.Program, c *tasks.Case) bool {
	t.Helper()
	m, err := d.inputs(p, d.script(c.Answers)).model(c.Constraints...)
	if err != nil {
		t.Fatal(err)
	}
	return m.Evaluator().Holds(c.Constraints...)
}

// agree executes a case on an input that meets it, and compares.
func (d draw) agree(t *testing.T, p *tasks.Program, config tasks.Config, c *tasks.Case) {
	t.Helper()
	before := d.inputs(p, d.script(c.Answers))
	e, err := follow(func() script { return d.script(c.Answers) }, config, c.Steps)
	if err != nil {
		t.Fatal(err)
	}
	at := func() string {
		return fmt.Sprintf("seed %d, queue %v, answers %v, case %v %v", d.seed, d.queue, d.values, c.Steps, c.Constraints)
	}
	if want := strings.HasPrefix(c.Verdict, "panic"); want != (e.panicked != "") {
		t.Fatalf("%s: panic %q, want %s", at(), e.panicked, c.Verdict)
	} else if want {
		return
	}
	for _, m := range c.Marks {
		if strings.HasPrefix(m.What, "a second answer") {
			return // the framework gives either
		}
	}
	if e.misfit != "" {
		t.Fatalf("%s: %s", at(), e.misfit)
	}
	after := d.inputs(p, e.script)
	after.keys, after.refs = before.keys, before.refs
	if (c.Verdict == "returned") != (len(e.result) > 0) {
		t.Fatalf("%s: replies %v, want %s", at(), e.result, c.Verdict)
	}
	if len(e.result) > 0 {
		after.roots["result"] = reflect.ValueOf(&e.result[0]).Elem()
	}
	for _, list := range [][]exec.Named{c.Final, c.Result} {
		for _, n := range list {
			before.same(t, after, n, at)
		}
	}
	d.sentAgree(t, before, e, c, at)
}

// same compares what a name stands for in the end with what the case says.
func (in *inputs) same(t *testing.T, after *inputs, n exec.Named, at func() string) {
	t.Helper()
	root := n.Name[:strings.IndexAny(n.Name+".", ".[!")]
	if _, known := after.roots[root]; !known {
		return // of an actor that was made in the run
	}
	in.walk(n.Name) // for its keys
	m, err := in.model(n.Term)
	if err != nil {
		t.Fatalf("%s: %v", at(), err)
	}
	want := m.Eval(n.Term)
	got, err := after.value(n.Name, n.Term.Sort)
	if err != nil {
		t.Fatalf("%s: %v", at(), err)
	}
	if strings.HasSuffix(n.Name, "!ref") {
		want, got = term.BoolValue(want.Bits == 0), term.BoolValue(got.Bits == 0)
	}
	if got != want {
		t.Fatalf("%s: %s is %v in the end, want %v, which is %v", at(), n.Name, got, want, n.Term)
	}
}

// sentAgree compares what others have got.
func (d draw) sentAgree(t *testing.T, before *inputs, e *ended, c *tasks.Case, at func() string) {
	t.Helper()
	sent := slices.DeleteFunc(slices.Clone(c.Sent), func(s tasks.Sent) bool { return s.To.Const() && s.To.Val == 0 })
	if len(sent) != len(e.sent) {
		t.Fatalf("%s: sends %v, want %v", at(), e.sent, sent)
	}
	for i, s := range sent {
		if got := fmt.Sprintf("%T", e.sent[i].msg); s.Message != "any" && got != s.Message {
			t.Fatalf("%s: sends %s, want %s", at(), got, s.Message)
		}
		after := newInputs(before.program)
		after.roots["msg"] = reflect.ValueOf(e.sent[i].msg)
		for _, n := range s.Fields {
			if s.Message != "any" && !strings.Contains(n.Name, ".*") { // what is in an error of the framework is no input
				before.same(t, after, n, at)
			}
		}
	}
}
