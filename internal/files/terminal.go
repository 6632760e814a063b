package files

import (
	"io"
	"os"
)

// IsTerminal reports whether somebody looks at what is written to w: it is a device for characters, and not the one
// that swallows all.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
