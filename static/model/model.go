// Package model tells what functions do whose source is not read: those of actor frameworks and of the standard
// library.
//
//	model.go       operations, rows, and how a function's row is found
//	protoactor.go  the rows of protoactor-go
//	hollywood.go   the rows of Hollywood; goakt.go: of GoAkt
//	native.go      the rows of native actors and of the entry points of Rehearse
//	frameworks.go  which functions handle the messages of which framework
//	library.go     what functions of libraries do to memory, and what methods of the program they may call
//	outside.go     which of them reach beyond the program: the clock, files, locks
//	std.go         the rest of the standard library: values, and which functions never return or give no nil
//	leads.go       which types may lead to memory
//	types.go       what the pointers in types of libraries lead to
//	names.go       types as the dynamic half names them
//
// There is one row a function, keyed by types.Func.FullName; to add a framework is to add rows. A function without a
// row, whose source is not read either, is unknown: what it gives may be anything, and the analyses say so instead of
// guessing.
package model

import (
	"go/types"
	"strings"
)

// Op is what a function does to actors, or to what its arguments point to.
type Op uint8

// The operations. Arguments are counted with the receiver of a method as argument 0.
const (
	Unknown Op = iota // nothing is known: everything that the arguments lead to may change, and the result may be anything

	// Actors.
	Spawn         // creates an actor: Props (or Behavior) is what it is made from, Name its name or 0
	Send          // Msg goes to To
	Request       // Send that the receiver may answer
	RequestFrom   // Send with From as the one to answer
	Ask           // Request whose answer comes as the result, a future
	Call          // Request whose answer is the result; the actor does nothing else until then
	Respond       // Msg goes to the sender of the message being handled
	Forward       // the message being handled goes to To, with its sender
	Become        // Behavior handles the next messages
	Unbecome      // the behaviour before the last Become does
	Stop          // To stops, or with To 0 this actor
	StopAsk       // Stop whose end comes as the result, a future
	Watch         // To's end will be told to this actor
	Unwatch       // or no longer
	Timer         // Msg comes to To, or with To 0 to this actor, later
	RequestTimer  // the same, and To may answer
	IdleTimer     // the framework's own message comes to this actor when no other has come for some time
	CancelTimer   // or no more
	Self          // this actor
	Sender        // who sent the message being handled
	Message       // the message being handled
	Parent        // who created this actor
	Children      // whom it created
	Child         // one of these
	Choose        // a value that the exploration picks
	Stash         // the message being handled comes again later
	Unstash       // now
	Await         // the answer in a future, for which this actor is given up meanwhile
	AwaitBlocking // the answer in a future; the actor does nothing else until then
	AwaitCond     // this actor is given up until Func holds
	Receive       // a message of this actor's mailbox that Func accepts
	Pipe          // the answer in a future goes to every actor in To
	Work          // what Func gives, which runs elsewhere, goes to To
	Reenter       // Func is called with the answer in a future, as a step of this actor
	PIDOf         // the reference under which a future can be answered
	ByName        // a reference to the actors that are spawned as Name
	NewFuture     // a future that nobody has been asked to complete
	Unhandled     // no handler for the message being handled
	Beyond        // what no model follows: see Unfollowed

	Handle   // the message in the envelope Msg is handled, after all middleware
	Capture  // what this context is at, as a value
	Captured // the message that was captured as Msg is handled, or is that of this context from now on
	Actor    // what handles this actor's messages

	// What actors are made from. Options are the last, variadic argument.
	Props       // Func makes the behaviour of an actor
	PropsFunc   // Func is the behaviour of an actor
	PropsSame   // the props of argument 0, which get options
	PropsClone  // a copy of the props of argument 0, with options
	Option      // an option that puts Func into Slot of props
	OptionLayer // an option that puts what the middleware Func makes of what comes next into Slot of props
	// the same for the context of those that are no actors, which is argument 0 or, if it is no method, the result
	RootLayer
	RootOption // puts Func into Slot of that context
	Decider    // a supervisor that has Func decide
	Decide     // the supervisor of argument 0 decides what to do about Msg
	Pool       // a router that creates its routees by its options
	Group      // a router with the routees Func
	Next       // what comes next for messages or actors at Slot, as a function in a package variable
	Behaviors  // a stack of behaviours
	BehaviorDo // the behaviours on a stack handle the message

	// What messages are put into, and sets of references.
	Wrap         // an envelope with Msg, or Msg if it is one
	Unwrap       // what is in Slot of the envelope Msg; a message without an envelope is itself
	UnwrapHeader // the header of the envelope Msg, as result 0, what is in it as the next, and the one to answer
	SetOf        // a set of the references Func
	SetAdd       // Func comes into the set of argument 0
	SetAll       // a slice with those of a set
	SetOne       // one of a set
	SetEach      // Func is called with each of a set

	// Ways to get at the framework.
	System    // an actor system, or part of one
	Publish   // Msg goes to the functions that are subscribed at argument 0
	Subscribe // Func is subscribed at argument 0
	Listen    // To gets what is published as messages
	Unlisten  // or no longer
	Driver    // Func drives a program of actors: it is called with what it needs

	// Libraries.
	Pure  // gives nothing that the program made, changes nothing; functions among its arguments are called
	Same  // gives what argument From points to
	Load  // gives what argument From's cell holds, such as atomic.Pointer
	Store // puts argument Msg into argument 0's cell, and gives what was there
	// gives a container with, or one of, the elements of its arguments; functions among its arguments are called with them
	Mix
	Keys // gives the keys of argument 0 one by one
	Vals // gives the elements of argument 0 one by one
)

