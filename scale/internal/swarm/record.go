package swarm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// The files of a job: what is to be executed, and the bundle that executes it.
const (
	recordFile = "record-" // and its digest: so a new record never replaces the one that the state names
	bundleFile = "bundle"
	maxRecord  = 64 << 20 // bytes; it has the results of earlier explorations of the test
)

// record is what an agent has to know of a job.
type record struct {
	Bundle string       `json:"bundle"` // digest
	Job    parallel.Job `json:"job"`
	// Targets is of a job that searches for targets and explores nothing; else nil.
	Targets *targetsOf `json:"targets,omitempty"`
}

// seal is the state of a job: it names the record by its digest. A signature is of that, and of the bundle's manifest.
type seal struct {
	Record    string            `json:"record"` // SHA-256 of its bytes
	Signature *bundle.Signature `json:"signature,omitempty"`
	epochs                      // the last one is that of the record
}

// follow takes over the epochs of the seal before it, nil for the first one. A new record begins another epoch, behind
// so many results.
func (s *seal) follow(ctx context.Context, j *streams.Job, before *seal, executions int, last uint64) (changed bool,
	err error) {
	if before == nil {
		s.Epochs = []epoch{{Executions: executions}}
		return false, nil
	}
	s.epochs = before.epochs
	if changed = before.Record != s.Record; changed {
		err = s.begin(ctx, j, epoch{Since: last, Executions: executions})
	}
	return changed, err
}

// encode gives the bytes of a record, and their digest.
func (r *record) encode() (data []byte, digest string, err error) {
	data, err = json.Marshal(r)
	if err != nil {
		return nil, "", err
	}
	if len(data) > maxRecord {
		return nil, "", fmt.Errorf("the explorations that the test made before have results of %d bytes: at most %d travel",
			len(data), maxRecord)
	}
	sum := sha256.Sum256(data)
	return data, hex.EncodeToString(sum[:]), nil
}

// jobName names the job of an exploration: people see the test, the hash tells what it is about. The same exploration
// of the same binary has the same name, whatever the budget, so that who starts it again goes on.
func (r *record) jobName() string {
	h := sha256.New()
	if r.Targets != nil {
		fmt.Fprintf(h, "%s %+v", r.Bundle, *r.Targets)
		return fmt.Sprintf("targets-%x", h.Sum(nil)[:8])
	}
	fmt.Fprintf(h, "%s %+v", r.Bundle, r.Job.Header)
	name := cmp.Or(r.Job.Header.Test, r.Job.Header.Call) // one that Explore began has no test
	name = regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(name, "_")
	return fmt.Sprintf("%.40s-%x", strings.Trim(name, "_"), h.Sum(nil)[:8])
}

// about says what a job does, for people.
func (r *record) about(m *bundle.Manifest) string {
	if r.Targets != nil {
		return fmt.Sprintf("%d targets of %s", r.Targets.Number, m.Package)
	}
	return fmt.Sprintf("%s of %s", r.Job.Header.Call, r.Job.Header.Package)
}

// vouched is the text that a signature names a job by.
func vouched(job, digest string) string { return job + " " + digest }

// publishRecord stores what agents need, unless it is there, and gives the epochs of the job.
func publishRecord(ctx context.Context, j *streams.Job, r *record, pack func(io.Writer) error,
	sign func(vouched string) (*bundle.Signature, error)) ([]epoch, error) {
	data, digest, err := r.encode()
	if err != nil {
		return nil, err
	}
	s := &seal{Record: digest}
	if s.Signature, err = sign(vouched(j.Name(), digest)); err != nil {
		return nil, err
	}
	old, revision, err := readState(ctx, j)
	if err != nil {
		return nil, err
	}
	_, last, err := j.Results(ctx)
	if err != nil {
		return nil, err
	}
	if old != nil && old.Record != digest {
		if err := r.sameAs(ctx, j, old); err != nil {
			return nil, err
		}
	}
	changed, err := s.follow(ctx, j, old, r.Job.Executions, last)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(old, s) { // else it is of another run, and in place
		if err := j.PutFile(ctx, recordFile+digest, bytes.NewReader(data)); err != nil {
			return nil, err
		}
		if old == nil { // else the bundle is the same
			err = putBundle(ctx, j, pack)
		}
		if changed { // agents drop what is left of an earlier epoch; this is quicker
			err = j.DropTasks(ctx)
		}
		if err == nil {
			err = s.store(ctx, j, revision)
		}
		if err != nil {
			return nil, err
		}
	}
	return s.all(ctx, j)
}

// store makes the seal the state. That is last: agents begin when it is there.
func (s *seal) store(ctx context.Context, j *streams.Job, revision uint64) error {
	state, err := json.Marshal(s)
	if err == nil {
		_, err = j.SetState(ctx, state, revision)
	}
	return err
}

// putBundle stores the bundle as it is packed.
func putBundle(ctx context.Context, j *streams.Job, pack func(io.Writer) error) error {
	read, write := io.Pipe()
	defer read.Close() // whoever packs gives up then
	go func() { write.CloseWithError(pack(write)) }()
	return j.PutFile(ctx, bundleFile, read)
}

// sameAs refuses to go on with a job of another exploration, which only one that was given a name can be.
func (r *record) sameAs(ctx context.Context, j *streams.Job, s *seal) error {
	old, err := fetchRecord(ctx, j, s)
	if err != nil {
		return err
	}
	if old.Bundle != r.Bundle || old.Job.Header != r.Job.Header || !old.Targets.equal(r.Targets) {
		return fmt.Errorf("job %s is of another exploration, or of another binary: give another name, or remove it with "+
			"`rehearse swarm stop -discard %[1]s`", j.Name())
	}
	return nil
}

// readSeal gives the seal of a job, nil if it has none yet.
func readSeal(ctx context.Context, j *streams.Job) (*seal, error) {
	s, _, err := readState(ctx, j)
	return s, err
}

// readState gives the seal of a job and the revision of its state; nil and 0 if it has none yet.
func readState(ctx context.Context, j *streams.Job) (s *seal, revision uint64, err error) {
	data, revision, err := j.State(ctx)
	if err != nil || data == nil {
		return nil, revision, err
	}
	s = &seal{}
	if err = strictly(data, s); err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, 0, spoilt(j, fmt.Errorf("its state is not one that this version of Rehearse wrote: %w", err))
	}
	return s, revision, nil
}

// fetchRecord fetches the record that a seal names.
func fetchRecord(ctx context.Context, j *streams.Job, s *seal) (*record, error) {
	r := &record{}
	err := fetchNamed(ctx, j, recordFile, s.Record, maxRecord, func(data []byte) error {
		return strictlyUpTo(mostInRecord, data, r)
	})
	return r, err
}

// fetchNamed reads a file whose name ends with its digest, of so many bytes at most.
func fetchNamed(ctx context.Context, j *streams.Job, name, digest string, most int64, read func([]byte) error) error {
	return j.GetFile(ctx, name+digest, func(from io.Reader) error {
		data, err := io.ReadAll(io.LimitReader(from, most+1))
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digest {
			return fmt.Errorf("it has another digest than the state of the job says: it is not used")
		}
		return read(data)
	})
}
