package system

import (
	"go/token"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has the messages of a world, beside what its trace tells of them.

// letter is what a world knows of a message beyond its trace.
type letter struct {
	kind    kind
	msg     exec.Value
	sender  *term.Term // of protoactor-go
	call    *call
	timer   *timer
	clock   *term.Term
	resumes *handler
	answers bool      // whoever has sent the message that is handled
	pos     token.Pos // of the call that sends it

	continues *continuation // of protoactor-go
	of        int32         // the actor that has stopped, or who gets the answer of a future
}

// kind tells messages apart that frameworks treat alone.
type kind uint8

const (
	ordinary kind = iota
	stopKind
	watchKind
	unwatchKind
	expiredKind
	startedKind
	terminatedKind
	poisonKind
	resumeKind
	batchKind // one of a batch
	failureKind
	restartKind
)

// posted is a message that the driver has sent.
type posted struct {
	Message
	to     int32
	sender *term.Term
	call   *call
}
