//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package parallel

import (
	"os"

	"github.com/rehearse-go/rehearse/internal/whole"
)

// Unlocked says that nothing keeps two processes from going on with one file, "" where something does.
const Unlocked = "this system has no lock that ends with its process: see to it that no other process goes on with the same exploration"

// lockFile cannot keep another process out here: a lock that outlives a killed process would be worse.
func lockFile(path string) (*os.File, error) {
	return whole.Open(path, os.O_RDWR|os.O_CREATE, 0o644)
}
