package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

const (
	persistencePath = "github.com/asynkron/protoactor-go/persistence"
	remotePath      = "github.com/asynkron/protoactor-go/remote"
	clusterPath     = "github.com/asynkron/protoactor-go/cluster"
	anyPath         = "google.golang.org/protobuf/types/known/anypb"
	registry        = "(*" + model.ProtoactorPath + ".ProcessRegistryValue)."
)

// others are functions of libraries that call functions of the program, or keep something between calls.
var others = map[string]library{
	"fmt.Sprint": sprint, "fmt.Sprintf": sprintf,
	"sort.Slice": sortsBy, "sort.SliceStable": sortsBy,
	"math/rand.Shuffle": shuffles, "(*math/rand.Rand).Shuffle": shuffles, "math/rand/v2.Shuffle": shuffles,
	"(*math/rand/v2.Rand).Shuffle": shuffles,
	"context.WithCancel":           derived, "context.WithTimeout": derived, "context.WithDeadline": derived,
	"context.WithValue": derived,

	"(*" + persistencePath + ".Mixin).Recovering":      ownField("recovering"),
	"(*" + persistencePath + ".Mixin).Name":            ownField("name"),
	"(*" + persistencePath + ".Mixin).PersistReceive":  persists,
	"(*" + persistencePath + ".Mixin).PersistSnapshot": persists,

	"google.golang.org/protobuf/proto.Unmarshal": decodes, "encoding/json.Unmarshal": decodes, "(*" + anyPath + ".Any).UnmarshalTo": decodes, anyPath + ".UnmarshalTo": decodes, "google.golang.org/protobuf/encoding/protojson.Unmarshal": decodes,

	registry + "Get": elsewhere(0), registry + "GetLocal": elsewhere(0), registry + "NextId": elsewhere(0), registry + "Add": elsewhere(0), registry + "Remove": elsewhere(0),

	"(*time.Timer).Stop": elsewhere(0), "(*time.Timer).Reset": elsewhere(0), "(*time.Ticker).Stop": elsewhere(0), "(*time.Ticker).Reset": elsewhere(0),

	"(*github.com/rs/zerolog.Logger).Fatal": endless, "github.com/rs/zerolog/log.Fatal": endless,

	persistencePath + ".Using": onlyFramework, "github.com/asynkron/protoactor-go/scheduler.NewTimerScheduler": onlyFramework,

	"(*" + remotePath + ".Remote).Spawn": elsewhere(0), "(*" + remotePath + ".Remote).SpawnNamed": elsewhere(0),
	"(*" + clusterPath + ".Cluster).Request": elsewhere(3), "(*" + clusterPath + ".Cluster).Call": elsewhere(3),
	"(*" + clusterPath + ".Cluster).Get": elsewhere(0),
}

// sortsBy sorts the elements of a slice by a function of their indices, as package sort does with so few: by insertion.
func sortsBy(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	f, ok := settled(r.force(args[0])).(Face)
	if !ok || f.Type == nil {
		return nil, false
	}
	s, ok := r.force(f.Val).(Slice)
	if !ok {
		return nil, false
	}
	s = r.decide(s)
	if s.len > insertion {
		r.cut("a sort of more than %d elements by a function", insertion)
	}
	for i := 1; i < s.len; i++ {
		for j := i; j > 0 && r.truth(r.callValue(args[1], r.int(j), r.int(j-1)).(*term.Term)); j-- {
			a, b := s.mem.at(s.off+j), s.mem.at(s.off+j-1)
			x, y := r.load(a), r.load(b)
			r.storeAt(a, y)
			r.storeAt(b, x)
		}
	}
	return nil, true
}

// insertion is how many elements package sort sorts by insertion.
const insertion = 12

// shuffles draws a number for each element, as math/rand does, and swaps it with the one of that number.
func shuffles(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	n := r.among(args[len(args)-2].(*term.Term), r.config.Elements, "a shuffle of more than %d elements")
	r.mark(Env, "%s", fn.FullName())
	for i := n - 1; i > 0; i-- {
		drawn := r.input(r.unknownRoot(r.outside(fn.Name()), types.Typ[types.Int])).(*term.Term)
		r.assume(r.store.ULess(drawn, r.int(i+1)))
		r.callValue(args[len(args)-1], r.int(i), r.int(r.index(drawn, i+1)))
	}
	return nil, true
}

