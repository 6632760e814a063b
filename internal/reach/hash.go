package reach

import "unsafe"

// mix is the finaliser of splitmix64 over a running hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// raw hashes n bytes at an address.
func raw(h uint64, at unsafe.Pointer, n uintptr) uint64 {
	h = mix(h, uint64(n))
	b := unsafe.Slice((*byte)(at), n)
	for len(b) >= 8 {
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		b = b[8:]
	}
	x := uint64(0)
	for i := range b {
		x |= uint64(b[i]) << (8 * i)
	}
	return mix(h, x)
}

func text(h uint64, s string) uint64 {
	return raw(h, unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
}
