package streams

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	// ErrNoJob says that the server knows no job of the name.
	ErrNoJob = errors.New("the server has no such job")
	// ErrExists says that the server has a job of the name.
	ErrExists = errors.New("the server has a job of this name")
	// ErrLost says that the server does not have what it had: its store was emptied or replaced, somebody deleted the
	// job, or results are missing. What was counted cannot go on; a new job can.
	ErrLost = errors.New("the server has lost the job")
	// ErrVersion says that another version of Rehearse made the job.
	ErrVersion = errors.New("it was made by another version of Rehearse")
	// ErrFull says that the server has no space for what was to be stored. Nothing of it was stored.
	ErrFull = errors.New("the server's store is full")
	// ErrNotStored says that the server answers questions and stores nothing. Most likely its disk is full: then NATS
	// says nothing to who publishes, until there is room and the server was started again. What it acknowledged is kept.
	ErrNotStored = errors.New("the server does not store messages: its disk may be full")
	// ErrTooLarge says that data exceed MaxData.
	ErrTooLarge = errors.New("too much data")
	// ErrStale says that somebody else has changed the state since it was read.
	ErrStale = errors.New("the state was changed by another process")
)

// Codes of errors of the server that the client has no names for.
const (
	codeAccountResources      = 10002
	codeInsufficientResources = 10023
	codeNoStorage             = 10047
	codeNoMemory              = 10028
	codeMaxBytes              = 10077 // stream store failed, with the reason as text
	codeWantsMaxBytes         = 10113
	codeNoPeers               = 10005
	codeReplicasNotSupported  = 10074
	codeSequenceBusy          = 10163 // expected last sequence per subject temporarily unavailable
	codeStreamCreate          = 10049 // with the reason as text, mostly that no store can be made
)

// full are the codes of a server that has no space.
var full = []jetstream.ErrorCode{codeAccountResources, codeInsufficientResources, codeNoStorage, codeNoMemory,
	codeMaxBytes}

// isFull reports whether an error says that there is no space.
func isFull(err error) bool { return slices.Contains(full, code(err)) }

// code gives the server's code of an error, 0 if it has none.
func code(err error) jetstream.ErrorCode {
	var e jetstream.JetStreamError
	if errors.As(err, &e) && e.APIError() != nil {
		return e.APIError().ErrorCode
	}
	return 0
}

// there reports whether an error says that the subject, or the key, has a message already.
func there(err error) bool {
	c := code(err)
	return c == jetstream.JSErrCodeStreamWrongLastSequence || c == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// Passing reports whether an error is one of the connection or of an election: trying again may help. Whether the
// request was carried out is not known then.
func Passing(err error) bool {
	if errors.Is(err, ErrFull) || isFull(err) {
		return false // until somebody makes room
	}
	for _, e := range []error{errReconnected, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, context.DeadlineExceeded,
		jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerDeleted,
		jetstream.ErrConsumerNotFound, jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown,
		jetstream.ErrMsgIteratorClosed} {
		if errors.Is(err, e) {
			return !errors.Is(err, nats.ErrConnectionClosed) && !errors.Is(err, jetstream.ErrConnectionClosed)
		}
	}
	var api *jetstream.APIError
	var broken *net.OpError // where a message is written just when the server dies
	return errors.As(err, &broken) || errors.Is(err, io.EOF) ||
		errors.As(err, &api) && (api.ErrorCode == codeSequenceBusy || api.Code == 503)
}

// plain says what an error of the server means, and what to do.
func (n names) plain(doing string, err error) error {
	switch c := code(err); {
	case err == nil:
		return nil
	case errors.Is(err, ErrLost), errors.Is(err, ErrFull):
		return err
	case isFull(err):
		return fmt.Errorf("job %s: %s: %w: make room there, or raise its limits, and go on (%w)", n.job, doing, ErrFull,
			err)
	case c == codeWantsMaxBytes:
		return fmt.Errorf("job %s: %s: the server wants a bound on the bytes of a job: give one with -max-bytes, such as "+
			"2GiB (%w)", n.job, doing, err)
	case c == codeStreamCreate:
		return fmt.Errorf("job %s: %s: the server cannot make a stream: look at its log, and whether it may write to its "+
			"folder (%w)", n.job, doing, err)
	case c == codeNoPeers, c == codeReplicasNotSupported:
		return fmt.Errorf("job %s: %s: the server has too few others for so many replicas: ask for fewer (%w)", n.job,
			doing, err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("job %s: %s: JetStream is off at the server: switch it on, and if it was on, look whether the "+
			"server's disk is full (%w)", n.job, doing, err)
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, jetstream.ErrConnectionClosed):
		return fmt.Errorf("job %s: %s: the connection to the server was closed (%w)", n.job, doing, err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("job %s: %s: the server does not answer (%w)", n.job, doing, err)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf("job %s: %s: the server has no JetStream, or no leader at the moment (%w)", n.job, doing, err)
	}
	return fmt.Errorf("job %s: %s: %w", n.job, doing, err)
}
