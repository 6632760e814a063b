package parallel

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomParts are items some of which begin alike.
func randomParts(random *rand.Rand) Parts {
	var ps Parts
	bytesOf := func(n int) []byte {
		var b []byte
		for range n {
			b = append(b, byte(random.IntN(3)))
		}
		return b
	}
	for range random.IntN(6) {
		p := Part{ID: random.IntN(1 << 20), Rest: bytesOf(random.IntN(4))}
		if len(ps) > 0 && random.IntN(3) > 0 {
			before := ps[len(ps)-1].Steps
			p.Steps = append(p.Steps, before[:perStep*random.IntN(len(before)/perStep+1)]...)
		}
		p.Steps = append(p.Steps, bytesOf(perStep*random.IntN(4))...)
		if len(p.Steps) == 0 {
			p.Steps = nil
		}
		ps = append(ps, p)
	}
	return ps
}

// What is written is read, and so is the list that earlier versions wrote.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		ps := randomParts(random)
		now, err := json.Marshal(ps)
		if err != nil {
			t.Fatal(err)
		}
		old, err := json.Marshal([]Part(ps))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{now, old} {
			var got Parts
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if len(ps)+len(got) > 0 && !reflect.DeepEqual(got, ps) {
				t.Fatalf("%s: %v, want %v", text, got, ps)
			}
		}
	}
}

// FuzzParts: any bytes give items, which are written as they were read, or an error.
func FuzzParts(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		f.Add(randomParts(random).encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ps, err := decodeParts(b, &limits{1000, 1 << 20, 1 << 20})
		if err != nil {
			return
		}
		again, err := decodeParts(ps.encode(), &limits{1000, 1 << 20, 1 << 20})
		if err != nil || len(again) != len(ps) || !bytes.Equal(again.encode(), ps.encode()) {
			t.Errorf("%v, then %v, %v", ps, again, err)
		}
	})
}
