package files

import "errors"

// This file and those beside it (lock_*.go, hold_*.go) lock open files against other processes. The kernel gives a lock back when the file
// is closed or its process dies, however it dies. So nothing is left to clean up. Where there are no such locks, NoLocks says so.

// ErrLocked says that another process, or another opening of the file in this one, holds the lock.
var ErrLocked = errors.New("held by another process")
