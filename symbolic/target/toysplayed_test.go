package target_test

import (
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

// executor is the program that executes claims, and says of each whether the place was reached, and how far the order
// was followed. Its bounds are in executions and virtual time: it waits for a handler as long as that takes.
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
func executed(t *testing.T, systems []*toysys.System, claims []claim) []string {
	t.Helper()
	p := player{
		file: "main.go", text: executor, build: []string{"build"},
		imports: []string{"encoding/json", "fmt", "math", "os", "time", "github.com/rehearse-go/rehearse/actor", "github.com/rehearse-go/rehearse/explore",
			"github.com/rehearse-go/rehearse/internal/guide", "github.com/rehearse-go/rehearse/internal/search", "github.com/rehearse-go/rehearse/trace"},
		system: "%[1]s.Given, %[1]s.Reached[:]",
	}
	return played[string](t, p, systems, claims)
}
