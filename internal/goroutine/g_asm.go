//go:build (amd64 || arm64) && gc

package goroutine

import "unsafe"

const readsG = true

// g points to the runtime's record of this goroutine.
func g() unsafe.Pointer
