package broker

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
)

const (
	lockFile   = "lock"        // in the store folder
	accessFile = "access.json" // beside it
	maxAccess  = 4096          // bytes of it
)

// Access is what a client needs to connect to an embedded server: where it is, and the token.
type Access struct {
	URL   string `json:"url"` // several with commas between them
	Token string `json:"token"`
}

func (a *Access) add(url string) {
	if a.URL != "" {
		a.URL += ","
	}
	a.URL += url
}

// String is for people: it leaves the token out.
func (a Access) String() string { return a.URL }

// GoString is for programmers: it leaves the token out, too.
func (a Access) GoString() string { return a.URL }

// newToken gives 256 random bits.
func newToken() (string, error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("no random numbers for a token: %w", err)
	}
	return hex.EncodeToString(b), nil
}

// Find gives the access to the embedded server whose store is in the folder. Only the user who started it can read
// that. If no server runs there, the error is fs.ErrNotExist with what to do.
func Find(folder string) (Access, error) {
	a, err := readAccess(folder)
	if err == nil && !runs(folder) {
		err = fs.ErrNotExist
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Access{}, fmt.Errorf("no NATS server of Rehearse runs in %s: start one with `rehearse swarm`, or name a "+
			"server: %w", folder, fs.ErrNotExist)
	}
	return a, err
}

// runs reports whether a server may run in the folder: it holds the lock.
func runs(folder string) bool {
	f, err := files.Open(filepath.Join(folder, lockFile), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return files.NoLocks != "" || errors.Is(files.TryLock(f), files.ErrLocked)
}

// readAccess reads the file that a server wrote, which may have ended.
func readAccess(folder string) (a Access, err error) {
	path := filepath.Join(folder, accessFile)
	f, err := files.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return a, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAccess+1))
	if err != nil {
		return a, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil || len(text) > maxAccess || a.URL == "" || a.Token == "" {
		return Access{}, fmt.Errorf("%s does not tell where a server is: remove it, and start the server again", path)
	}
	// SUBTLE: the token is for loopback. A file that somebody else wrote must not send it elsewhere.
	for u := range strings.SplitSeq(a.URL, ",") {
		if p, err := parseURL(u); err != nil || !p.local {
			return Access{}, fmt.Errorf("%s names a server beyond loopback: remove it, and start the server again", path)
		}
	}
	return a, nil
}

// writeAccess writes the file that Find reads, for this user alone, in one step.
func writeAccess(folder string, a Access) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+accessFile+"-*") // with mode 0600
	if err == nil {
		_, err = f.Write(append(text, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(folder, accessFile))
	}
	if err != nil {
		if f != nil {
			os.Remove(f.Name())
		}
		return fmt.Errorf("the file that tells workers of this machine where the server is: %w", err)
	}
	return nil
}