// derived makes a context of another one, and the function that cancels it.
func derived(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
	return results(sig, func(_ int, t types.Type) Value {
		if _, cancel := t.Underlying().(*types.Signature); cancel {
			return Func{Kind: cancelKind}
		}
		r.objects++
		return &Opaque{Type: t, Name: r.outside(fn.Name()), ref: r.store.Uint(sortReference, uint64(made+r.objects))}
	}), true
}

// cancelKind is the kind of functions that only tell those who wait elsewhere.
const cancelKind = "the end of a context"

// decodes writes into its second argument what it makes of the first one. What that is depends on that one alone, as
// far as anybody branches on it.
func decodes(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
	to := args[1]
	if f, ok := settled(r.force(to)).(Face); ok {
		to = f.Val
	}
	switch to.(type) {
	case Ptr, *InputPtr:
	default:
		return nil, false
	}
	p := r.deref(to)
	of := fn.FullName() + "(" + listed(r.terms(args[:1])) + ")"
	t := p.Obj.typ
	if len(p.Path) > 0 || p.Obj.at != nil && structOf(t) == nil {
		return nil, false
	}
	if p.Obj.at != nil {
		r.mark(Havoc, "%s, which may leave a part of what was there", fn.FullName())
	}
	r.storeAt(p, r.input(r.unknownRoot(r.outside(of), t)))
	return results(sig, func(_ int, t types.Type) Value { return r.input(r.unknownRoot(r.outside(of+".error"), t)) }), true
}

// ownField gives a field that a library keeps for itself in a part of the actor.
func ownField(name string) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		p := r.deref(args[0])
		return r.load(p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), name))), true
	}
}

// persists writes a message to the store of a persistent actor, which is an event. Every so many messages, as the store
// says, the actor is to write a snapshot: it is asked for that at once, within the call.
func persists(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	p := r.deref(args[0])
	r.outward("persist", args[1])
	if fn.Name() != "PersistReceive" {
		return nil, true
	}
	r.mark(Env, "how often the store wants a snapshot")
	due := r.input(r.unknownRoot(r.outside("snapshotDue"), types.Typ[types.Bool])).(*term.Term)
	if r.truth(due) {
		r.handleAgain(fn.Pkg())
	}
	index := p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), "eventIndex"))
	r.storeAt(index, r.store.Add(r.load(index).(*term.Term), r.int(1)))
	return nil, true
}

// handleAgain has the actor handle the message that asks it for a snapshot, in the middle of the one that it handles.
func (r *run) handleAgain(pkg *types.Package) {
	t := types.NewPointer(pkg.Scope().Lookup("RequestSnapshot").Type())
	if !r.entry.Handler || r.machine != nil || len(r.path.Args) < 2 {
		r.mark(Havoc, "the message that asks for a snapshot")
		return
	}
	message := r.message
	r.message = Face{t, Ptr{Obj: r.alloc(t.Elem(), r.zero(t.Elem()))}}
	r.callFunction(r.entry.Fn, r.path.Args, nil, nil)
	r.message = message
}

// elsewhere asks another process and waits for its answer. What is sent, if it is known which argument that is, is an
// event.
func elsewhere(msg int) library {
	return func(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
		r.mark(Env, "%s", fn.FullName())
		if msg > 0 && msg < len(args) {
			r.outward("call", args[msg])
		}
		return results(sig, func(_ int, t types.Type) Value { return r.input(r.unknownRoot(r.outside(fn.Name()), t)) }), true
	}
}

// outward notes that something is given to who is no actor of the program.
func (r *run) outward(op string, v Value) {
	c := &operating{}
	r.eventOf(op, c, nil, v)
}

// endless is the beginning of a call that ends the program.
func endless(r *run, fn *types.Func, _ *types.Signature, _ []Value) (Value, bool) {
	r.ends(fn)
	return nil, true
}

// onlyFramework makes something that only the framework looks into.
func onlyFramework(r *run, fn *types.Func, sig *types.Signature, _ []Value) (Value, bool) {
	return opaque(r, &operating{fn: fn, sig: sig}), true
}

// systemOf gives the actor system, which is the same each time. What is in it depends on neither the actor nor the
// message.
func systemOf(r *run, c *operating) Value {
	t := c.sig.Results().At(0).Type()
	if _, ok := t.Underlying().(*types.Pointer); !ok || c.fn.Name() != "ActorSystem" {
		return opaque(r, c)
	}
	at := r.unknownRoot("system", t)
	if known := r.named[at.key()]; known != nil {
		return known
	}
	p := &InputPtr{at: at, ref: r.store.Uint(sortReference, made-2)}
	r.named[at.key()] = p
	r.discover(p)
	return p
}
