// Package flow builds the message flow graph of an actor program: its abstract
// actors, who may create whom, and who may send what to whom ([TAP18] 4).
//
// This file holds the result; it is what renderers, findings and strategies read.
package flow

import "go/token"

// Graph is the message flow graph of the packages that were analysed. Actors
// and Edges are in a deterministic order.
type Graph struct {
	Actors []*Actor
	Edges  []*Edge

	// Partial says what is missing, one reason a line, each with file:line
	// where there is one. Empty means that the graph holds every edge that an
	// execution can take (under the assumptions that docs/graph.md lists).
	Partial []string

	// Precision names the analysis: "instances", "branches" or "baseline".
	Precision string
}

// Actor is an abstract actor: all the actors of one type.
type Actor struct {
	// Name is what the dynamic half calls the type, trace.Type.Name, such as
	// "bank.Account".
	Name string

	// Pkg is the import path of the package that declares the type; Pos is
	// file:line of the declaration, empty for the environment.
	Pkg, Pos string

	// Environment marks the one node that stands for everything outside the
	// actors: the driver, a test, main.
	Environment bool

	// Handlers, one a message type, in the order of Message.
	Handlers []Handler

	// Default says that the actor has a branch for any other message.
	Default bool

	// Receptionist says that the environment may send it any message that it
	// handles, or, where the user named none, that the driver sends it some.
	Receptionist bool

	// Around says what the program runs around the handlers of such actors,
	// such as "receiver middleware", "" for nothing. What it sends and creates is
	// among the edges.
	Around string

	// Made are the types of messages that middleware has its handlers handle
	// in the place of others: they come though nobody sends them. Sorted.
	Made []string
}

// Handler is what an actor does with the messages of one type.
type Handler struct {
	Message string
	Pos     string // file:line of the branch, or of Receive where there is none

	// Sends are the edges that leave this handler, as indices into Graph.Edges.
	Sends []int

	// Known says that the code names the message type. False for a type that
	// arrives, by some edge, at an actor that has no branch for it.
	Known bool
}

// EdgeKind says how an edge's sender reaches its receiver.
type EdgeKind string

// The kinds of edges.
const (
	Create  EdgeKind = "create"  // From spawns To; Message is empty
	Send    EdgeKind = "send"    // fire and forget
	Request EdgeKind = "request" // send that carries the sender as the one to answer
	Respond EdgeKind = "respond" // answer to the sender of the message being handled
	Forward EdgeKind = "forward" // pass the message on, keeping its sender
	Timer   EdgeKind = "timer"   // a message that a timer sends later
	Watch   EdgeKind = "watch"   // To's end is told to From
)

// Edge is one place in the code from which one message type (or a new actor)
// may go from one abstract actor to another.
type Edge struct {
	Kind     EdgeKind
	From, To *Actor

	// Message is the type sent, as trace.Type.Name; empty for Create and Watch. Where the program has both values of a
	// type and pointers to it as messages, these have a star.
	Message string

	// In is the message type of the handler that sends; empty where the
	// sending code is a start hook, a constructor or the driver.
	In string

	// Pos is file:line of the send or spawn.
	Pos string
	pos token.Pos

	// Conditions counts the branches that must be taken to reach Pos from the
	// top of the handler, over all calls between.
	Conditions int

	// Labels say what travels: the objects of the message or of the
	// constructor's parameters, and which actor lives in a reference that
	// the message carries. Sorted, without repetition.
	Labels []string

	// Blocking says that the sender does nothing else until the answer is
	// there; Timeout that it gives up after some time.
	Blocking, Timeout bool
}
