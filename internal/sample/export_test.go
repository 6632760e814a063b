package sample

import "reflect"

// Profile is what SURW tells, for tests.
type Profile struct{ p *profile }

// ProfileOf gives what a strategy knows.
func ProfileOf(s *SURW) Profile { return Profile{&s.profile} }

// ReadProfile reads what Bytes has written.
func ReadProfile(b []byte) (Profile, error) {
	p, err := decodeProfile(b)
	return Profile{p}, err
}

// Bytes writes it.
func (p Profile) Bytes() []byte { return p.p.encode() }

// Steps is how many it has.
func (p Profile) Steps() int { return len(p.p.parent) }

// Same compares two.
func (p Profile) Same(o Profile) bool { return reflect.DeepEqual(p.p, o.p) }

// Use draws by it.
func (p Profile) Use() {
	s := &SURW{profile: *p.p, sampler: sampler{seed: 1}}
	for range 3 {
		s.Start()
	}
}