// Row tells what one function does. Arguments are numbered from 0, which is the receiver of a method. A 0 in To means
// this actor, and less the actor that goes by Name. A 0 in Name means that there is no name, and less that it is put
// together; ByName takes what is behind the name from From. Operations that need no argument of a kind ignore its field.
type Row struct {
	Op                         Op
	To, Msg, From, Props, Func int
	Name                       int
	Limit                      int    // how long it waits, or a timer does; 0 if that is no argument
	Slot                       string // a field of the framework's props or envelopes
	Tell                       string // the framework's own message by which To learns of it
	Blocking, Timeout          bool   // waits for an answer; gives up after some time
	Framework                  string
}

// Find gives the row of a function, and whether there is one. Instances of generic functions have the row of these.
func Find(fn *types.Func) (Row, bool) {
	if fn == nil || fn.Pkg() == nil {
		return Row{Op: Pure}, fn != nil // error.Error
	}
	fn = fn.Origin()
	if row, ok := rows[fn.FullName()]; ok {
		return row, true
	}
	if d, ok := Library(fn); ok && !isGetter(fn) {
		return Row{Op: d.Row}, true
	}
	if fills(fn.Name()) {
		return Row{}, false
	}
	if among(pure, fn.Pkg().Path()) {
		return Row{Op: Pure}, true
	}
	return Row{}, false
}

// Unfollowed names what a function of a framework sends to, or creates, that no model follows, "" if that is nothing.
// It has no row: what it does is unknown.
func Unfollowed(fn *types.Func) string {
	if fn == nil {
		return ""
	}
	return beyond[fn.Origin().FullName()]
}

// among reports whether a package is in one of the trees.
func among(trees []string, path string) bool {
	for _, tree := range trees {
		base, below := strings.CutSuffix(tree, "/...")
		if path == base || below && strings.HasPrefix(path, base+"/") {
			return true
		}
	}
	return false
}

// Variable gives the row of a package variable, and whether there is one.
func Variable(v types.Object) (Row, bool) {
	if v == nil || v.Pkg() == nil {
		return Row{}, false
	}
	row, ok := variables[v.Pkg().Path()+"."+v.Name()]
	return row, ok
}

// fills reports whether a function of a library is named as one that writes into what it is given.
func fills(name string) bool {
	for _, prefix := range []string{"Unmarshal", "Decode", "Scan", "Sscan", "Fscan", "Bind", "ShouldBind", "MustBind"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "Read" || strings.HasSuffix(name, "Var")
}

// rows is the table.
var rows = join(protoactor, hollywoodRows, goaktRows, native, std)

func join(tables ...map[string]Row) map[string]Row {
	all := map[string]Row{}
	for _, t := range tables {
		for name, row := range t {
			if _, twice := all[name]; twice {
				panic("model: two rows for " + name)
			}
			all[name] = row
		}
	}
	return all
}

// Acts reports whether an operation concerns actors.
func (o Op) Acts() bool { return o > Unknown && o < Pure }

// Fills reports whether a function of a library is named as one that writes into what it is given.
func Fills(fn *types.Func) bool { return fills(fn.Name()) }
