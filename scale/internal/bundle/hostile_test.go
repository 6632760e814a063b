package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entry is one of a stream that somebody made by hand.
type entry struct {
	tar.Header
	text string
}

// small is a manifest of three files, and their entries. The second is empty.
func small() (*Manifest, []entry) {
	m := &Manifest{Format: Format, Tool: "v1", Package: "p", Test: "T", GOOS: "linux", GOARCH: "amd64", Go: "go1.26",
		Dir: "p", Binary: "rehearse.test"}
	files := []struct {
		path, text string
		mode       Mode
	}{{"p/testdata/a", "alpha", Plain}, {"p/testdata/none", "", Plain}, {"rehearse.test", "\x7fELF", Executable}}
	var list []entry
	for _, f := range files {
		sum := sha256.Sum256([]byte(f.text))
		m.Files = append(m.Files, File{f.path, int64(len(f.text)), f.mode, hex.EncodeToString(sum[:])})
		list = append(list, entry{*header(f.path, int64(len(f.text)), f.mode), f.text})
	}
	return m, list
}

// flat is a tar of a manifest, as it is, and entries.
func flat(t testing.TB, m *Manifest, list []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if !written(w, m, list) || w.Close() != nil {
		t.Fatalf("there is no tar of %v", list)
	}
	return b.Bytes()
}

// written writes a manifest and entries, and reports whether there are such.
func written(w *tar.Writer, m *Manifest, list []entry) bool {
	data := m.Bytes()
	for _, e := range append([]entry{{*header(manifestName, int64(len(data)), Plain), string(data)}}, list...) {
		if w.WriteHeader(&e.Header) != nil {
			return false
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			return false
		}
	}
	return w.Flush() == nil
}

