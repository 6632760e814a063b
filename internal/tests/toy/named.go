package toy

import "github.com/rehearse-go/rehearse/trace"

// Named is a small program with the number of its classes under each model, counted by hand.
type Named struct {
	Name    string
	Why     string // what it catches
	Program *Program
	Timers  trace.TimerMode
	Classes map[trace.Model]int
}

// sends makes operations without condition.
func send(message, to int) Op { return Op{Kind: Send, Message: message, To: to, When: -1} }

// on is a handler that only counts: the state becomes state + add + value.
func on(add int, ops ...Op) Handler { return Handler{Mul: 1, Add: add, Refuse: -1, Fail: -1, Ops: ops} }

func alike(bag, fifo, causal, mailbox, serial int) map[trace.Model]int {
	return map[trace.Model]int{trace.Bag: bag, trace.FIFO: fifo, trace.Causal: causal, trace.Mailbox: mailbox,
		trace.MailboxSerial: serial}
}

// Stories are the named programs.
func Stories() []Named {
	return []Named{leftBehind(), crossing(), choosing(), deadline(), tie(), lateCancel(), tooLate(), answerFirst(),
		answerLast(), passing(), waiting(), cancelling()}
}

// leftBehind: A and B stop after two messages each. A's first sends it x and y; whichever comes second never comes
// third.
func leftBehind() Named {
	last := Op{Kind: Quit, When: 0} // the state is even after the second message and never before
	a := Behaviour{on(1, send(1, 0), send(2, 0), last), on(0, send(3, 0), send(3, 0), last),
		on(0, send(3, 1), last), on(1)}
	b := Behaviour{on(1, last), on(1), on(1), on(1, last)}
	return Named{
		Name: "left behind",
		Why: "a message left for a stopped actor takes part in races: x is never overtaken by y in an execution where " +
			"both are handled",
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 1), send(0, 0)}},
		// x second; y second and b1 before b2; y second and b2 before b1. In the order of sending x comes before y.
		Classes: alike(3, 1, 1, 1, 1),
	}
}

// crossing: A sends to C then D, B to D then C.
func crossing() Named {
	first, second, quiet := Behaviour{on(1, send(1, 2), send(1, 3)), on(1)}, Behaviour{on(1, send(1, 3), send(1, 2)),
		on(1)}, Behaviour{on(1), on(1)}
	return Named{
		Name: "crossing",
		Why: "C takes A's message first and D takes B's: only if the two handlers run in parallel. The other way " +
			"round: only if messages travel",
		Program: &Program{Kinds: []Behaviour{first, second, quiet}, Actors: []int{0, 1, 2, 2},
			Driver: []Op{send(0, 0), send(0, 1)}},
		Classes: alike(4, 4, 4, 3, 2),
	}
}

// choosing: an actor picks one of three values and then tells another, who has a message from the driver.
func choosing() Named {
	a := Behaviour{on(1, Op{Kind: Choose, To: 3, When: -1}, send(1, 1)), on(1)}
	b := Behaviour{on(1), on(1)}
	return Named{
		Name:    "chosen",
		Why:     "each value is a class of its own, and the handler goes on after it",
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 0), send(0, 1)}},
		// Under mailbox-serial both of the driver's messages are there before A runs.
		Classes: alike(6, 6, 6, 6, 3),
	}
}

// deadline: an actor sets a timer and cancels it when another answers.
func deadline() Named {
	a := Behaviour{on(1, Op{Kind: After, To: 1, Message: 2, When: -1}, send(1, 1)), on(1),
		on(1, Op{Kind: Cancel, When: -1}), on(1)}
	b := Behaviour{on(1), on(1, Op{Kind: Answer, Message: 2, When: -1}), on(1), on(1)}
	return Named{
		Name:    "deadline",
		Why:     "the timeout and the answer race; the answer cancels the timer, but not a timeout in the mailbox",
		Timers:  trace.Async,
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 0)}},
		// Timeout first, which finds nothing to cancel, or the answer first. In a mailbox also: the timeout is enqueued
		// behind the answer before that is handled.
		Classes: alike(2, 2, 2, 3, 3),
	}
}

// tie: two actors set timers of the same length and tell a third when they fire; a third timer is longer.
func tie() Named {
	a := Behaviour{on(1, Op{Kind: After, To: 2, Message: 1, When: -1}), on(1, send(2, 2)), on(1)}
	c := Behaviour{on(1, Op{Kind: After, To: 3, Message: 1, When: -1}), on(1), on(1)}
	return Named{
		Name:    "tie",
		Why:     "in quiescent time timeouts of one deadline interleave, and later ones come after all that follows from them",
		Program: &Program{Kinds: []Behaviour{a, c}, Actors: []int{0, 0, 1}, Driver: []Op{send(0, 0), send(0, 1), send(0, 2)}},
		Classes: alike(2, 2, 2, 2, 2),
	}
}

