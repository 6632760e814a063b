package bundle

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// This file reads a stream that may be anybody's. What comes before the manifest is bounded; the manifest counts only
// if it has the digest that is wanted; all that follows must be exactly what the manifest says.

// Of a stream, beside the contents of its files.
const (
	overhead     = 64 << 10 // around the manifest, and at the end
	overheadFile = 4 << 10  // a header, one more for a long name, and padding
)

// filesFolder has the files of an unpacked bundle, beside its manifest.
const filesFolder = "files"

// receiver reads a stream into a folder.
type receiver struct {
	limits Limits
	source *bufio.Reader // compressed
	flat   *bounded      // the tar
	tar    *tar.Reader
}

// receive unpacks a stream into an empty folder and gives its manifest, which has the digest. After an error the folder
// has anything.
func receive(r io.Reader, dir string, want Digest, l Limits) (*Manifest, error) {
	source := bufio.NewReader(r)
	z, err := gzip.NewReader(source)
	if err != nil {
		return nil, cutOff(err)
	}
	z.Multistream(false)
	flat := &bounded{from: z, left: MaxManifest + overhead}
	x := &receiver{l, source, flat, tar.NewReader(flat)}
	m, data, err := x.manifest(want)
	if err != nil {
		return nil, cutOff(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.WriteFile(manifestName, data, 0o444); err != nil {
		return nil, noRoom(err)
	}
	for i := range m.Files {
		if err := x.file(root, &m.Files[i]); err != nil {
			return nil, fmt.Errorf("file %q: %w", m.Files[i].Path, cutOff(err))
		}
	}
	return m, cutOff(x.end())
}

// manifest reads the first entry.
func (x *receiver) manifest(want Digest) (*Manifest, []byte, error) {
	h, err := x.tar.Next()
	if err != nil {
		return nil, nil, err
	}
	if h.Typeflag != tar.TypeReg || h.Name != manifestName || h.Size > MaxManifest {
		return nil, nil, fmt.Errorf("it begins with %.80q, kind %q, of %d bytes: want %s, a file of at most %d", h.Name,
			h.Typeflag, h.Size, manifestName, MaxManifest)
	}
	data, err := io.ReadAll(x.tar)
	if err != nil {
		return nil, nil, err
	}
	if got := Digest(sha256.Sum256(data)); got != want {
		return nil, nil, fmt.Errorf("its manifest has the digest %s and the job names %s: it is another bundle", got, want)
	}
	m, err := ParseManifest(data)
	if err != nil {
		return nil, nil, err
	}
	if total := m.Total(); total > x.limits.total() {
		return nil, nil, x.limits.tooLarge(total)
	}
	x.flat.left += m.Total() + int64(len(m.Files))*overheadFile
	return m, data, nil
}

// file reads the next entry, which must be the file.
func (x *receiver) file(root *os.Root, f *File) error {
	h, err := x.tar.Next()
	if err == io.EOF {
		return errors.New("it is missing")
	}
	if err != nil {
		return err
	}
	want := header(f.Path, f.Size, f.Mode)
	if h.Typeflag != want.Typeflag || h.Name != want.Name || h.Size != want.Size || h.Mode != want.Mode ||
		h.Linkname != "" {
		return fmt.Errorf("in its place is %.200q, kind %q, of %d bytes, with mode %o", h.Name, h.Typeflag, h.Size, h.Mode)
	}
	place := path.Join(filesFolder, f.Path)
	if err := root.MkdirAll(path.Dir(place), 0o755); err != nil {
		return noRoom(err)
	}
	// SUBTLE: never over what is there, on systems too for which two names are one that are two for us.
	w, err := root.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return noRoom(err)
	}
	defer w.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(keepsRoom{w}, sum), x.tar); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("its contents have the digest %s, not %s", got, f.SHA256)
	}
	// Nothing writes there any more. What a test writes, it writes in its stage.
	if err := w.Chmod(fs.FileMode(want.Mode) &^ 0o222); err != nil {
		return err
	}
	return noRoom(w.Close())
}

// end refuses whatever follows the last file.
func (x *receiver) end() error {
	switch h, err := x.tar.Next(); {
	case err == nil:
		return fmt.Errorf("behind its last file is %.200q, which its manifest does not have", h.Name)
	case err != io.EOF:
		return err
	}
	// The last read of a compressed stream checks its sum.
	if n, err := x.flat.Read(make([]byte, 1)); n > 0 || err == nil {
		return errors.New("something follows its last file")
	} else if err != io.EOF {
		return err
	}
	if _, err := x.source.ReadByte(); err != io.EOF {
		return errors.Join(errors.New("something follows its end"), err)
	}
	return nil
}

// bounded reads no more than what is left.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		// whether it has ended is not known before one more is read
		if n, err := b.from.Read(make([]byte, 1)); n == 0 && err != nil {
			return 0, err
		}
		return 0, errors.New("it has more bytes than its manifest allows")
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// cutOff says what it means that a stream ends early.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return errors.New("it was cut off before its end")
	}
	return err
}

// keepsRoom tells errors of the disk from those of the stream.
type keepsRoom struct{ w io.Writer }

func (k keepsRoom) Write(p []byte) (int, error) {
	n, err := k.w.Write(p)
	return n, noRoom(err)
}

// errDisk marks errors of this machine: the bundle may be right.
var errDisk = errors.New("the cache cannot be written; is there room, and may it be written to?")

func noRoom(err error) error {
	if err != nil {
		err = fmt.Errorf("%w (%w)", errDisk, err)
	}
	return err
}
