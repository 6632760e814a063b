package bundle

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is read as a manifest is written as it was, and every name in it is one below the bundle's root.
func FuzzManifest(f *testing.F) {
	m, _ := small()
	f.Add(m.Bytes())
	m.Args, m.Env, m.GOOS = []string{"-a", "ü\n"}, []string{"A=1", "B=<>&"}, "windows"
	f.Add(m.Bytes())
	m.Files[0].Path, m.Dir = "p/../../x", "."
	f.Add(m.Bytes())
	f.Add([]byte(`{"format":1,"format":2}`))
	f.Add([]byte("null\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		if !bytes.Equal(m.Bytes(), data) || m.Digest() != sha256.Sum256(data) {
			t.Errorf("%q is written as %q", data, m.Bytes())
		}
		seen := map[string]bool{}
		for i, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) || strings.ContainsAny(file.Path, "\\\x00") || file.Size < 0 ||
				m.find(file.Path) != &m.Files[i] || seen[strings.ToLower(file.Path)] {
				t.Errorf("file %q of %d bytes", file.Path, file.Size)
			}
			seen[strings.ToLower(file.Path)] = true
		}
		if m.find(m.Binary) == nil || !filepath.IsLocal(filepath.FromSlash(m.Dir)) {
			t.Errorf("binary %q, folder %q", m.Binary, m.Dir)
		}
	})
}

// What is unpacked is what the manifest says, and nothing else is anywhere. One entry is as the input has it, with
// headers that are right in form, and listed makes the manifest say the same. Then come bytes of any kind, and one byte
// of the stream may be another.
func FuzzUnpack(f *testing.F) {
	f.Add("p/testdata/a", byte(tar.TypeReg), int64(0o644), "", "alpha", []byte(nil), uint16(0), true)
	f.Add("p/testdata/a", byte(tar.TypeReg), int64(0o755), "", "alphb", []byte(nil), uint16(300), false)
	f.Add("../../x", byte(tar.TypeReg), int64(0o644), "", "x", []byte(nil), uint16(0), true)
	f.Add("p", byte(tar.TypeSymlink), int64(0o777), "/", "", []byte{0}, uint16(0), true)
	f.Add("C:\\x", byte(tar.TypeLink), int64(0o644), "rehearse.test", "", []byte("x"), uint16(0), true)
	f.Fuzz(func(t *testing.T, name string, kind byte, mode int64, link, text string, more []byte, at uint16, listed bool) {
		m, list := small()
		if listed {
			sum := sha256.Sum256([]byte(text))
			m.Files[0] = File{name, int64(len(text)), m.Files[0].Mode, hex.EncodeToString(sum[:])}
		}
		list[0] = entry{tar.Header{Name: name, Typeflag: kind, Mode: mode, Linkname: link, Size: int64(len(text))}, text}
		var b bytes.Buffer
		if w := tar.NewWriter(&b); !written(w, m, list) {
			return // no tar has such an entry
		}
		b.Write(more)
		b.Write(make([]byte, 1024))
		stream := compressed(t, b.Bytes())
		if at > 0 {
			stream[int(at)%len(stream)] ^= byte(1 + at>>8)
		}
		outer := t.TempDir()
		cache := filepath.Join(outer, "cache")
		b2, err := Unpack(bytes.NewReader(stream), cache, m.Digest(), Limits{Total: 1 << 20})
		if err != nil {
			if got := below(t, outer); !slices.Equal(got, []string{"cache"}) {
				t.Errorf("after %v there is %q", err, got)
			}
			return
		}
		want := []string{"cache", "cache/" + b2.Digest.String(), "cache/" + b2.Digest.String() + "/" + manifestName}
		for _, file := range m.Files {
			for p := path.Join(want[1], filesFolder, file.Path); p != want[1]; p = path.Dir(p) {
				want = append(want, p)
			}
		}
		slices.Sort(want)
		got := below(t, outer)
		slices.Sort(got)
		if !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("there is %q, want %q", got, want)
		}
		if _, err := Open(cache, m.Digest()); err != nil {
			t.Error(err)
		}
	})
}
