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
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// The files of a job: what is to be executed, and the bundle that executes it.
const (
	recordFile = "record"
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

// publishRecord stores what agents need, unless it is there.
func publishRecord(ctx context.Context, j *streams.Job, r *record, pack func(io.Writer) error,
	sign func(vouched string) (*bundle.Signature, error)) error {
	data, digest, err := r.encode()
	if err != nil {
		return err
	}
	s := seal{Record: digest}
	if s.Signature, err = sign(vouched(j.Name(), digest)); err != nil {
		return err
	}
	state, err := json.Marshal(s)
	if err != nil {
		return err
	}
	old, revision, err := j.State(ctx)
	if err != nil || bytes.Equal(old, state) {
		return err // of another run: it is in place
	}
	if old != nil {
		if err := sameAs(ctx, j, r); err != nil {
			return err
		}
	}
	if err := j.PutFile(ctx, recordFile, bytes.NewReader(data)); err != nil {
		return err
	}
	read, write := io.Pipe()
	go func() { write.CloseWithError(pack(write)) }()
	if err := j.PutFile(ctx, bundleFile, read); err != nil {
		return err
	}
	// The state is last: agents begin when it is there.
	_, err = j.SetState(ctx, state, revision)
	return err
}

// sameAs refuses to go on with a job of another exploration, which only one that was given a name can be.
func sameAs(ctx context.Context, j *streams.Job, r *record) error {
	s, err := readSeal(ctx, j)
	if err != nil {
		return err
	}
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
	data, _, err := j.State(ctx)
	if err != nil || data == nil {
		return nil, err
	}
	s := &seal{}
	if err := strictly(data, s); err != nil {
		return nil, fmt.Errorf("job %s: its state is not one that Rehearse wrote: %w", j.Name(), err)
	}
	return s, nil
}

// fetchRecord fetches the record that a seal names.
func fetchRecord(ctx context.Context, j *streams.Job, s *seal) (*record, error) {
	r := &record{}
	err := j.GetFile(ctx, recordFile, func(from io.Reader) error {
		data, err := io.ReadAll(io.LimitReader(from, maxRecord+1))
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != s.Record {
			return fmt.Errorf("it has another digest than the state of the job says: it is not run")
		}
		return strictly(data, r)
	})
	return r, err
}

// strictly decodes JSON that came from elsewhere: unknown fields and what follows are errors.
func strictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows its end")
	}
	return nil
}
