package bundle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nkeys"
)

// This file vouches for jobs. A signature covers the name of the job and the digest of the manifest, and so the binary,
// every file, the arguments and the variables. It can be verified before anything of the bundle is fetched. It says
// nothing about when: who has a signed job may have it run once more.

// domain begins every text that is signed, so that it is no text of anything else.
const domain = "rehearse job 1\x00"

// Signature is the word of one key for one job.
type Signature struct {
	Key       string `json:"key"` // public
	Signature []byte `json:"signature"`
}

// signed is the text that a signature is of. The digest has one length, so that no two jobs have one text.
func signed(job string, d Digest) []byte { return slices.Concat([]byte(domain), d[:], []byte(job)) }

// Sign signs a job.
func (s *Seed) Sign(job string, d Digest) (*Signature, error) {
	key, err := s.pair.PublicKey()
	if err != nil {
		return nil, errors.New("the seed was wiped")
	}
	sig, err := s.pair.Sign(signed(job, d))
	if err != nil {
		return nil, errors.New("the seed was wiped")
	}
	return &Signature{key, sig}, nil
}

// Sign signs a job with the seed in a file, which is in memory for no longer than that takes.
func Sign(path, job string, d Digest) (*Signature, error) {
	seed, err := ReadSeed(path)
	if err != nil {
		return nil, err
	}
	defer seed.Wipe()
	return seed.Sign(job, d)
}

// Verify refuses what none of the trusted keys has signed. Its errors are for whoever looks after a worker, or has
// begun the job; they do not name that.
func Verify(trusted []string, job string, d Digest, s *Signature) error {
	trusts := "only what " + strings.Join(trusted, " or ") + " has signed (-trust)"
	switch {
	case len(trusted) == 0:
		return errors.New("this worker trusts no key: start it with -trust and the key that `rehearse swarm key` has printed")
	case s == nil:
		return fmt.Errorf("it is not signed, and this worker runs %s: begin the job with -sign and the file of that key's "+
			"seed", trusts)
	case !slices.Contains(trusted, s.Key):
		return fmt.Errorf("it is signed with the key %.80q, and this worker runs %s: begin the job with -sign and the file "+
			"of that key's seed, or, if you know whose the first key is, start the worker with -trust and that one", s.Key,
			trusts)
	}
	pair, err := nkeys.FromPublicKey(s.Key)
	if err == nil && nkeys.Prefix(s.Key) != keyKind {
		err = errors.New("a key of another kind")
	}
	if err == nil {
		err = pair.Verify(signed(job, d), s.Signature)
	}
	if err != nil {
		return fmt.Errorf("its signature is not one of the key %.80q for this job: files, arguments or variables were "+
			"changed on the server, or it was signed as another job. It is not run; if nobody but you can write to the server, "+
			"remove the job with `rehearse swarm stop -discard` and begin it again (%w)", s.Key, err)
	}
	return nil
}
