package trace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Order is a list of things that happen one after the other, by names: what actors receive, timeouts, chosen values,
// injected faults.
type Order []OrderEntry

// OrderEntry names one thing that happens. Exactly one of Message, Timer, Timeout, Choose and Fault says what; a Fault
// may name the Message that it strikes.
type OrderEntry struct {
	// Actor is who receives, chooses or is struck: its name as reports have it, as in "account" or "Worker#2", or its type
	// where there is one actor of it. "Driver" is the test function.
	Actor string
	// Message is the type of the message that Actor receives: "Withdraw" or "bank.Withdraw"; where both are sent,
	// "*Withdraw" for the pointer and "Withdraw{}" for the value. An answer that the actor waits for is received too.
	Message string
	// From is who sent Message, named like Actor. It may be left out where one sender comes into question.
	From string
	// Nth says that it is Actor's n-th receive of such a message, counted from 1 where set-up ends.
	Nth int
	// Sent says that it is the n-th such message that From sent to Actor, counted from 1 where set-up ends, or that of the
	// n-th such timer that was set. It is for messages that may overtake each other: those of one sender under Bag, and
	// timers.
	Sent int
	// Timer is the type of a message that a timer of Actor sends, and that it receives now.
	Timer string
	// Timeout says that the call times out in which Actor waits.
	Timeout bool
	// Choose is the value of T.Choose, as in "2".
	Choose string
	// Fault is a kind of injected fault: drop, duplicate, crash-losing, crash or restart. Config.Faults has to allow it.
	Fault string
}

// String is the entry as people wrote it.
func (e OrderEntry) String() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+": "+strconv.Quote(value))
		}
	}
	add("Actor", e.Actor)
	add("Message", e.Message)
	add("From", e.From)
	add("Timer", e.Timer)
	if e.Timeout {
		parts = append(parts, "Timeout: true")
	}
	add("Choose", e.Choose)
	add("Fault", e.Fault)
	for _, n := range []struct {
		name string
		n    int
	}{{"Nth", e.Nth}, {"Sent", e.Sent}} {
		if n.n != 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", n.name, n.n))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Validate says what is wrong with entries, whatever the program is.
func (o Order) Validate(faults Faults) error {
	if len(o) == 0 {
		return errors.New("it has no entries: leave it nil, or name what is to happen")
	}
	for i := range o {
		if err := o[i].validate(faults); err != nil {
			return fmt.Errorf("entry %d, %s: %w", i+1, o[i], err)
		}
	}
	return nil
}

func (e *OrderEntry) validate(faults Faults) error {
	whats := 0
	for _, is := range []bool{e.Message != "" && e.Fault == "", e.Timer != "", e.Timeout, e.Choose != "", e.Fault != ""} {
		if is {
			whats++
		}
	}
	receive := e.Message != "" && e.Fault == ""
	switch {
	case e.Actor == "":
		return errors.New("want an Actor")
	case whats != 1:
		return errors.New("want exactly one of Message, Timer, Timeout, Choose and Fault (a Fault may name the Message " +
			"that it strikes)")
	case e.From != "" && e.Message == "":
		return errors.New("From is of a Message")
	case e.Nth < 0 || e.Sent < 0:
		return errors.New("Nth and Sent count from 1")
	case e.Nth > 0 && !receive && e.Timer == "":
		return errors.New("Nth counts receives: of a Message or of what a Timer sends")
	case e.Sent > 0 && (!receive || e.From == "") && e.Timer == "":
		return errors.New("Sent counts what one sender sends: it is of a Message, and wants From, or of a Timer")
	}
	if n, err := strconv.Atoi(e.Choose); e.Choose != "" && (err != nil || n < 0) {
		return fmt.Errorf("Choose: %q: want a number from 0", e.Choose)
	}
	if e.Fault == "" {
		return nil
	}
	kind, err := ParseFaultKind(e.Fault)
	switch about := kind == Drop || kind == Duplicate || kind == CrashLosing; {
	case err != nil || kind == NoFault:
		return fmt.Errorf("%q is no kind of fault", e.Fault)
	case !faults.Kinds.Has(kind) || !faults.On():
		return fmt.Errorf("Config.Faults does not allow %s: it is %s", e.Fault, faults)
	case e.Message != "" && !about:
		return fmt.Errorf("%s strikes an actor, not a message", e.Fault)
	}
	return nil
}
