package streams

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// answerWithin is how long one attempt to publish waits for the server.
const answerWithin = 5 * time.Second

// publish stores a message under a subject that had none before, and reports whether it is the one that is there. It
// tries again while the server does not answer, until ctx is done.
//
// SUBTLE: a server that does not answer may have stored the message all the same. Then the next attempt is refused by
// our own message. It is told from others' by its random part.
func (j *Job) publish(ctx context.Context, stream, subject, doing string, data []byte) (seq uint64, first bool,
	err error) {
	e, err := j.wrap(ctx, doing, data)
	if err != nil {
		return 0, false, err
	}
	b := e.encode()
	unsure := false
	for n := 1; ; n++ {
		seq, err := j.attempt(ctx, stream, subject, b)
		switch {
		case err == nil:
			return seq, true, nil
		case there(err) && unsure:
			ours, err := j.isOurs(ctx, stream, subject, b)
			if err == nil && !ours {
				j.unwrap(ctx, e)
			}
			return 0, ours, j.plain(doing, err)
		case there(err):
			j.unwrap(ctx, e)
			return 0, false, nil
		case !Passing(err):
			j.unwrap(ctx, e)
			return 0, false, j.told(ctx, doing, err)
		}
		unsure = true
		if lost := j.told(ctx, doing, err); errors.Is(lost, ErrLost) {
			return 0, false, lost
		}
		if ctx.Err() != nil || wait(ctx, n) != nil {
			return 0, false, fmt.Errorf("job %s: %s: whether the server has it is not known: %w (%w)", j.job, doing,
				ctx.Err(), err)
		}
	}
}

func (j *Job) attempt(ctx context.Context, stream, subject string, b []byte) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	ack, err := j.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: b}, jetstream.WithExpectStream(stream),
		jetstream.WithExpectLastSequencePerSubject(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// isOurs reports whether the message of a subject has these bytes. A task that was executed meanwhile has none: then it
// was there.
func (j *Job) isOurs(ctx context.Context, stream, subject string, b []byte) (bool, error) {
	s, err := j.js.Stream(ctx, stream)
	if err != nil {
		return false, err
	}
	m, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return bytes.Equal(m.Data, b), nil
}

// has reports whether a stream has a message under a subject.
func (j *Job) has(ctx context.Context, stream, subject, doing string) (bool, error) {
	s, err := j.js.Stream(ctx, stream)
	if err != nil {
		return false, j.told(ctx, doing, err)
	}
	_, err = s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, j.told(ctx, doing, err)
}
