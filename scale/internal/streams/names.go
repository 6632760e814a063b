package streams

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
)

const (
	prefix     = "rehearse"
	busy       = "busy" // the queue group of OnSplit
	maxName    = 200    // bytes of the name of a task
	idLength   = 16     // digits
	metaJob    = "rehearse-job"
	metaID     = "rehearse-id"
	metaFormat = "rehearse-format"
	format     = "1" // of envelopes and names; another one is refused
)

var (
	jobName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)
	taskName   = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)
	workerName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)
	idText     = regexp.MustCompile(`^[0-9a-f]{16}$`)
)

// names are what a job has on the server.
type names struct{ job, id string }

func (n names) stream(what string) string  { return prefix + "-" + n.job + "-" + what }
func (n names) results() string            { return n.stream("results") }
func (n names) tasks() string              { return n.stream("tasks") }
func (n names) state() string              { return n.stream("state") }
func (n names) alive() string              { return n.stream("alive") }
func (n names) objects() string            { return n.stream("objects") }
func (n names) consumer() string           { return "workers-" + n.id }
func (n names) subject(what string) string { return prefix + "." + n.job + "." + n.id + "." + what }
func (n names) key(what string) string     { return n.id + "." + what }

// all are the names of the streams, buckets and the object store included, the one that is made first in front.
func (n names) all() []string {
	return []string{n.results(), streamOf(n.state()), streamOf(n.alive()), "OBJ_" + n.objects(), n.tasks()}
}

// streamOf is the stream of a bucket.
func streamOf(bucket string) string { return "KV_" + bucket }

// CheckJob gives an error if a job cannot have the name.
func CheckJob(name string) error {
	if !jobName.MatchString(name) {
		return fmt.Errorf("%q is no name for a job: want up to 64 letters, digits, - and _", cut(name))
	}
	return nil
}

// CheckTask gives an error if a task cannot have the name.
func CheckTask(name string) error {
	if len(name) > maxName || !taskName.MatchString(name) {
		return fmt.Errorf("%q is no name for a task: want parts of letters, digits, - and _, with dots between them, "+
			"%d bytes at most", cut(name), maxName)
	}
	return nil
}

func checkWorker(name string) error {
	if !workerName.MatchString(name) {
		return fmt.Errorf("%q is no name for a worker: want up to 100 letters, digits, - and _", cut(name))
	}
	return nil
}

// cut shortens what somebody else wrote.
func cut(text string) string {
	if len(text) > 80 {
		return text[:80] + "..."
	}
	return text
}

func newID() (string, error) {
	b := make([]byte, idLength/2)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("no random number for a job: %w", err)
	}
	return hex.EncodeToString(b), nil
}
