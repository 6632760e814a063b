package target_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes the ways that were found: the compiled program with the messages and the order of each.

// claim is a way for the program that executes it.
type claim struct {
	System, Place int
	Model         trace.Model
	Sends         [][4]int
	Order         trace.Order
}

// claimOf tells a way: the values that the solver has chosen for the messages from outside.
func claimOf(i, place int, m trace.Model, way *system.Way, shape func(system.External) int) claim {
	c := claim{System: i, Place: place, Model: m, Order: way.Order}
	eval := way.Model.Evaluator()
	for _, e := range way.Outside {
		send := [4]int{e.To, shape(e), 0, 0}
		for _, n := range e.Flat {
			switch v := int(eval.Eval(n.Term).Int()); n.Name {
			case "msg.N":
				send[2] = v
			case "msg.R!ref":
				send[3] = v
			}
		}
		c.Sends = append(c.Sends, send)
	}
	return c
}

// executor is the program that executes claims, and says of each whether the place was reached, and how far the order was followed. Its bounds are in executions
// and virtual time: it waits for a handler as long as that takes.
const executor = `
type claim struct {
	System, Place int
	Model         trace.Model
	Sends         [][4]int
	Order         trace.Order
}

type system struct {
	given   func([][4]int) *actor.System
	reached []bool
}

// following follows an order until that has led to the place.
type following struct {
	*guide.Strategy
	reached []bool
	place   int
}

func (f *following) arrived() bool { return f.reached[f.place] && f.Followed() }

func (f *following) Start() bool {
	if f.arrived() {
		return false
	}
	clear(f.reached)
	return f.Strategy.Start()
}

// any executes all orders until one leads to the place, to say whether the names of the order are to blame.
type any struct {
	*search.Naive
	reached []bool
	place   int
}

func (a *any) Start() bool { return !a.reached[a.place] && a.Naive.Start() }

func main() {
	out := json.NewEncoder(os.Stdout)
	for in := json.NewDecoder(os.Stdin); in.More(); {
		var c claim
		if err := in.Decode(&c); err != nil {
			panic(err)
		}
		s := systems[c.System]
		clear(s.reached)
		f := &following{guide.New(c.Order), s.reached, c.Place}
		o := explore.Options{Conditions: explore.Conditions{Model: c.Model, Copy: true, Horizon: time.Minute, Blocked: math.MaxInt64}, Budget: explore.Budget{Executions: 200}, MaxSteps: 200}
		said := "covered"
		if _, err := explore.Run(s.given(c.Sends), f, o); err != nil {
			said = err.Error()
		} else if !f.arrived() {
			at, of := f.Entries()
			said = fmt.Sprintf("not reached: %d of %d entries followed", at, of)
			clear(s.reached)
			o.Budget.Executions = 5000
			if _, err := explore.Run(s.given(c.Sends), &any{search.NewNaive(), s.reached, c.Place}, o); err != nil {
				said += ": " + err.Error()
			} else if s.reached[c.Place] {
				said = "covered, in an order of these messages that the names do not tell apart from others"
			}
		}
		if err := out.Encode(said); err != nil {
			panic(err)
		}
	}
}
`

// executed executes claims, and gives what is said of each.
func executed(t *testing.T, systems []*toysys.System, claims []claim) (said []string) {
	t.Helper()
	dir := toysys.TestModule(t, systems, true)
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"math\"\n\t\"os\"\n\t\"time\"\n\n\t\"github.com/rehearse-go/rehearse/actor\"\n\t\"github.com/rehearse-go/rehearse/explore\"\n\t\"github.com/rehearse-go/rehearse/internal/guide\"\n\t\"github.com/rehearse-go/rehearse/internal/search\"\n\t\"github.com/rehearse-go/rehearse/trace\"\n")
	for i := range systems {
		fmt.Fprintf(&text, "\t\"%s/%s\"\n", toysys.ModulePath, toysys.Package(i))
	}
	text.WriteString(")\n" + executor + "\nvar systems = []system{\n")
	for i := range systems {
		fmt.Fprintf(&text, "\t{%[1]s.Given, %[1]s.Reached[:]},\n", toysys.Package(i))
	}
	write(t, dir, "main.go", text.String()+"}\n")
	if out, err := osexec.Command("go", "build", "-C", dir, "-ldflags=-w -s", "-o", "m", ".").CombinedOutput(); err != nil {
		t.Fatalf("the systems do not compile: %v\n%s", err, out)
	}
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, c := range claims {
		if err := e.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	cmd := osexec.CommandContext(t.Context(), filepath.Join(dir, "m"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REHEARSE_") })
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the systems: %v", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var s string
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
		said = append(said, s)
	}
	if len(said) != len(claims) {
		t.Fatalf("%d of %d ways were executed", len(said), len(claims))
	}
	return said
}
