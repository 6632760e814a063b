//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import "os"

// NoLocks says that there are no locks here, "" where there are.
const NoLocks = "this system has no lock that ends with its process"

// TryLock takes nothing and keeps nobody out: a lock that outlives a killed process would be worse. Who needs one asks
// for NoLocks.
func TryLock(*os.File) error { return nil }
