package streams

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// DefaultAckWait is how long a worker may be silent about a task until another one gets it.
	DefaultAckWait = 10 * time.Second
	// DefaultAlive is how long a worker counts as alive after a beat.
	DefaultAlive = 15 * time.Second

	maxInline  = 512 << 10 // bytes of data in a message; more become an object
	overhead   = 4 << 10   // of a message beside its data: the envelope, headers
	maxWaiting = 1 << 16   // pulls that wait at the same time
)

// Options say how a job is kept. The zero value is one copy.
type Options struct {
	// Replicas is on how many servers of a cluster everything is kept: 1, 3 or 5; 0: 1.
	Replicas int
	// MaxBytes bounds tasks, results and objects, each, in bytes; 0: none but the server's.
	MaxBytes int64
	// AckWait is how long a worker may be silent about a task until another one gets it; 0: DefaultAckWait.
	AckWait time.Duration
	// Alive is how long a worker counts as alive after a beat; 0: DefaultAlive.
	Alive time.Duration
}

func (o *Options) validate() error {
	switch {
	case o.Replicas != 0 && o.Replicas != 1 && o.Replicas != 3 && o.Replicas != 5:
		return fmt.Errorf("%d replicas: want 1, 3 or 5", o.Replicas)
	case o.MaxBytes < 0:
		return fmt.Errorf("at most %d bytes: want a number that is not negative", o.MaxBytes)
	case o.AckWait < 0 || o.Alive < 0:
		return errors.New("a time to wait is negative")
	case o.Alive > 0 && o.Alive < time.Second:
		return fmt.Errorf("workers alive for %s after a beat: want a second at least", o.Alive)
	}
	if o.AckWait == 0 {
		o.AckWait = DefaultAckWait
	}
	if o.Alive == 0 {
		o.Alive = DefaultAlive
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = -1 // none
	}
	o.Replicas = max(o.Replicas, 1)
	return nil
}

// Job is a handle on what a job has on the server. Its methods may be called by several goroutines. What it holds ends
// with the connection. Who has pulled tasks and keeps the connection calls Close.
type Job struct {
	names
	nc        *nats.Conn
	js        jetstream.JetStream
	maxInline int
	ackWait   time.Duration
	alive     time.Duration
	answer    time.Duration // see answerWithin
	heartbeat time.Duration // see pullHeartbeat

	tasksOf   jetstream.Consumer
	resultsIn jetstream.Stream
	stateIn   jetstream.KeyValue
	stateOf   jetstream.Stream // the same
	aliveIn   jetstream.KeyValue
	objects   jetstream.ObjectStore

	mu    sync.Mutex
	pulls []jetstream.MessagesContext // no goroutine waits for these
}

// Name is the name of the job, ID what tells it from others of the same name. Whoever goes on with it later keeps the
// id, and hands it to Open.
func (j *Job) Name() string { return j.job }

// ID tells the job from others of the same name: see Name.
func (j *Job) ID() string { return j.id }

// Create makes a job. If there is one of the name, whole or not, the error is ErrExists.
func Create(ctx context.Context, nc *nats.Conn, job string, o Options) (*Job, error) {
	if err := CheckJob(job); err != nil {
		return nil, err
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	id, err := newID()
	if err != nil {
		return nil, err
	}
	n := names{job: job, id: id}
	if err := n.create(ctx, js, o); err != nil {
		return nil, err
	}
	return Open(ctx, nc, job, id)
}

// makeWithin is how long the server may take to make or delete a part of a job: a cluster elects a leader for each.
const makeWithin = 30 * time.Second

// create makes the streams. That of the results comes first and is the lock: of two processes that make a job of the
// same name, one fails there. The rest of a job that was not made in whole is found by Open.
func (n names) create(ctx context.Context, js jetstream.JetStream, o Options) error {
	for _, step := range []func(context.Context, jetstream.JetStream, Options) error{n.createResults, n.createState,
		n.createAlive, n.createObjects, n.createTasks, n.createConsumer} {
		err := making(ctx, func(ctx context.Context) error { return step(ctx, js, o) })
		switch {
		case errors.Is(err, jetstream.ErrStreamNameAlreadyInUse), errors.Is(err, jetstream.ErrBucketExists):
			return fmt.Errorf("job %s: %w: go on with it, delete it, or take another name", n.job, ErrExists)
		case err != nil:
			return n.plain("making it", err)
		}
	}
	return nil
}

// noStore is how often a stream may not be made for want of a store.
const noStore = 5

// making makes a part of a job.
//
// SUBTLE: where the last stream of an account was deleted, nats-server (v2.15.2, stream.stop) removes its empty folder
// in the background. A stream that is made just then finds its own folder gone between two steps. The answer is that of
// a disk that cannot be written to. Nothing was made, so it is tried again.
func making(ctx context.Context, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, makeWithin)
	defer cancel()
	for n := 1; ; n++ {
		err := step(ctx)
		if code(err) != codeStreamCreate || n == noStore || wait(ctx, n) != nil {
			return err
		}
	}
}

func (n names) meta() map[string]string {
	return map[string]string{metaJob: n.job, metaID: n.id, metaFormat: format}
}

func (n names) createResults(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: n.results(), Subjects: []string{n.subject("result.>")},
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxBytes: o.MaxBytes, Replicas: o.Replicas,
		Storage: jetstream.FileStorage, Metadata: n.meta()})
	return err
}

