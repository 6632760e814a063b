package toysys

import "slices"

// System is a program: a driver that creates actors and sends to them, and what actors do with messages.
type System struct {
	Seed   uint64
	Types  []MessageType
	Kinds  []Kind
	Start  []Birth // the actors that the driver creates, in this order
	Sends  []Send  // what the driver sends then; receivers and types are the shapes of messages from outside
	SetUp  bool    // the driver creates its actors in SetUp
	Labels int     // places are numbered below this

	Supervised bool // its actors are those of protoactor-go; the brute-force twin knows none
}

// MessageType is a type of messages: all have a number, some a reference.
type MessageType struct {
	Mask  int  // handlers use N & Mask; with Guard they do nothing with other numbers than 0 to Mask
	Guard bool // in place of the mask
	Ref   bool
	Ended bool // it is actor.Terminated, which has a reference alone: the last type of a system
	// it is this message of protoactor-go, which has nothing that is used: behind all types that programs send
	Life string
}

// Kind is a type of actors.
type Kind struct {
	Ints, Refs int
	Handlers   [][]Stmt // by message type; nil: the message is ignored
	Methods    bool     // a handler is printed as a method of its own
	Func       bool     // the behaviour is a function with what it holds in a variable that it captures
	Hook       []Stmt   // what it does when it is created
	Accept     []*Cond  // by message type: whether it is taken now; nil: always. Of a system with these none has timers
}

// Birth is what a constructor is given. Of the driver, references are actors that it has created before.
type Birth struct {
	Kind int
	Ints []Expr
	Refs []Ref
}

// Send is a message of the driver: references are actors that it has created.
type Send struct {
	To   int
	Type int
	N    int
	R    Ref
}

// Op is the kind of a statement.
type Op uint8

// The statements.
const (
	Reach     Op = iota // the place Label
	SetInt              // field Field becomes N
	SetRef              // field Field becomes To
	If                  // Cond: Then, or Else
	Tell                // send a message of Type with N and R to To
	Forward             // send the message itself to To
	Reply               // answer with a message of Type with N and R
	Spawn               // create an actor as Birth says, and keep it in field Field
	Become              // handle messages as Birth says from here on
	Unbecome            // handle them as before the last Become
	Stop                // when the handler ends
	StopActor           // To, by a system message
	After               // get a message of Type with N after Delay
	Cancel              // the timer that was set last
	// send to To and block until the answer: Then if it is of type Want, with the variable Var, or Else
	Call
	CallTimeout // the same, at most for Delay
	Await       // the same, but other messages are handled meanwhile
	Return
	Index   // panics unless N is an index of an array of three: the place Label
	Divide  // panics if N is zero: the place Label
	Store   // panics if MakeMap was not executed before: the place Label
	MakeMap // of the actor
	Stash   // put the message aside
	Unstash // put those back that were put aside
	Watch   // be told when To has stopped
	Put     // N under Key in the actor's map of entries
	Drop    // what is under Key
	Total   // field Field becomes the sum of N over the entries: twice the key, and the value
	ops
)

// Stmt is a statement of a handler. Fields mean what its Op says.
type Stmt struct {
	Op         Op
	Label      int
	Field      int
	To         Ref
	Type       int
	N, Key     Expr
	R          Ref
	Birth      Birth
	Cond       Cond
	Delay      int
	Want, Var  int
	Keep       bool // part of a guard, without which the twin's few values do not stand for all
	Then, Else []Stmt

	id int // for the twin: of all statements of the system
}

// Base is where a summand of an expression comes from.
type Base uint8

// The bases.
const (
	Field  Base = iota // number I of the actor
	Number             // of the message
	Answer             // in variable I
)

// Expr is a sum.
type Expr struct {
	Terms []Term
	Add   int
}

// Term is a summand.
type Term struct {
	Base Base
	I    int
	Neg  bool
}

// RefBase is where a reference comes from.
type RefBase uint8

// The references.
const (
	Nobody RefBase = iota
	Self
	Sender
	OfMessage // the reference in the message
	OfField   // number I of the actor
	OfStart   // the I-th actor of the driver, for the driver
	OfDriver  // the driver itself, for the driver
)

// Ref is a reference.
type Ref struct {
	Base RefBase
	I    int
}

// Cond is a condition: a comparison of numbers, or of references.
type Cond struct {
	Op   string
	L, R Expr
	Refs bool
	A, B Ref
}

// each calls f for all statements.
func (s *System) each(f func(*Stmt)) {
	for k := range s.Kinds {
		eachOf(s.Kinds[k].Hook, f)
		for _, h := range s.Kinds[k].Handlers {
			eachOf(h, f)
		}
	}
}

func eachOf(list []Stmt, f func(*Stmt)) {
	for i := range list {
		f(&list[i])
		eachOf(list[i].Then, f)
		eachOf(list[i].Else, f)
	}
}

// Handlers names for each place the type of message in whose handlers it is.
func (s *System) Handlers() []string {
	names := make([]string, s.Labels)
	for k := range s.Kinds {
		for ty, h := range s.Kinds[k].Handlers {
			eachOf(h, func(st *Stmt) {
				if st.Op == Reach || st.Op == Index || st.Op == Divide || st.Op == Store {
					names[st.Label] = s.typeName(ty)
				}
			})
		}
	}
	return names
}

// Features names what the system has.
func (s *System) Features() []string {
	has := map[string]bool{}
	s.each(func(st *Stmt) {
		for _, f := range st.features() {
			has[f] = true
		}
	})
	for i := range s.Kinds {
		for _, f := range s.Kinds[i].features() {
			has[f] = true
		}
		for ty, h := range s.Kinds[i].Handlers {
			has["terminated"] = has["terminated"] || h != nil && s.Types[ty].Ended
		}
	}
	var list []string
	for _, f := range AllFeatures {
		if has[f] {
			list = append(list, f)
		}
	}
	return list
}

// features names what a kind has beside its statements.
func (k *Kind) features() (list []string) {
	if k.Func {
		list = append(list, "function")
	}
	if len(k.Hook) > 0 {
		list = append(list, "hook")
	}
	if len(k.Accept) > 0 {
		list = append(list, "accepts")
	}
	return list
}

// features names what a statement has, the empty name among it.
func (st *Stmt) features() []string {
	list := []string{features[st.Op]}
	for _, r := range []Ref{st.To, st.R, st.Cond.A, st.Cond.B} {
		switch r.Base {
		case Sender:
			list = append(list, "sender")
		case OfMessage:
			list = append(list, "reference")
		}
	}
	if (st.Op == Tell || st.Op == Forward) && st.To.Base == Self {
		list = append(list, "self")
	}
	return list
}

// Has reports whether the system has a feature.
func (s *System) Has(feature string) bool { return slices.Contains(s.Features(), feature) }

// AllFeatures are those that Features may name.
var AllFeatures = []string{"index", "divide", "store", "stash", "hook", "accepts", "function", "state", "condition",
	"spawn", "become", "sender", "reference", "forward", "respond", "stop", "stopactor", "self", "timer", "cancel",
	"call", "calltimeout", "await", "watch", "terminated"}

var features = [ops]string{SetInt: "state", If: "condition", Forward: "forward", Reply: "respond", Spawn: "spawn",
	Become: "become", Unbecome: "become", Stop: "stop",
	Index: "index", Divide: "divide", Store: "store", MakeMap: "store", Stash: "stash", Unstash: "stash", Watch: "watch",
	StopActor: "stopactor", After: "timer", Cancel: "cancel", Call: "call", CallTimeout: "calltimeout", Await: "await"}
