package system

import (
	"os"
	"testing"
)

// Programs of GoAkt do the same symbolically and for real, step by step, under all models. With REHEARSE_TOY: the
// framework takes seconds to read and to compile, and those of Hollywood are compared by default.
func TestTwinGoAkt(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return
	}
	twins(t, "goakt", func(d *Driver) bool { return d.GoAkt })
}
