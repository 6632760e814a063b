package bundle

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/rehearse-go/rehearse/internal/files"
)

// This file makes and reads keys. They are nkeys of the kind that NATS has for clusters, and signs nothing with. A key
// of a user of NATS is refused: it signs whatever text a server sends, so that a server could have it sign a job.

const keyKind = nkeys.PrefixByteCluster

// maxKey bounds the file of a seed, in bytes.
const maxKey = 1 << 10

// remedyKey ends errors about seeds.
const remedyKey = "make a key pair with `rehearse swarm key FILE`"

// Seed is the secret half of a key pair. It shows itself nowhere.
type Seed struct{ pair nkeys.KeyPair }

// String hides it.
func (*Seed) String() string { return "(a seed)" }

// GoString hides it.
func (*Seed) GoString() string { return "(a seed)" }

// Wipe overwrites it. The copies that signing makes are left to the collector of garbage.
func (s *Seed) Wipe() { s.pair.Wipe() }

// Public is the key that others trust.
func (s *Seed) Public() (string, error) { return s.pair.PublicKey() }

// NewKey makes a key pair, writes the seed to a new file that only its user may read, and gives the public key.
func NewKey(path string) (public string, err error) {
	pair, err := nkeys.CreatePair(keyKind)
	if err != nil {
		return "", err
	}
	defer pair.Wipe()
	if public, err = pair.PublicKey(); err != nil {
		return "", err
	}
	seed, err := pair.Seed() // not a copy
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already: a seed is not written over, name another file", path)
	} else if err != nil {
		return "", err
	}
	text := append(bytes.Clone(seed), '\n')
	defer clear(text)
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return "", err
	}
	return public, nil
}

// ReadSeed reads the file of a seed, which nobody else may be able to read.
func ReadSeed(path string) (*Seed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, remedyKey)
	}
	if err := files.IsFile(path); err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode()&0o077 != 0 {
		return nil, fmt.Errorf("%s: others may read or write it (mode %o): make a new key pair if they did, else "+
			"`chmod 600` it", path, info.Mode().Perm())
	}
	text, err := readAtMost(path, maxKey)
	defer clear(text)
	if err != nil {
		return nil, err
	}
	// SUBTLE: no error of the decoder is passed on. It may quote the text.
	seed := bytes.TrimSpace(text)
	kind, raw, err := nkeys.DecodeSeed(seed)
	clear(raw)
	if err != nil {
		return nil, fmt.Errorf("%s has no seed: %s", path, remedyKey)
	}
	if kind != keyKind {
		return nil, fmt.Errorf("%s has a seed of another kind, which NATS signs other things with: %s", path, remedyKey)
	}
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return nil, fmt.Errorf("%s has no seed: %s", path, remedyKey)
	}
	return &Seed{pair}, nil
}

// CheckPublic says what is wrong with a public key that is to be trusted. It does not show the text, which may be a
// seed.
func CheckPublic(key string) error {
	if strings.HasPrefix(key, "S") {
		return errors.New("it seems to be a seed, which is secret and is not shown: want the public key, which begins with C")
	}
	raw, err := nkeys.Decode(keyKind, []byte(key))
	if err == nil {
		// SUBTLE: the decoder takes more than one text for a key, and keys are compared as texts.
		canonical, err := nkeys.Encode(keyKind, raw)
		if err == nil && len(raw) == ed25519.PublicKeySize && string(canonical) == key {
			return nil
		}
	}
	return errors.New("it is no key that `rehearse swarm key` has printed: want one that begins with C")
}
