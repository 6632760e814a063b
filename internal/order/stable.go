package order

// This file and those that it names tell which actor to try first. That is one that is stable: no other actor can send
// to it before it has taken a step. Else it is one that little is likely to be sent to.
//
//	stable.go  what can be asked for
//	chains.go  who may lead to what, by types: the chains of declared calls
//	refs.go    which actors are referred to by Go values
//	state.go   the state as stability sees it: who is there, what is pending, who knows whom
//	judge.go   Theorem 1, and levels where it proves nothing
//	rank.go    an order of actors from that: STABLE
//
//	source:     [ASTS] sections 4.2 and 4.3
//	differs:    closure: where a chain exists, no other actor and no message pending for another may refer to the actor.
//	            The source looks at the fields of the actors along the chain only, and misses references in what is
//	            pending for them. The least level is taken, where definition 3 of the source has the greatest; only
//	            intermediate calls of a chain have to differ, where it has those differ from both ends too. Levels count
//	            less what is called under conditions, which it suggests. All three ways of the source can be asked for.
//	            An actor of whose state not everything is known (it waits, has timers, or put messages aside) may send
//	            anything.
//	assumes:    what was declared is true, which explore.Run checks at each step; handlers send only to whom their
//	            actor's value or their message refers, or whom they create: not through package variables or by functions
//	            that they call
//	invariants: no actor is called stable that another can send to before it takes a step
//	cost:       a walk over the values of all actors and pending messages at each state where a chain leads to an actor
//	            with something to do
//	checked by: judge_test.go, internal/baseline (select_test.go: brute force)

// Heuristic is how actors are compared of which none is proven stable.
type Heuristic uint8

// The heuristics.
const (
	Weighted Heuristic = iota // by level; a call counts half for each condition that it is under
	Plain                     // by level; conditions do not count
	Breaks                    // the actor first that keeps most others from being stable
)

// StableOptions change the rules of selection. The zero value is ours.
type StableOptions struct {
	Heuristic Heuristic
	Weights   Weights
	Printed   bool // Theorem 1 as printed, without closure: unsound as a licence to leave something out
	// chains as printed, whose first and last calls too have to differ from those between: unsound in the same way
	Literal bool
}

// Weights are ka, kb and kc of [ASTS]. The first counts if an actor refers to another and may call it. The second
// counts if it refers to it and may call it by way of others, the third if it does not refer to it.
type Weights struct{ Direct, Indirect, Foreign float64 }

// DefaultWeights are ours; the source asks that each be greater than the next.
var DefaultWeights = Weights{100, 10, 1}

// Sound reports whether an actor that is called stable is.
func (o *StableOptions) Sound() bool { return !o.Printed && !o.Literal }

// newStable is the order of the stable actors, with our rules.
func newStable() Order { return NewJudge(StableOptions{}) }
