package bundle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nkeys"
)

// This file vouches for jobs. A signature covers the name of the job and the manifest, and so the binary, every file,
// the arguments and the variables. It says nothing about when: who has a signed job may have it run once more.

// domain begins every text that is signed, so that it is no text of anything else.
const domain = "rehearse job 1\x00"

// Signature is the word of one key for one job.
type Signature struct {
	Key       string `json:"key"` // public
	Signature []byte `json:"signature"`
}

// signed is the text that a signature is of. Lengths come before what they are of, so that no two jobs have one text.
func signed(job string, m *Manifest) []byte {
	b := []byte(domain)
	b = binary.BigEndian.AppendUint64(b, uint64(len(job)))
	b = append(b, job...)
	return append(b, m.Bytes()...)
}

// Sign signs a job.
func (s *Seed) Sign(job string, m *Manifest) (*Signature, error) {
	key, err := s.pair.PublicKey()
	if err != nil {
		return nil, errors.New("the seed was wiped")
	}
	sig, err := s.pair.Sign(signed(job, m))
	if err != nil {
		return nil, errors.New("the seed was wiped")
	}
	return &Signature{key, sig}, nil
}

// Sign signs a job with the seed in a file, which is in memory for no longer than that takes.
func Sign(path, job string, m *Manifest) (*Signature, error) {
	seed, err := ReadSeed(path)
	if err != nil {
		return nil, err
	}
	defer seed.Wipe()
	return seed.Sign(job, m)
}

// Verify refuses a job that none of the trusted keys has signed.
func Verify(trusted []string, job string, m *Manifest, s *Signature) error {
	switch {
	case len(trusted) == 0:
		return fmt.Errorf("job %.80q: this worker trusts no key: start it with -trust and the key that `rehearse swarm key` "+
			"has printed", job)
	case s == nil:
		return fmt.Errorf("job %.80q is not signed, and this worker trusts only what certain keys have signed: begin the "+
			"job with -sign and the file of the seed", job)
	case !slices.Contains(trusted, s.Key):
		return fmt.Errorf("job %.80q is signed with the key %.80q, which this worker does not trust: begin the job with "+
			"another -sign, or, if you know whose key it is, start the worker with -trust and this key", job, s.Key)
	}
	pair, err := nkeys.FromPublicKey(s.Key)
	if err == nil && nkeys.Prefix(s.Key) != keyKind {
		err = errors.New("a key of another kind")
	}
	if err == nil {
		err = pair.Verify(signed(job, m), s.Signature)
	}
	if err != nil {
		return fmt.Errorf("job %.80q: the signature is not one of the key %.80q for this job: its files, arguments or "+
			"variables were changed, or it was signed as another job; it is not run (%w)", job, s.Key, err)
	}
	return nil
}
