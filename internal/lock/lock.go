// Package lock locks open files against other processes. The kernel gives a lock back when the file is closed or its process dies,
// however it dies, so nothing is left to clean up; where there are no such locks, NoLocks says so.
package lock

import "errors"

// ErrLocked says that another process, or another opening of the file in this one, holds the lock.
var ErrLocked = errors.New("held by another process")
