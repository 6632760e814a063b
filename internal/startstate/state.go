// Package startstate tells what is there when the test function of a Check has returned, or waits. Nothing that it has
// sent was handled then. There are actors with their values, and messages on their way. Analyses of the source begin
// there where they cannot execute the function that makes the actors.
//
//	state.go  the format; run.go: one execution up to that place
//	memory.go which memory there is, and what in it is a part of what; value.go: values
//	made.go   where a system was made
package startstate

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/rehearse-go/rehearse/internal/files"
)

// Version of the format. docs/decisions/0026 describes it.
const Version = 1

// Variable is the variable of the environment that names the file to which each Check appends its State, in place of
// exploring.
const Variable = "REHEARSE_TEST_START"

// State is one start.
type State struct {
	Version  int       `json:"version"`
	Test     string    `json:"test"`             // the name of the test, with those of subtests
	Made     []Place   `json:"made"`             // the calls that made the system, from the innermost
	SetUp    bool      `json:"setup,omitempty"`  // there was set-up, which is over
	Waits    string    `json:"waits,omitempty"`  // for what the test function waits, if it has not returned
	Unread   []string  `json:"unread,omitempty"` // what else there is
	Chose    bool      `json:"chose,omitempty"`  // the test function chose a value, and was given the first
	Actors   []Actor   `json:"actors"`           // without the driver, in the order of their creation
	Messages []Message `json:"messages"`         // on their way, in the order of sending
	Memory   []Memory  `json:"memory"`
	Err      string    `json:"err,omitempty"` // there is no start, and why

	// Begun is what is there when all actors have handled the message with which the framework starts them, and nothing
	// else; nil if no such message is on its way. Of it the test, the place and the set-up are those of the State.
	Begun *State `json:"begun,omitempty"`
}

// Place is a call.
type Place struct {
	Function string `json:"func"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Actor is an actor.
type Actor struct {
	Name    string  `json:"name,omitempty"`  // that it was given
	Type    string  `json:"type"`            // as traces name it
	Early   bool    `json:"early,omitempty"` // it was created in set-up
	ID      string  `json:"id,omitempty"`    // by which the framework finds it
	Parent  int     `json:"parent"`          // the place from 0 among Actors, -1 for the driver
	Stopped bool    `json:"stopped,omitempty"`
	Behaves Value   `json:"behaves"` // what handles its messages, in an interface
	Before  []Value `json:"before,omitempty"`
	Watched []int   `json:"watched,omitempty"` // by these actors
	Unread  string  `json:"unread,omitempty"`  // what is not told of it
}

// Message is a message that is on its way.
type Message struct {
	From  int    `json:"from"` // -1 for the driver
	To    int    `json:"to"`
	Class string `json:"class"`
	Type  string `json:"type"`
	Early bool   `json:"early,omitempty"` // it was sent in set-up
	Value Value  `json:"value"`           // in an interface
	Reply Value  `json:"reply"`           // the reference to which an answer goes
	Call  bool   `json:"call,omitempty"`  // an answer is waited for
}

// Memory is a variable, the elements behind a slice, or a map.
type Memory struct {
	Type    string     `json:"type"`
	Value   Value      `json:"value"`
	Entries [][2]Value `json:"entries,omitempty"` // of a map
}

// The kinds of values. Those of structs and arrays have parts.
const (
	Zero      = ""       // of its type
	Number    = "number" // Text: of an integer, 0 or 1 for a truth value; the bits of a floating-point number
	String    = "string" // Bytes
	Parts     = "parts"  // of a struct or array: Parts
	Pointer   = "pointer"
	Slice     = "slice"
	Map       = "map"
	Interface = "interface" // Type, and what it holds in Parts
	Function  = "function"  // Text is its name; Parts has the receiver of a bound method
	Actor_    = "actor"     // a reference, Index says to which
	Framework = "framework" // the framework's own, as the actor system
	Unread    = "unread"    // Text says why
)

// Value is a value of Go.
type Value struct {
	Kind  string  `json:"k,omitempty"`
	Text  string  `json:"v,omitempty"`
	Bytes []byte  `json:"b,omitempty"`
	Type  string  `json:"t,omitempty"`
	Index int     `json:"i,omitempty"` // of Memory, or of Actors; -1: the driver
	Path  []int   `json:"p,omitempty"` // fields and elements from there on
	From  int     `json:"f,omitempty"` // of a slice: elements of the array before its first
	Len   int     `json:"l,omitempty"`
	Cap   int     `json:"c,omitempty"`
	Parts []Value `json:"e,omitempty"`
	File  string  `json:"file,omitempty"`
	Line  int     `json:"line,omitempty"`
}

// Append writes a State behind those that a file has.
func (s *State) Append(path string) error {
	s.Version = Version
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("%s: %w", Variable, err)
	}
	f, err := files.Open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("%s: %w", Variable, err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%s: %w", Variable, err)
	}
	return nil
}

// Read reads the States of a file.
func Read(data []byte) (list []*State, err error) {
	for line := range lines(data) {
		s := &State{}
		if err := json.Unmarshal(line, s); err != nil {
			return nil, fmt.Errorf("the start of a test: %w", err)
		}
		if s.Version != Version {
			return nil, fmt.Errorf("the start of %s is in format %d, want %d: the test uses another version of Rehearse than "+
				"this command", s.Test, s.Version, Version)
		}
		list = append(list, s)
	}
	return list, nil
}
