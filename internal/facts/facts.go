// Package facts has what is said about handlers, and holds them to it. An analysis of source says it, in a file that
// the static half writes and the dynamic half reads without linking the static half. Or a user does, by declared
// effects (explore.Conditions).
//
//	facts.go   what is said
//	codec.go   the file: one JSON object a line, so that a claim has a line to be cited by
//	sources.go of which sources it is said, and whether they are still the same
//	effects.go what of it may be held against a running program
//	judge.go   whether handlers keep to what is declared of them; mail.go, image.go
//
// A claim is about all executions: what a handler is said to access is all that it may access. What the analysis did
// not understand is unknown, and unknown is everything.
package facts

import (
	"cmp"
	"slices"
	"strings"
)

// Version is that of the files that are written. All versions up to it are readable.
const Version = 3

// Analysis is the version of what makes facts. Those of another version may be wrong, or less than could be said.
const Analysis = "5"

// File is what one analysis found.
type File struct {
	Package  string // import path of the package that it was asked about
	Tool, Go string // versions of the analysis, which is Analysis, and of Go
	Platform string // for which it was read: files of others, and those with build tags, were left out
	Sources  []Source
	Actors   []Actor
	Handlers []Handler
	Sent     []string // types of all messages that the sources send
}

// Source is a package that was read.
type Source struct {
	Dir     string `json:"source"` // relative to the folder that the file is in, with slashes
	Package string `json:"package"`
	Tests   bool   `json:"tests,omitempty"` // its test files were read too
	Hash    string `json:"hash"`            // of names and contents of its files, see HashSource
}

// Actor is a type of actors. Types are named as traces name them, without a star: "bank.Client". Only of messages,
// where the program has both values of a type and pointers to it, pointers have a star.
type Actor struct {
	Name      string   `json:"actor"`
	Package   string   `json:"package"`             // import path
	At        string   `json:"at"`                  // file:line of its handler
	Fields    []string `json:"fields,omitempty"`    // of the struct that it is; those that a function captures
	Constants []string `json:"constants,omitempty"` // fields that no handler of a message writes
	// fields that may hold functions, channels or the like, which nobody can compare; WholeState: it has no fields to tell
	// apart
	Opaque      []string `json:"opaque,omitempty"`
	Function    bool     `json:"function,omitempty"`    // it is made from a function
	Constraints bool     `json:"constraints,omitempty"` // it refuses messages
	Ambiguous   bool     `json:"ambiguous,omitempty"`   // another type has this name
	Framework   string   `json:"framework"`             // Native, Protoactor, Hollywood, GoAkt
	Matched
}

// Matched is which messages an actor of a framework has cases for. All empty: it means all that comes.
type Matched struct {
	Cases []string `json:"cases,omitempty"` // types of messages; here a pointer always has its star
	// types for which it surely has none, and with which it does nothing, where that is not clear of all others
	Ignored []string `json:"ignored,omitempty"`
	Ignores bool     `json:"ignores,omitempty"` // messages of any other type: it does nothing with them
	Unclear string   `json:"unclear,omitempty"` // why a message may pass for handled that is not; "": none does
}

// The frameworks of actors, as in Actor.Framework.
const (
	Native     = "native"
	Protoactor = "protoactor"
	Hollywood  = "hollywood"
	GoAkt      = "goakt"
)

// Rest is the message of the handler of all messages that have none of their own.
const Rest = "*"

