package overlay

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs handlers on random inputs: an actor in a random state gets a few random messages, of which the first is of the handler, among other actors of
// the package, which are in random states, too. What comes of it is a text, whose hash is printed. So two programs can be compared. Nothing here knows how
// generated tests come about.

// randomTarget is a handler.
type randomTarget struct {
	name       string
	actor, msg any // of these types; msg is nil if it is any
}

var (
	randomTargets []randomTarget
	randomPackage string
)

const (
	randomOthers = 3  // actors besides the tested one
	randomSteps  = 60 // of a run

	// After this time a handler does not come to its end. Then the test fails, since nothing ends it.
	randomPatience = 5 * time.Second
)

// TestRandomRuns prints a line for each run. GENTEST_RANDOM is the first one, and how many there are of each handler; GENTEST_SKIP lists runs to leave out.
func TestRandomRuns(t *testing.T) {
	var first, each int
	fmt.Sscanf(os.Getenv("GENTEST_RANDOM"), "%d,%d", &first, &each)
	skip := strings.Split(os.Getenv("GENTEST_SKIP"), ",")
	for n := first; n < each*len(randomTargets); n++ {
		r := &randomRun{target: randomTargets[n%len(randomTargets)], seed: uint64(n)}
		if !slices.Contains(skip, strconv.Itoa(n)) {
			h := fnv.New64a()
			h.Write([]byte(r.text(t)))
			fmt.Printf("run %d of %s: %x\n", n, r.target.name, h.Sum64())
		}
	}
}

// randomRun is one run. It is the strategy of its execution, and judges it.
type randomRun struct {
	target randomTarget
	seed   uint64
	rng    *rand.Rand
	begun  bool
	actors []*randomActor
	refs   []actor.Ref
	out    strings.Builder
}

// text executes the run, and tells what has come of it.
func (r *randomRun) text(t *testing.T) string {
	order := rand.New(rand.NewPCG(r.seed, 2))
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		r.rng, r.actors, r.refs = rand.New(rand.NewPCG(r.seed, 1)), nil, nil
		for range 1 + randomOthers {
			a := &randomActor{run: r}
			r.actors, r.refs = append(r.actors, a), append(r.refs, ctx.Spawn(a))
		}
		for i, a := range r.actors {
			typ := reflect.TypeOf(r.target.actor)
			if i > 0 {
				typ = reflect.TypeOf(randomTargets[r.rng.IntN(len(randomTargets))].actor)
			}
			a.inner = r.value(typ, 3).Interface().(actor.Behavior)
		}
		if r.rng.IntN(4) == 0 {
			ctx.Send(r.refs[0], randomStart{})
		}
		if r.target.msg == nil {
			ctx.Send(r.refs[0], r.message())
		} else {
			ctx.Send(r.refs[0], r.value(reflect.TypeOf(r.target.msg), 3).Interface())
		}
		for range r.rng.IntN(3) {
			ctx.Send(r.refs[0], r.message())
		}
	})
	_, err := explore.Run(sys, &randomOrder{rng: order}, explore.Options{Conditions: explore.Conditions{Model: trace.FIFO, Horizon: time.Minute, Blocked: randomPatience, Copy: true},
		Budget: explore.Budget{Executions: 1}, MaxSteps: randomSteps, Check: r, Rerun: true})
	if err != nil {
		t.Fatalf("%s: %v", r.target.name, err)
	}
	return r.out.String()
}

// message is a random message: more often one that the tested actor has a handler for.
func (r *randomRun) message() any {
	for range 20 {
		t := randomTargets[r.rng.IntN(len(randomTargets))]
		if t.msg != nil && (reflect.TypeOf(t.actor) == reflect.TypeOf(r.target.actor) || r.rng.IntN(20) == 0) {
			return r.value(reflect.TypeOf(t.msg), 3).Interface()
		}
	}
	return r.rng.IntN(4)
}

// randomActor is an actor whose state is made after its reference.
type randomActor struct {
	run   *randomRun
	inner actor.Behavior
}

// randomStart has the start hook run.
type randomStart struct{}

// Receive passes a message on.
func (a *randomActor) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(randomStart); ok {
		if s, ok := a.inner.(actor.Starter); ok {
			s.Start(ctx)
		}
		return
	}
	a.inner.Receive(ctx, msg)
}

// Accepts asks the actor, if it has constraints.
func (a *randomActor) Accepts(msg any) bool {
	if _, ok := msg.(randomStart); ok {
		return true
	}
	if b, ok := a.inner.(actor.Accepter); ok {
		return b.Accepts(msg)
	}
	return true
}

// randomOrder chooses steps at random.
type randomOrder struct {
	rng   *rand.Rand
	begun bool
}

func (*randomOrder) Name() string             { return "step" }
func (*randomOrder) Learn(*trace.Trace, bool) {}
func (*randomOrder) Complete() bool           { return false }

func (o *randomOrder) Start() (first bool) { first, o.begun = !o.begun, true; return first }

func (o *randomOrder) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	return explore.Choice{Index: o.rng.IntN(len(enabled))}
}

// Step notes what goes wrong.
func (r *randomRun) Step(x explore.Execution, event int32) []trace.Violation {
	e := &x.Trace().Events[event]
	fmt.Fprintf(&r.out, "step %d %d changes %v stops %v\n", e.Step.Kind, e.Step.Actor, e.Changes, e.Stopped)
	for _, in := range e.Incidents {
		text, _, _ := strings.Cut(in.Text, "\n")
		fmt.Fprintf(&r.out, "%v %d %s %s\n", in.Kind, in.Actor, in.Type, text)
	}
	return nil
}

