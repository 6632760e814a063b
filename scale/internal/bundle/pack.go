package bundle

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/rehearse-go/rehearse/internal/files"
)

// manifestName is the first entry of a stream. A file may have the same name: entries are known by their order.
const manifestName = "manifest.json"

// Pack writes the bundle: its manifest, then its files in the order of the manifest. A file that has changed since it
// was collected is an error.
//
// Gzip at its fastest takes 0.3 s for a test binary of 22 MB and leaves 12 MB. Zstandard takes 0.2 s and leaves 11 MB,
// which is not worth a decoder from elsewhere for what comes from the network.
func (c *Contents) Pack(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	data := c.Manifest.Bytes()
	if err := t.WriteHeader(header(manifestName, int64(len(data)), Plain)); err != nil {
		return err
	}
	if _, err := t.Write(data); err != nil {
		return err
	}
	for i := range c.Manifest.Files {
		f := &c.Manifest.Files[i]
		if err := c.pack(t, f); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func (c *Contents) pack(t *tar.Writer, f *File) error {
	local := c.from[f.Path]
	r, err := files.Open(local, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := t.WriteHeader(header(f.Path, f.Size, f.Mode)); err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(t, h), io.LimitReader(r, f.Size))
	if err != nil {
		return err
	}
	more, _ := r.Read(make([]byte, 1))
	if n != f.Size || more > 0 || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s changed while the job was packed: begin the job again when nothing writes there", local)
	}
	return nil
}

// header has no time and no owner.
func header(name string, size int64, mode Mode) *tar.Header {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644}
	if mode == Executable {
		h.Mode = 0o755
	}
	return h
}