// Handler is what the actors of one type do with the messages of one type.
type Handler struct {
	Actor    string   `json:"handler"`
	Message  string   `json:"message"`           // Rest: every message whose type has no handler of its own in the file
	At       string   `json:"at,omitempty"`      // file:line of its code
	Unknown  string   `json:"unknown,omitempty"` // why nothing else is said, with file:line; "": the rest is all
	Reads    []string `json:"reads,omitempty"`   // access paths from the actor: "stock", "stock[].left"
	Writes   []string `json:"writes,omitempty"`
	Sends    []Send   `json:"sends,omitempty"`
	Spawns   []string `json:"spawns,omitempty"`   // types of actors, "?" for one that is not known
	Becomes  bool     `json:"becomes,omitempty"`  // it changes the actor's behaviour
	Stops    bool     `json:"stops,omitempty"`    // it may stop its actor or another
	Blocks   bool     `json:"blocks,omitempty"`   // it may wait in its middle
	Shares   bool     `json:"shares,omitempty"`   // it writes into memory of the message
	Other    []string `json:"other,omitempty"`    // what else it does: "timer", "watch", "stash", "choose", "ask"
	Receiver string   `json:"receiver,omitempty"` // function that handles it, if it is not the actor's first

	Line int `json:"-"` // of the file; 0: it was not read from one
}

// Same is the type of a message that is sent on as it came.
const Same = "="

// Send is one kind of message that a handler may send.
type Send struct {
	Message    string   `json:"message"`      // its type, Same, "?" if it is not known
	To         []string `json:"to,omitempty"` // types of the actors that may receive it; none: anybody
	Conditions int      `json:"conditions"`   // branches above the send, the least number
	At         string   `json:"at"`
	Reply      bool     `json:"reply,omitempty"` // it goes to who sent the message that is handled
}

// Root is the field that an access path begins at: "stock" of "stock[].left".
func Root(path string) string {
	if i := strings.IndexAny(path, ".["); i > 0 {
		return path[:i]
	}
	return path
}

// WholeState is the path of everything that an actor is.
const WholeState = "."

// Of gives what is said about the handling of messages that traces call so, nil if nothing is. Traces have one name for
// a message and a pointer to it: where the file tells these apart, what is said of both is joined.
func (f *File) Of(actor, message string) *Handler {
	h := f.of(actor, message)
	pointer := f.of(actor, "*"+message)
	switch {
	case h == nil:
		return pointer
	case pointer == nil || pointer == h:
		return h
	}
	return h.joined(pointer)
}

// of gives what is said of messages in one form.
func (f *File) of(actor, message string) *Handler {
	var rest *Handler
	for i := range f.Handlers {
		switch h := &f.Handlers[i]; {
		case h.Actor != actor:
		case h.Message == message:
			return h
		case h.Message == Rest:
			rest = h
		}
	}
	for _, sent := range f.Sent {
		if sent == message {
			return rest
		}
	}
	return nil
}

// joined is what is true of handlings of both.
func (h *Handler) joined(o *Handler) *Handler {
	j := *h
	j.Unknown = cmp.Or(h.Unknown, o.Unknown)
	j.Reads, j.Writes = union(h.Reads, o.Reads), union(h.Writes, o.Writes)
	j.Spawns, j.Other = union(h.Spawns, o.Spawns), union(h.Other, o.Other)
	j.Sends = append(slices.Clone(h.Sends), o.Sends...)
	j.Becomes, j.Stops, j.Blocks, j.Shares = h.Becomes || o.Becomes, h.Stops || o.Stops, h.Blocks || o.Blocks,
		h.Shares || o.Shares
	if h.Message == Rest { // the line that names the message is the one to cite
		j.Message, j.At, j.Receiver, j.Line = o.Message, o.At, o.Receiver, o.Line
	}
	return &j
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Plain is the name that traces have for messages of a type: without the star of a pointer to a type that has a name.
func Plain(message string) string {
	to, pointer := strings.CutPrefix(message, "*")
	pointer = pointer && message != Rest
	for _, unnamed := range []string{"*", "[", "map[", "chan ", "<-chan ", "func(", "struct {", "interface {"} {
		pointer = pointer && !strings.HasPrefix(to, unnamed)
	}
	if pointer {
		return to
	}
	return message
}

// Actor gives what is said about a type of actors, nil if nothing is.
func (f *File) Actor(name string) *Actor {
	for i := range f.Actors {
		if f.Actors[i].Name == name {
			return &f.Actors[i]
		}
	}
	return nil
}