// End notes messages and states.
func (r *randomRun) End(x explore.Execution, _ bool, late []trace.Incident) []trace.Violation {
	tr := x.Trace()
	for i := range tr.Messages {
		m := &tr.Messages[i]
		fmt.Fprintf(&r.out, "message %d from %d to %d: ", m.Kind, m.Sender, m.Receiver)
		r.dump(reflect.ValueOf(m.Value), map[unsafe.Pointer]int{})
	}
	for i := range tr.Actors {
		fmt.Fprintf(&r.out, "actor %d %s: ", i, tr.Actors[i].Type.Name)
		state := x.State(int32(i))
		if a, ok := state.(*randomActor); ok {
			state = a.inner
		}
		r.dump(reflect.ValueOf(state), map[unsafe.Pointer]int{})
	}
	fmt.Fprintf(&r.out, "%d late\n", len(late))
	return nil
}

var randomRef = reflect.TypeFor[actor.Ref]()

// value gives a random value of a type.
func (r *randomRun) value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if t == randomRef {
		if n := r.rng.IntN(len(r.refs) + 1); n < len(r.refs) {
			v.Set(reflect.ValueOf(r.refs[n]))
		}
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(r.rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.number())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(max(r.number(), 0)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(r.number()) / 2)
	case reflect.String:
		v.SetString([]string{"", "a", "b", "ab", "a b"}[r.rng.IntN(5)])
	case reflect.Pointer:
		if r.own(t.Elem()) && depth > 0 && (depth == 3 || r.rng.IntN(5) > 0) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(r.value(t.Elem(), depth-1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := v.Field(i)
			if r.own(t) {
				reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(r.value(f.Type(), depth-1))
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(r.value(t.Elem(), depth-1))
		}
	case reflect.Slice:
		for range r.size(depth) {
			v.Set(reflect.Append(v, r.value(t.Elem(), depth-1)))
		}
	case reflect.Map:
		if r.rng.IntN(8) > 0 {
			v.Set(reflect.MakeMap(t))
			for range r.size(depth) {
				v.SetMapIndex(r.value(t.Key(), depth-1), r.value(t.Elem(), depth-1))
			}
		}
	case reflect.Interface:
		r.dynamic(v, depth)
	}
	return v
}

// number is mostly small, so that comparisons hold often enough.
func (r *randomRun) number() int64 {
	switch r.rng.IntN(8) {
	case 0:
		return -int64(r.rng.IntN(4))
	case 1:
		return int64(r.rng.IntN(100))
	}
	return int64(r.rng.IntN(5))
}

func (r *randomRun) size(depth int) int {
	if depth <= 0 {
		return 0
	}
	return r.rng.IntN(5)
}

// own reports whether values of a type are made, and not left as they are: those of this package, and those without a name.
func (r *randomRun) own(t reflect.Type) bool {
	return t.PkgPath() == "" || t.PkgPath() == randomPackage
}

// dynamic gives an interface a value of an actor's or message's type.
func (r *randomRun) dynamic(v reflect.Value, depth int) {
	if depth <= 0 {
		return
	}
	if v.NumMethod() == 0 && r.rng.IntN(3) == 0 {
		v.Set(reflect.ValueOf(int(r.number())))
		return
	}
	for range 10 {
		t := randomTargets[r.rng.IntN(len(randomTargets))]
		for _, x := range []any{t.msg, t.actor} {
			if x != nil && reflect.TypeOf(x).Implements(v.Type()) {
				v.Set(r.value(reflect.TypeOf(x), depth-1))
				return
			}
		}
	}
}

// dump writes a value, with what its pointers lead to.
func (r *randomRun) dump(v reflect.Value, seen map[unsafe.Pointer]int) {
	r.write(&r.out, v, seen)
	r.out.WriteByte('\n')
}

func (r *randomRun) write(out *strings.Builder, v reflect.Value, seen map[unsafe.Pointer]int) {
	if !v.IsValid() {
		out.WriteString("none")
		return
	}
	fmt.Fprintf(out, "%s ", v.Type())
	switch v.Kind() {
	case reflect.Pointer:
		at := v.UnsafePointer()
		if n, ok := seen[at]; ok || v.IsNil() {
			fmt.Fprintf(out, "at %d", n)
			return
		}
		if seen[at] = len(seen) + 1; r.own(v.Type().Elem()) {
			r.write(out, v.Elem(), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if r.own(v.Type()) || v.Type() == randomRef {
				r.write(out, v.Field(i), seen)
			}
		}
	case reflect.Interface:
		r.write(out, v.Elem(), seen)
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(out, "%d[", v.Len())
		for i := range v.Len() {
			r.write(out, v.Index(i), seen)
		}
		out.WriteByte(']')
	case reflect.Map:
		r.writeMap(out, v, seen)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(out, "nil %v", v.IsNil())
	default:
		fmt.Fprintf(out, "%v ", v)
	}
}

func (r *randomRun) writeMap(out *strings.Builder, v reflect.Value, seen map[unsafe.Pointer]int) {
	var list []string
	for _, k := range v.MapKeys() {
		var b strings.Builder
		r.write(&b, k, seen)
		r.write(&b, v.MapIndex(k), seen)
		list = append(list, b.String())
	}
	slices.Sort(list)
	fmt.Fprintf(out, "map%v%v", v.IsNil(), list)
}
