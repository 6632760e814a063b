//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package parallel

import "os"

// lockFile cannot keep another process out here: a lock that outlives a killed process would be worse.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}