// cancelling: an actor sends to another, which answers, and cancels a timer behind that.
func cancelling() Named {
	a := Behaviour{on(1, Op{Kind: After, To: 1, Message: 2, When: -1}, send(1, 0)),
		on(1, send(3, 1), Op{Kind: Cancel, When: -1}), on(1), on(1)}
	b := Behaviour{on(1), on(1), on(1), on(1, Op{Kind: Answer, Message: 3, When: -1})}
	return Named{
		Name: "cancel behind a send",
		Why: "on parallel threads the timer may fire, and the answer come, while the handler is between the send and " +
			"the cancel",
		Timers:  trace.Async,
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 0)}},
		// In time or in vain. In a mailbox the timeout may also come before the message whose handler cancels, or behind the
		// answer.
		Classes: alike(2, 2, 2, 4, 2),
	}
}

// lateCancel is deadline in quiescent time: the answer is always there first.
func lateCancel() Named {
	n := deadline()
	n.Name, n.Why, n.Timers, n.Classes = "in time", "in quiescent time an answer that comes is never late",
		trace.Quiescent, alike(1, 1, 1, 1, 1)
	return n
}

// answering: C calls S and then tells L. S does what is given when it is called.
func answering(server ...Op) *Program {
	s := Behaviour{on(1), on(1, server...), on(1), on(1)}
	c := Behaviour{on(1, Op{Kind: Call, Message: 1, To: 1, When: -1}, send(2, 2)), on(1), on(1), on(1)}
	l := Behaviour{on(1), on(1), on(1), on(1)}
	return &Program{Kinds: []Behaviour{s, c, l}, Actors: []int{1, 0, 2}, Driver: []Op{send(0, 0)}}
}

// answerFirst: S answers C and then tells L.
func answerFirst() Named {
	return Named{
		Name:    "answer first",
		Why:     "on parallel threads the caller goes on while the handler that has answered still sends",
		Program: answering(Op{Kind: Respond, When: -1}, send(3, 2)),
		Classes: alike(2, 2, 2, 2, 1),
	}
}

// answerLast: S tells L twice and then answers C.
func answerLast() Named {
	return Named{
		Name:    "answer last",
		Why:     "in a mailbox what was sent before the answer comes before what the caller sends after it",
		Program: answering(send(3, 2), send(3, 2), Op{Kind: Respond, When: -1}),
		// In a bag the two of S are told apart, and the one of C comes anywhere; fifo keeps those of S in order.
		Classes: alike(6, 3, 1, 1, 1),
	}
}

// tooLate: an actor stops while another sends to it.
func tooLate() Named {
	a := Behaviour{on(1, Op{Kind: Quit, When: -1}), on(1)}
	b := Behaviour{on(1, send(1, 0)), on(1)}
	return Named{
		Name: "too late",
		Why: "a message that reaches an actor after it has stopped is a dead letter, one that reached it before is an " +
			"orphan: two violations",
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 0), send(0, 1)}},
		// Under bag and fifo also: A handles B's message before it stops. The driver has sent its own to A before.
		Classes: alike(3, 3, 2, 2, 2),
	}
}

// passing: the driver sends A x, has it stopped, and sends it y.
func passing() Named {
	return Named{
		Name: "passing",
		Why:  "A looks for a system message and finds none; the one to stop comes, then y, and A takes y",
		Program: &Program{Kinds: []Behaviour{{on(1), on(2)}}, Actors: []int{0},
			Driver: []Op{send(0, 0), {Kind: Kill, To: 0, When: -1}, send(1, 0)}},
		// mailbox: x is taken before the stop arrives, passes it, or is left, and each time y reaches A before it has ended
		// or after; or x is taken before the stop arrives, and y passes that.
		Classes: alike(1, 1, 1, 7, 1),
	}
}

// waiting: A calls B, which has A stopped, sends it x, and has answered when that is over.
func waiting() Named {
	a := Behaviour{on(1, Op{Kind: Call, To: 1, Message: 1, When: -1}), on(1), on(1)}
	b := Behaviour{on(1), on(1, Op{Kind: Kill, To: 0, When: -1}, send(2, 0)), on(1)}
	return Named{
		Name:    "waiting",
		Why:     "A looks when its handler is over, where the stop is already: x does not pass it",
		Program: &Program{Kinds: []Behaviour{a, b}, Actors: []int{0, 1}, Driver: []Op{send(0, 0)}},
		// All that B sends is there when A's handler is over.
		Classes: alike(1, 1, 1, 1, 1),
	}
}