func (n names) createState(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: n.state(), Replicas: o.Replicas,
		Storage: jetstream.FileStorage, Metadata: n.meta(), MaxBytes: smaller(o.MaxBytes, 16<<20)})
	return err
}

func (n names) createAlive(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: n.alive(), Replicas: o.Replicas,
		Storage: jetstream.FileStorage, Metadata: n.meta(), TTL: o.Alive, MaxBytes: smaller(o.MaxBytes, 64<<20)})
	return err
}

func (n names) createObjects(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: n.objects(), Replicas: o.Replicas,
		Storage: jetstream.FileStorage, Metadata: n.meta(), MaxBytes: o.MaxBytes})
	return err
}

func (n names) createTasks(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: n.tasks(), Subjects: []string{n.subject("task.>")},
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxBytes: o.MaxBytes, Replicas: o.Replicas,
		Storage: jetstream.FileStorage, Metadata: n.meta()})
	return err
}

func (n names) createConsumer(ctx context.Context, js jetstream.JetStream, o Options) error {
	_, err := js.CreateConsumer(ctx, n.tasks(), jetstream.ConsumerConfig{Durable: n.consumer(),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait, MaxDeliver: -1, MaxAckPending: -1,
		MaxWaiting: maxWaiting})
	return err
}

// smaller bounds what a bucket takes where the whole job is bounded.
func smaller(limit, most int64) int64 {
	if limit < 0 {
		return limit
	}
	return min(limit, most)
}

// Open gives a handle on a job. With an id it must be the job that was made with it; "" takes whichever has the name.
// Without a job of the name the error is ErrNoJob, or ErrLost if an id was given.
func Open(ctx context.Context, nc *nats.Conn, job, id string) (*Job, error) {
	if err := CheckJob(job); err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	j := &Job{names: names{job: job, id: id}, nc: nc, js: js, answer: answerWithin, heartbeat: pullHeartbeat}
	if j.id == "" {
		if j.id, err = j.findID(ctx); err != nil {
			return nil, err
		}
	}
	if err := j.Check(ctx); err != nil {
		return nil, err
	}
	if err := j.bind(ctx); err != nil {
		return nil, err
	}
	return j, nil
}

// bind finds what Check has found.
func (j *Job) bind(ctx context.Context) error {
	err := order(ctx, j, func(ctx context.Context) (err error) {
		if j.tasksOf, err = j.js.Consumer(ctx, j.tasks(), j.consumer()); err != nil {
			return err
		}
		if j.resultsIn, err = j.js.Stream(ctx, j.results()); err != nil {
			return err
		}
		if j.stateIn, err = j.js.KeyValue(ctx, j.state()); err != nil {
			return err
		}
		if j.stateOf, err = j.js.Stream(ctx, streamOf(j.state())); err != nil {
			return err
		}
		if j.aliveIn, err = j.js.KeyValue(ctx, j.names.alive()); err != nil {
			return err
		}
		if j.objects, err = j.js.ObjectStore(ctx, j.names.objects()); err != nil {
			return err
		}
		status, err := j.aliveIn.Status(ctx)
		if err == nil {
			j.alive = status.TTL()
		}
		return err
	})
	if err != nil {
		return j.told(ctx, "opening it", err)
	}
	j.ackWait = j.tasksOf.CachedInfo().Config.AckWait
	j.maxInline = int(min(maxInline, j.nc.MaxPayload()-overhead))
	return nil
}

// AckWait is how long a worker may be silent about a task until another one gets it. A third of it is a good time
// between two calls of Task.InProgress.
func (j *Job) AckWait() time.Duration { return j.ackWait }

// Alive is how long a worker counts as alive after a beat.
func (j *Job) Alive() time.Duration { return j.alive }

// Delete removes a job from the server, whole or not, whoever made it. If there is none, nothing happens.
func Delete(ctx context.Context, nc *nats.Conn, job string) error {
	if err := CheckJob(job); err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	return names{job: job}.delete(ctx, js)
}

// delete removes what there is of a job, without an id of any of the name.
func (n names) delete(ctx context.Context, js jetstream.JetStream) error {
	all := n.all()
	for i := len(all) - 1; i >= 0; i-- { // the lock is the last one
		step, cancel := context.WithTimeout(ctx, makeWithin)
		err := n.deleteStream(step, js, all[i])
		cancel()
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return n.plain("deleting it", err)
		}
	}
	return nil
}

// deleteStream removes a stream, unless it is of another job of the name.
func (n names) deleteStream(ctx context.Context, js jetstream.JetStream, name string) error {
	if n.id != "" {
		s, err := js.Stream(ctx, name)
		if err != nil || s.CachedInfo().Config.Metadata[metaID] != n.id {
			return err
		}
	}
	return js.DeleteStream(ctx, name)
}

// Delete removes the job from the server, unless another one has its name now: then the error is ErrLost. If it is
// removed already, or somebody removes it at this moment, nothing happens.
func (j *Job) Delete(ctx context.Context) error {
	id, err := j.findID(ctx)
	switch {
	case err != nil && !errors.Is(err, ErrNoJob):
		return err
	case err == nil && id != j.id:
		return fmt.Errorf("job %s: %w: another one has its name", j.job, ErrLost)
	}
	return j.names.delete(ctx, j.js)
}
