package trace

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// ShortType drops the package: "bank.Withdraw" becomes "Withdraw". Type arguments keep theirs, without its path:
// "ring.Data[*example.org/bank.Account]" becomes "Data[*bank.Account]".
func ShortType(name string) string {
	base, arguments, generic := strings.Cut(name, "[")
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 || strings.ContainsAny(base, "{}( ") {
		return name
	}
	if !generic {
		return base[dot+1:]
	}
	return base[dot+1:] + "[" + pathElements.ReplaceAllString(arguments, "")
}

// pathElements are those of an import path before its last.
var pathElements = regexp.MustCompile(`[^\[\]*,(){} ]+/`)

// ActorName is the name for people: the spawn name if there is one, else the type. "#2" follows where the actor is the
// second with that name in this execution. The identity, not the name, is stable across executions.
func (t *Trace) ActorName(a int32) string {
	if a < 0 {
		return "nobody"
	}
	named := t.namesakes().actors[a]
	if named.all.actors == 1 {
		return named.all.base
	}
	return fmt.Sprintf("%s#%d", named.all.base, named.ordinal)
}

func (t *Trace) baseName(a int32) string {
	if n := t.Actors[a].Name; n != "" {
		return Visible(n)
	}
	return Visible(ShortType(t.Actors[a].Type.Name))
}

// namesakes knows which actors of a Trace have the same name. It follows the Trace where somebody asks for a name: in
// an execution with thousands of actors, counting them for each name takes the square of their number.
type namesakes struct {
	of     *Trace // a Trace that was copied makes its own
	actors []namesake
	bases  map[string]*sharedName
}

// namesake is an actor: the so-manieth with its name, from 1.
type namesake struct {
	all     *sharedName
	ordinal int
}

// sharedName is a name, and how many actors have it.
type sharedName struct {
	base   string
	actors int
}

// namesakes gives the index of all actors.
func (t *Trace) namesakes() *namesakes {
	if t.names == nil || t.names.of != t {
		t.names = &namesakes{of: t, bases: map[string]*sharedName{}}
	}
	n := t.names
	n.cut(len(t.Actors))
	for a := len(n.actors); a < len(t.Actors); a++ {
		base := t.baseName(int32(a))
		all := n.bases[base]
		if all == nil {
			all = &sharedName{base: base}
			n.bases[base] = all
		}
		all.actors++
		n.actors = append(n.actors, namesake{all, all.actors})
	}
	return n
}

// cut forgets the actors after the first so many.
func (n *namesakes) cut(actors int) {
	for len(n.actors) > actors {
		last := len(n.actors) - 1
		all := n.actors[last].all
		if all.actors--; all.actors == 0 {
			delete(n.bases, all.base) // names may be made anew in each execution
		}
		n.actors = n.actors[:last]
	}
}

// MessageName is the name for people, as in "Sum #2 from Worker#2", the second such message of one event to one
// receiver. The first has no number.
func (t *Trace) MessageName(m int32) string { return t.MessageNameBy(m, t.ActorName) }

// MessageNameBy is the same with names of actors that somebody else gives.
func (t *Trace) MessageNameBy(m int32, actor func(int32) string) string {
	msg := &t.Messages[m]
	number := ""
	if msg.Index > 0 {
		number = fmt.Sprintf(" #%d", msg.Index+1)
	}
	return ShortType(msg.Type.Name) + number + " from " + actor(msg.Sender)
}

// Moment prints a virtual time for people. An adapter lets a nanosecond pass after every step, which is nobody's
// business.
func Moment(t time.Duration) string {
	if t < time.Millisecond {
		return t.String()
	}
	return t.Round(time.Microsecond).String()
}

// StepName is the name for people, as in "Withdraw from Client#1 to Account".
func (t *Trace) StepName(s Step) string {
	switch s.Kind {
	case Start:
		return "start of " + t.ActorName(s.Actor)
	case Advance:
		return "clock advances"
	case Choose:
		return fmt.Sprintf("%s chooses %d", t.ActorName(s.Actor), s.Value)
	case Draw:
		return t.ActorName(s.Actor) + ": " + t.DrawName(s)
	case Fault:
		return t.faultName(s)
	}
	msg := t.MessageName(s.Message)
	to := t.ActorName(t.Messages[s.Message].Receiver)
	switch s.Kind {
	case Send:
		switch t.Messages[s.Message].Kind {
		case End:
			return "end of " + to
		case Hook:
			return ShortType(t.Messages[s.Message].Type.Name) + " of " + to
		}
		return "send of " + msg + " to " + to
	case Timer:
		return "timer of " + to + " fires " + ShortType(t.Messages[s.Message].Type.Name)
	case Reply:
		return "reply " + msg + " to " + to
	case Resume:
		return to + " resumes " + ShortType(t.Messages[s.Message].Type.Name)
	}
	return msg + " to " + to
}
