package bundle

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
)

// newKey makes a key pair and gives the file of its seed, and the public key.
func newKey(t *testing.T) (path, public string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "seed")
	public, err := NewKey(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckPublic(public); err != nil {
		t.Fatal(err)
	}
	return path, public
}

func TestSign(t *testing.T) {
	path, public := newKey(t)
	_, stranger := newKey(t)
	m, _ := small()
	m.Args, m.Env = []string{"-a", "-b"}, []string{"A=1"}
	sig, err := Sign(path, "job1", m.Digest())
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify([]string{stranger, public}, "job1", m.Digest(), sig); err != nil {
		t.Errorf("the job as it was signed: %v", err)
	}
	const changed = "were changed"
	for what, c := range map[string]struct {
		change func(m *Manifest, s *Signature, job *string, trusted *[]string)
		want   string
	}{
		"no trust": {func(_ *Manifest, _ *Signature, _ *string, k *[]string) { *k = nil }, "-trust"},
		"another trust": {func(_ *Manifest, _ *Signature, _ *string, k *[]string) { *k = []string{stranger} },
			"runs only what " + stranger + " has signed"},
		"another name":     {func(_ *Manifest, _ *Signature, j *string, _ *[]string) { *j = "job2" }, changed},
		"a longer name":    {func(_ *Manifest, _ *Signature, j *string, _ *[]string) { *j = "job1{" }, changed},
		"an argument":      {func(m *Manifest, _ *Signature, _ *string, _ *[]string) { m.Args = []string{"-a"} }, changed},
		"arguments joined": {func(m *Manifest, _ *Signature, _ *string, _ *[]string) { m.Args = []string{"-a-b"} }, changed},
		"a variable":       {func(m *Manifest, _ *Signature, _ *string, _ *[]string) { m.Env = []string{"A=2"} }, changed},
		"a file": {func(m *Manifest, _ *Signature, _ *string, _ *[]string) {
			m.Files[2].SHA256 = m.Files[0].SHA256
		}, changed},
		"a bit":        {func(_ *Manifest, s *Signature, _ *string, _ *[]string) { s.Signature[7] ^= 1 }, changed},
		"a short one":  {func(_ *Manifest, s *Signature, _ *string, _ *[]string) { s.Signature = s.Signature[:63] }, changed},
		"an empty one": {func(_ *Manifest, s *Signature, _ *string, _ *[]string) { s.Signature = nil }, changed},
		"another key's": {func(_ *Manifest, s *Signature, _ *string, k *[]string) {
			s.Key, *k = stranger, []string{stranger}
		}, changed},
		"no key": {func(_ *Manifest, s *Signature, _ *string, k *[]string) { s.Key, *k = "C", []string{"C"} }, changed},
	} {
		m, _ := small()
		m.Args, m.Env = []string{"-a", "-b"}, []string{"A=1"}
		s := &Signature{sig.Key, append([]byte(nil), sig.Signature...)}
		job, trusted := "job1", []string{public}
		c.change(m, s, &job, &trusted)
		if err := Verify(trusted, job, m.Digest(), s); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	if err := Verify([]string{public}, "job1", m.Digest(), nil); !says(err, "is not signed") {
		t.Errorf("no signature: %v", err)
	}
}

// The domain is part of what is signed: a signature of the same bytes for something else is none of a job.
func TestDomain(t *testing.T) {
	path, public := newKey(t)
	seed, err := ReadSeed(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := small()
	digest := m.Digest()
	other, err := seed.pair.Sign(append(digest[:], "job"...))
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify([]string{public}, "job", m.Digest(), &Signature{public, other}); err == nil {
		t.Error("a signature without the domain is one of a job")
	}
}

// A seed is in no error, in no text, and after its use in no memory of ours.
func TestSeedsAreSecret(t *testing.T) {
	path, public := newKey(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.TrimSpace(string(text))
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	clean := func(what, said string) {
		t.Helper()
		for n := range len(secret) - 8 {
			if strings.Contains(said, secret[n:n+8]) {
				t.Fatalf("%s shows a part of the seed", what)
			}
		}
	}
	if _, err := NewKey(path); !says(err, "is there already") {
		t.Errorf("over a seed: %v", err)
	}
	user, _ := nkeys.CreateUser()
	ofUser, _ := user.Seed()
	flipped := []byte(secret)
	flipped[20] = 'A' + (flipped[20]-'A'+1)%26
	for what, c := range map[string]struct{ text, want string }{
		"a letter changed": {string(flipped), "has no seed"},
		"cut off":          {secret[:30], "has no seed"},
		"twice":            {secret + secret, "has no seed"},
		"small letters":    {strings.ToLower(secret), "has no seed"},
		"two lines":        {secret + "\n" + secret, "has no seed"},
		"the public key":   {public, "has no seed"},
		"nothing":          {"", "has no seed"},
		"a user's":         {string(ofUser), "of another kind"},
		"a large file":     {strings.Repeat(secret, 100), "more than 1024 bytes"},
	} {
		name := write(t, 0o600, c.text, t.TempDir(), "seed")
		_, err := ReadSeed(name)
		if !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
			continue
		}
		clean(what, err.Error())
	}
	if err := CheckPublic(secret); !says(err, "want the public key") {
		t.Errorf("a seed to be trusted: %v", err)
	} else {
		clean("a seed to be trusted", err.Error()+CheckPublic(" "+secret).Error())
	}
	if pub, _ := user.PublicKey(); CheckPublic(pub) == nil || CheckPublic("") == nil || CheckPublic(public+"A") == nil {
		t.Error("keys that are none are trusted")
	}
	seed, err := ReadSeed(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		clean(format, fmt.Sprintf(format, seed)+fmt.Sprintf(format, *seed)+fmt.Sprintf(format, struct{ S *Seed }{seed}))
	}
	if data, err := json.Marshal(seed); err == nil {
		clean("JSON", string(data))
	}
	inMemory, _ := seed.pair.Seed()
	seed.Wipe()
	clean("memory after Wipe", string(inMemory))
	m, _ := small()
	if _, err := seed.Sign("job", m.Digest()); !says(err, "the seed was wiped") {
		t.Errorf("signing after Wipe: %v", err)
	}
}
