package sample_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// profilesOf gives profiles of random programs.
func profilesOf(t testing.TB, programs uint64) (all []sample.Profile) {
	t.Helper()
	for seed := range programs {
		s := sample.NewSURW(false, seed)
		c := explore.Conditions{Model: toy.Models[seed%5], Timers: trace.Async}
		if _, err := explore.Run(toy.NewSystem(toy.Random(seed, toy.Full)), s,
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: 2}}); err != nil {
			t.Fatal(err)
		}
		all = append(all, sample.ProfileOf(s))
	}
	return all
}

func TestProfileIsToldWhole(t *testing.T) {
	steps := 0
	for i, p := range profilesOf(t, 200) {
		got, err := sample.ReadProfile(p.Bytes())
		if err != nil || !got.Same(p) {
			t.Fatalf("program %d: %x was read as %+v, %v", i, p.Bytes(), got, err)
		}
		steps += p.Steps()
	}
	if steps < 1000 {
		t.Errorf("%d steps in all", steps)
	}
	empty := sample.ProfileOf(sample.NewSURW(false, 1))
	if p, err := sample.ReadProfile(empty.Bytes()); err != nil || p.Steps() > 0 {
		t.Errorf("an empty profile: %+v, %v", p, err)
	}
}

func TestProfileTooLong(t *testing.T) {
	if _, err := sample.ReadProfile(make([]byte, search.MostTold+1)); err == nil {
		t.Error("it was read")
	}
}

// TestProfileNamesTwice: a kind or an actor that comes twice, and an actor that is nobody, are refused.
func TestProfileNamesTwice(t *testing.T) {
	type names struct {
		kinds  []byte
		actors []trace.ID
	}
	told := func(n names) []byte {
		e := search.NewEncoder()
		e.Count(len(n.kinds))
		for _, k := range n.kinds {
			e.Byte(k)
			e.ID(trace.ID{Hi: 1, Lo: 2})
		}
		e.List(n.actors)
		e.Count(1) // a step of the first kind, about the first actor
		for _, n := range []int{0, 0, 0, 1, 1} {
			e.Count(n)
		}
		return e.B
	}
	once := names{[]byte{1}, []trace.ID{{Hi: 3}}}
	if _, err := sample.ReadProfile(told(once)); err != nil {
		t.Fatalf("named once: %v", err)
	}
	for what, n := range map[string]names{
		"a kind twice":                       {[]byte{1, 1}, once.actors},
		"an actor twice":                     {once.kinds, []trace.ID{{Hi: 3}, {Hi: 3}}},
		"an actor is nobody":                 {once.kinds, []trace.ID{{}}},
		"a kind twice, with another between": {[]byte{1, 2, 1}, once.actors},
	} {
		if _, err := sample.ReadProfile(told(n)); err == nil {
			t.Errorf("%s: it was read", what)
		}
	}
}

// TestHostileProfiles: whatever is done to bytes, they are refused or a profile that can be used.
func TestHostileProfiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	taken := 0
	for _, p := range profilesOf(t, 100) {
		for range 200 {
			b := p.Bytes()
			for range 1 + r.IntN(2) {
				switch i := r.IntN(len(b)); r.IntN(4) {
				case 0:
					b[i] += byte(r.IntN(5)) - 2
				case 1:
					b[i] = []byte{0, 1, 2, 127, 128, 255}[r.IntN(6)]
				case 2:
					b = slices.Insert(b, i, byte(r.IntN(4)))
				default:
					b[i] ^= 1 << r.IntN(8)
				}
			}
			bad, err := sample.ReadProfile(b)
			if err != nil {
				continue
			}
			if taken++; !bytes.Equal(bad.Bytes(), b) {
				t.Fatalf("%x is written otherwise", b)
			}
			bad.Use()
		}
	}
	if taken < 1000 || taken > 19_000 {
		t.Errorf("%d of 20,000 are profiles", taken)
	}
}

// FuzzProfile: bytes are refused, or are those of the profile that they are read as, which can be used.
func FuzzProfile(f *testing.F) {
	for _, p := range profilesOf(f, 30) {
		f.Add(p.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := sample.ReadProfile(b)
		if err != nil {
			return
		}
		if !bytes.Equal(p.Bytes(), b) {
			t.Fatal("it is written otherwise")
		}
		p.Use()
	})
}