func compressed(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	z.Write(data)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpacked tries a stream, and holds it to this: after an error nothing is in the cache, nor beside it.
func unpacked(t *testing.T, stream io.Reader, want Digest, l Limits) error {
	t.Helper()
	outer := t.TempDir()
	cache := filepath.Join(outer, "cache")
	_, err := Unpack(stream, cache, want, l)
	if err == nil {
		return nil
	}
	if got := below(t, outer); !slices.Equal(got, []string{"cache"}) {
		t.Errorf("after %v there is %q", err, got)
	}
	if _, open := Open(cache, want); !errors.Is(open, fs.ErrNotExist) {
		t.Errorf("after %v it opens with %v", err, open)
	}
	return err
}

// below lists what is in a folder.
func below(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, p); err == nil && rel != "." {
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Entries that are not what the manifest says.
func TestHostileEntries(t *testing.T) {
	for what, c := range map[string]struct {
		change func([]entry) []entry
		want   string
	}{
		"as it is": {func(l []entry) []entry { return l }, ""},
		"a path that leads out": {func(l []entry) []entry { l[0].Name = "../../evil"; return l },
			`in its place is "../../evil"`},
		"an absolute path": {func(l []entry) []entry { l[0].Name = "/tmp/evil"; return l }, `in its place is "/tmp/evil"`},
		"a link": {func(l []entry) []entry {
			l[0] = entry{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: l[0].Name, Linkname: "/etc/passwd", Mode: 0o644}}
			return l
		}, "kind '2'"},
		"a link for an empty file": {func(l []entry) []entry {
			l[1] = entry{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: l[1].Name, Linkname: "/etc/passwd", Mode: 0o644}}
			return l
		}, "kind '2'"},
		"a pipe for an empty file": {func(l []entry) []entry {
			l[1] = entry{Header: tar.Header{Typeflag: tar.TypeFifo, Name: l[1].Name, Mode: 0o644}}
			return l
		}, "kind '6'"},
		"a folder for an empty file": {func(l []entry) []entry {
			l[1] = entry{Header: tar.Header{Typeflag: tar.TypeDir, Name: l[1].Name + "/", Mode: 0o644}}
			return l
		}, "kind '5'"},
		"a file with a link's name": {func(l []entry) []entry { l[0].Linkname = "/etc/passwd"; return l }, "in its place"},
		"a hard link": {func(l []entry) []entry {
			l[2] = entry{Header: tar.Header{Typeflag: tar.TypeLink, Name: l[2].Name, Linkname: "p/testdata/a", Mode: 0o755}}
			return l
		}, "kind '1'"},
		"a link before a file in it": {func(l []entry) []entry {
			link := entry{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: "p", Linkname: "/tmp", Mode: 0o777}}
			return append([]entry{link}, l...)
		}, "kind '2'"},
		"a device": {func(l []entry) []entry {
			l[0] = entry{Header: tar.Header{Typeflag: tar.TypeChar, Name: l[0].Name, Mode: 0o644}}
			return l
		}, "kind '3'"},
		"a pipe": {func(l []entry) []entry {
			l[0] = entry{Header: tar.Header{Typeflag: tar.TypeFifo, Name: l[0].Name, Mode: 0o644}}
			return l
		}, "kind '6'"},
		"a folder": {func(l []entry) []entry {
			return append([]entry{{Header: tar.Header{Typeflag: tar.TypeDir, Name: "p/", Mode: 0o755}}}, l...)
		}, "kind '5'"},
		"a mode with more":    {func(l []entry) []entry { l[2].Mode = 0o4755; return l }, "with mode 4755"},
		"another mode":        {func(l []entry) []entry { l[0].Mode = 0o755; return l }, "with mode 755"},
		"a larger file":       {func(l []entry) []entry { l[0].Size, l[0].text = 9, "alphabeta"; return l }, "of 9 bytes"},
		"a smaller file":      {func(l []entry) []entry { l[0].Size, l[0].text = 1, "a"; return l }, "of 1 bytes"},
		"other contents":      {func(l []entry) []entry { l[0].text = "alphb"; return l }, "its contents have the digest"},
		"a missing file":      {func(l []entry) []entry { return l[:1] }, "it is missing"},
		"no files":            {func(l []entry) []entry { return nil }, "it is missing"},
		"one more file":       {func(l []entry) []entry { return append(l, l[0]) }, "behind its last file"},
		"another order":       {func(l []entry) []entry { return []entry{l[1], l[0], l[2]} }, "in its place"},
		"the same file twice": {func(l []entry) []entry { return []entry{l[0], l[0], l[1], l[2]} }, "in its place"},
		"other letters":       {func(l []entry) []entry { l[0].Name = "p/testdata/A"; return l }, "in its place"},
	} {
		m, list := small()
		stream := compressed(t, flat(t, m, c.change(list)))
		if err := unpacked(t, bytes.NewReader(stream), m.Digest(), Limits{}); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// says reports whether an error has a text; "": whether there is none.
func says(err error, want string) bool {
	if want == "" || err == nil {
		return err == nil && want == ""
	}
	return strings.Contains(err.Error(), want)
}

// Manifests that have the wanted digest, as those of a job that nobody signed may have.
func TestHostileManifests(t *testing.T) {
	rename := func(name string) func(*Manifest) { return func(m *Manifest) { m.Files[0].Path = name } }
	both := func(one, other string) func(*Manifest) {
		return func(m *Manifest) { m.Files[0].Path, m.Files[2].Path = one, other }
	}
	windows := func(name string) func(*Manifest) {
		return func(m *Manifest) { m.GOOS, m.Files[0].Path = "windows", name }
	}
	sized := func(n int64) func(*Manifest) { return func(m *Manifest) { m.Files[0].Size = n } }
	for what, c := range map[string]struct {
		change func(*Manifest)
		want   string
	}{
		"as it is":              {func(*Manifest) {}, ""},
		"out":                   {rename("../a"), "want a path below"},
		"out in the middle":     {rename("p/../../a"), "want a path below"},
		"absolute":              {rename("/a"), "want a path below"},
		"the root":              {rename("."), "want a path below"},
		"no name":               {rename(""), "want a path below"},
		"two slashes":           {rename("p//a"), "want a path below"},
		"a backslash":           {rename(`p\..\..\a`), "separates folders"},
		"NUL":                   {rename("p/a\x00b"), "control character"},
		"a line end":            {rename("p/a\nb"), "control character"},
		"not UTF-8":             {rename("p/\xff"), "it is not written as Rehearse writes it"},
		"long":                  {rename(strings.Repeat("a/", 600) + "a"), "more than 1024"},
		"a long part":           {rename(strings.Repeat("a", 256)), "more than 255"},
		"the binary's name":     {rename("rehearse.test"), "are one name"},
		"letters":               {rename("REHEARSE.test"), "are one name"},
		"below a file":          {rename("rehearse.test/a"), "are one name"},
		"folders by letters":    {both("P/x", "p/rehearse.test"), "are one name"},
		"a file and a folder":   {both("p", "p/rehearse.test"), "are one name"},
		"a long s":              {rename("rehear\u017fe.test"), "are one name"},
		"a kelvin":              {both("k", "\u212a"), "are one name"},
		"a size below 0":        {sized(-1), "a size of -1"},
		"sizes beyond":          {func(m *Manifest) { m.Files[0].Size, m.Files[2].Size = 1<<62, 1<<62 }, "no files have"},
		"more than the limit":   {sized(3 << 30), "3.0 GiB, more than the limit of 2.0 GiB"},
		"a mode":                {func(m *Manifest) { m.Files[0].Mode = "4755" }, "want 0644 or 0755"},
		"a digest":              {func(m *Manifest) { m.Files[0].SHA256 = strings.Repeat("AB", 32) }, "is no digest"},
		"not sorted":            {func(m *Manifest) { slices.Reverse(m.Files) }, "not sorted"},
		"another binary":        {func(m *Manifest) { m.Binary = "p/testdata/a" }, "not among the executable files"},
		"a binary elsewhere":    {func(m *Manifest) { m.Binary = "/bin/sh" }, "not among the executable files"},
		"a folder elsewhere":    {func(m *Manifest) { m.Dir = "../../.." }, "dir: "},
		"an argument with NUL":  {func(m *Manifest) { m.Args = []string{"a\x00"} }, "argument 1"},
		"no variable":           {func(m *Manifest) { m.Env = []string{"A"} }, "want NAME=value"},
		"a variable twice":      {func(m *Manifest) { m.Env = []string{"A=1", "A=2"} }, "is there twice"},
		"another format":        {func(m *Manifest) { m.Format = 2 }, "has format 2"},
		"no version":            {func(m *Manifest) { m.Tool = "" }, "tool"},
		"many arguments":        {func(m *Manifest) { m.Args = make([]string, MaxWords+1) }, "10001 arguments"},
		"a device of Windows":   {windows("p/NUL.txt"), "Windows has no such name"},
		"a stream of Windows":   {windows("p/a:b"), "Windows has no such name"},
		"a drive":               {windows("C:/a"), "Windows has no such name"},
		"a dot of Windows":      {windows("p./a"), "Windows has no such name"},
		"a port of Windows":     {windows("p/com¹.x"), "Windows has no such name"},
		"the same on Linux":     {func(m *Manifest) { m.Files[0].Path = "p/COM1" }, "in its place"}, // fine as a name
		"no port of Windows":    {windows("p/COM10"), "in its place"},
		"a device with letters": {windows("p/console"), "in its place"},
	} {
		m, list := small()
		c.change(m)
		// SUBTLE: the digest is that of the bytes, which are not those of the manifest where these have no JSON.
		stream := compressed(t, flat(t, m, list))
		if err := unpacked(t, bytes.NewReader(stream), m.Digest(), Limits{}); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// Streams that are no stream of Pack.
func TestHostileStreams(t *testing.T) {
	m, list := small()
	data := flat(t, m, list)
	whole := compressed(t, data)
	huge := &tar.Header{Typeflag: tar.TypeReg, Name: manifestName, Size: 1 << 40, Mode: 0o644}
	var head bytes.Buffer
	tar.NewWriter(&head).WriteHeader(huge)
	other, _ := small()
	other.Test = "Other"
	broken := bytes.Clone(whole)
	broken[len(broken)-5] ^= 1 // the sum of the uncompressed bytes
	for what, c := range map[string]struct {
		stream []byte
		want   string
	}{
		"as it is":            {whole, ""},
		"nothing":             {nil, "cut off"},
		"no gzip":             {data, "invalid header"},
		"no tar":              {compressed(t, bytes.Repeat([]byte("x"), 4096)), "invalid tar header"},
		"an empty tar":        {compressed(t, make([]byte, 1024)), "cut off"},
		"a huge manifest":     {compressed(t, head.Bytes()), "it begins with"},
		"another bundle":      {compressed(t, flat(t, other, list)), "it is another bundle"},
		"no manifest":         {compressed(t, flat(t, m, list)[1024:]), ""},
		"a wrong sum":         {broken, "checksum"},
		"two streams":         {append(bytes.Clone(whole), whole...), "something follows its end"},
		"a byte behind":       {append(bytes.Clone(whole), 0), "something follows its end"},
		"zeros behind":        {compressed(t, slices.Concat(data, make([]byte, 1<<20))), "something follows its last file"},
		"a file behind zeros": {compressed(t, append(bytes.Clone(data), data...)), "something follows its last file"},
	} {
		if what == "no manifest" {
			// the first file is where the manifest should be
			var b bytes.Buffer
			w := tar.NewWriter(&b)
			w.WriteHeader(&list[0].Header)
			io.WriteString(w, list[0].text)
			w.Close()
			c.stream, c.want = compressed(t, b.Bytes()), `it begins with "p/testdata/a"`
		}
		if err := unpacked(t, bytes.NewReader(c.stream), m.Digest(), Limits{}); !says(err, c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	for n := 0; n < len(whole); n += 5 {
		err := unpacked(t, bytes.NewReader(whole[:n]), m.Digest(), Limits{})
		if !says(err, "cut off") {
			t.Errorf("cut off after %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// headers is an endless stream of headers that only tell of the next one, which a reader of tars passes by.
type headers struct {
	block []byte
	at    int
	read  int64
}

func (h *headers) Read(p []byte) (int, error) {
	n := copy(p, h.block[h.at:])
	h.at = (h.at + n) % len(h.block)
	h.read += int64(n)
	return n, nil
}

// A stream without end is given up where its bounds are.
func TestEndlessStream(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("long", 100), Format: tar.FormatPAX})
	endless := &headers{block: b.Bytes()[:b.Len()-512]} // without the entry itself
	r, pipe := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		z, _ := gzip.NewWriterLevel(pipe, gzip.BestSpeed)
		_, err := io.Copy(z, endless)
		pipe.CloseWithError(err)
	}()
	m, _ := small()
	err := unpacked(t, r, m.Digest(), Limits{})
	r.Close()
	<-ended
	if !says(err, "more bytes than its manifest allows") {
		t.Error(err)
	}
	if most := int64(2 * (MaxManifest + overhead)); endless.read > most {
		t.Errorf("%d bytes were read of a stream without end, more than %d", endless.read, most)
	}
}

// A limit is one of all files together, and a bundle at the limit is not beyond it.
func TestLimit(t *testing.T) {
	m, list := small()
	stream := compressed(t, flat(t, m, list))
	for total, want := range map[int64]string{m.Total(): "", m.Total() - 1: "more than the limit of 8 bytes"} {
		if err := unpacked(t, bytes.NewReader(stream), m.Digest(), Limits{Total: total}); !says(err, want) {
			t.Errorf("limit %d: %v, want %q", total, err, want)
		}
	}
}

// A cache that cannot be written is not the stream's fault, and says so.
func TestNoRoom(t *testing.T) {
	m, list := small()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Unpack(bytes.NewReader(compressed(t, flat(t, m, list))), filepath.Join(file, "cache"), m.Digest(), Limits{})
	if !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
}
