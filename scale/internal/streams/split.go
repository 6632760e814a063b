package streams

import (
	"context"
	"encoding/binary"

	"github.com/nats-io/nats.go"
)

// Split asks n busy workers, chosen at random, to give back a part of their work. idle is how many workers wait. Nobody
// stores these requests: one that finds no busy worker is gone.
func (j *Job) Split(ctx context.Context, n, idle int) error {
	b := encodeSplit(idle)
	for range n {
		if err := j.nc.Publish(j.subject("split"), b); err != nil {
			return j.told(ctx, "asking workers to split", err)
		}
	}
	return nil
}

// OnSplit has f called for each request that this process is chosen for, with the number of workers that wait. It is
// called on one goroutine, one request after the other. Call it when work begins, and cancel when it ends: whoever is
// idle must not be chosen.
func (j *Job) OnSplit(f func(idle int)) (cancel func(), err error) {
	s, err := j.nc.QueueSubscribe(j.subject("split"), busy, func(m *nats.Msg) {
		if idle, ok := decodeSplit(m.Data); ok {
			f(idle)
		}
	})
	if err != nil {
		return nil, j.plain("listening to requests to split", err)
	}
	return func() { _ = s.Unsubscribe() }, nil
}

const maxIdle = 1 << 16

func encodeSplit(idle int) []byte {
	return binary.BigEndian.AppendUint32([]byte{magic, version}, uint32(max(0, min(idle, maxIdle))))
}

func decodeSplit(b []byte) (idle int, ok bool) {
	if len(b) != 6 || b[0] != magic || b[1] != version {
		return 0, false
	}
	n := binary.BigEndian.Uint32(b[2:])
	return int(n), n <= maxIdle
}
