//go:build !(gc && (amd64 || arm64) && go1.25 && !go1.27)

package chance

const linked = false

func getm() uintptr     { return 0 }
func procPin() int      { return 0 }
func procUnpin()        {}
func rand() uint64      { return 0 }
func cheaprand() uint32 { return 0 }
