//go:build gc && (amd64 || arm64) && go1.25 && !go1.27

package chance

import _ "unsafe" // for linkname

// The linker refuses to link a name that the runtime has not marked as used from outside. A newer version of Go may
// take the mark away, and no test would link any more. So the versions are listed in the line above: a version is added
// when the tests of this package pass on it.

// linked reports that this file is part of the build.
const linked = true

//go:linkname getm runtime.getm
func getm() uintptr

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

//go:linkname rand runtime.rand
func rand() uint64

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32
