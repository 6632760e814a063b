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
	if len(data) > j.maxInline { // an object is not sent in vain
		if known, err := j.has(ctx, stream, subject, doing); known || err != nil {
			return 0, false, err
		}
	}
	e, err := j.wrap(ctx, doing, data)
	if err != nil {
		return 0, false, err
	}
	b := e.encode()
	unsure, p := false, patience{}
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
			return 0, ours, err
		case there(err):
			j.unwrap(ctx, e)
			return 0, false, nil
		case !Passing(err):
			if !unsure { // else a message that refers to the object may be there
				j.unwrap(ctx, e)
			}
			return 0, false, j.told(ctx, doing, err)
		}
		unsure = true
		if err := p.with(ctx, j, doing, err); err != nil {
			return 0, false, err
		}
		if ctx.Err() != nil || wait(ctx, n) != nil {
			return 0, false, fmt.Errorf("job %s: %s: whether the server has it is not known: %w (%w)", j.job, doing,
				ctx.Err(), err)
		}
	}
}

func (j *Job) attempt(ctx context.Context, stream, subject string, b []byte) (uint64, error) {
	ack, err := ask(ctx, j, func(ctx context.Context) (*jetstream.PubAck, error) {
		return j.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: b}, jetstream.WithExpectStream(stream),
			jetstream.WithExpectLastSequencePerSubject(0))
	})
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// isOurs reports whether the message of a subject has these bytes. A task that was executed meanwhile has none: then it
// was there.
func (j *Job) isOurs(ctx context.Context, stream, subject string, b []byte) (bool, error) {
	m, err := j.last(ctx, stream, subject, "looking whether a message arrived")
	return m != nil && bytes.Equal(m.Data, b), err
}

// has reports whether a stream has a message under a subject.
func (j *Job) has(ctx context.Context, stream, subject, doing string) (bool, error) {
	m, err := j.last(ctx, stream, subject, doing)
	return m != nil, err
}

// last gives the message of a subject, nil if there is none.
func (j *Job) last(ctx context.Context, stream, subject, doing string) (m *jetstream.RawStreamMsg, err error) {
	err = j.again(ctx, doing, func() error {
		s, err := j.stream(ctx, stream)
		if err != nil {
			return err
		}
		m, err = ask(ctx, j, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return s.GetLastMsgForSubject(ctx, subject)
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return m, err
}
