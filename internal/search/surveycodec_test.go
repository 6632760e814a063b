package search

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// growthOf is what a walk of some tree has learned.
func growthOf(seed uint64) *Growth {
	w := &Walk{}
	b := bough{nil, 0, 3}
	b.work(w, randomTree(seed), math.MaxInt)
	return &w.Growth
}

// What is written is read: as exactly as four bytes are.
func TestGrowthCodec(t *testing.T) {
	for seed := range uint64(20) {
		g := growthOf(seed)
		again, err := DecodeGrowth(g.Encode())
		if err != nil || len(again.links) != len(g.links) || len(again.ends) != len(g.ends) {
			t.Fatalf("%+v, want %+v: %v", again, g, err)
		}
		for j := range 8 {
			a, b := g.from(j, 3, true), again.from(j, 3, true)
			if math.Abs(a.log-b.log) > 1e-5 || math.Abs(a.variance-b.variance) > 1e-4 {
				t.Errorf("%+v, want %+v", b, a)
			}
		}
	}
	var wide Growth
	for j := range 2 * mostRows {
		wide.links.learn(j, 10, 11)
	}
	if g, err := DecodeGrowth(wide.Encode()); err != nil || len(g.links) != mostRows {
		t.Errorf("%d rows, %v", len(g.links), err)
	}
	var late Growth // of a node that was given away when its first branch was done
	late.ends.learn(2*mostRows, 10, 11)
	late.links.learn(1, 10, 11)
	if g, err := DecodeGrowth(late.Encode()); err != nil || len(g.links) != 2 || len(g.ends) != 0 {
		t.Errorf("%d and %d rows, %v", len(g.links), len(g.ends), err)
	}
}

// Damaged bytes are an error, or say something that an estimate can be made of.
func TestDamagedSurvey(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	text := AppendOutline(AppendOutline(nil, 7, Outline{{0, 3}, {0, 8}, {1, 300}}), 9, Outline{{0, 1}})
	whole := map[int]Outline{7: {{0, 3}, {0, 8}, {1, 300}}, 9: {{0, 1}}}
	if got, err := DecodeOutlines(text); err != nil || !reflect.DeepEqual(got, whole) {
		t.Errorf("%v, %v, want %v", got, err, whole)
	}
	refused := 0
	for range 20_000 {
		b := append([]byte(nil), text...)
		for range 1 + rnd.IntN(3) {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		b = b[:1+rnd.IntN(len(b))]
		outlines, err := DecodeOutlines(b)
		if err != nil {
			refused++
		}
		for _, o := range outlines {
			for k, n := range o {
				if n.Parent < 0 || n.Parent > max(0, k-1) || n.Sum < 0 {
					t.Fatalf("% x: %v", b, o)
				}
			}
		}
	}
	text = growthOf(3).Encode()
	for range 20_000 {
		b := append([]byte(nil), text...)
		for range 1 + rnd.IntN(3) {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		g, err := DecodeGrowth(b[:1+rnd.IntN(len(b))])
		if err != nil {
			refused++
			continue
		}
		for j := range 5 {
			if l := g.from(j, 2, true); !(l.log >= 0 && l.variance >= 0 && l.bias >= 0) {
				t.Fatalf("% x: %+v", b, l)
			}
		}
	}
	if refused < 10_000 {
		t.Errorf("only %d were refused", refused)
	}
}

// What is no number is refused, and so is a growth that is none.
func TestNoNumbers(t *testing.T) {
	row := func(n, from, to uint64, logs, square float64) []byte {
		b := binary.AppendUvarint([]byte{1}, n)
		b = binary.AppendUvarint(binary.AppendUvarint(b, from), to)
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(logs)))
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(square)))
		return append(b, 0)
	}
	if _, err := DecodeGrowth(row(1, 2, 4, 1, 1)); err != nil {
		t.Error(err)
	}
	for name, b := range map[string][]byte{
		"NaN": row(1, 2, 4, math.NaN(), 1), "infinite": row(1, 2, 4, 1, math.Inf(1)), "negative": row(1, 2, 4, -1, 1),
		"of nothing": row(1, 0, 4, 1, 1), "smaller": row(1, 4, 3, 1, 1), "of no node": row(0, 2, 4, 1, 1),
		"too large": row(1, 2, 1<<60, 1, 1), "something follows": append(row(1, 2, 4, 1, 1), 0),
	} {
		if _, err := DecodeGrowth(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzSurvey: whatever a report says of its tree it is refused, or there is an estimate that is one, or none.
func FuzzSurvey(f *testing.F) {
	f.Add(AppendOutline(AppendOutline(nil, 1, Outline{{0, 3}, {0, 8}}), 9, Outline{{0, 1}}), growthOf(3).Encode(), 1, 2, 5)
	f.Add(AppendOutline(nil, 1, Outline{{0, 9}}), []byte(nil), 0, 1, WholeItem)
	f.Add(AppendOutline(nil, 1, Outline{{0, 1 << 50}, {0, 0}, {1, 0}, {2, 1}}), growthOf(5).Encode(), 3, 1<<29, 1<<29)
	f.Fuzz(func(t *testing.T, outlines, growth []byte, node, from, many int) {
		o, err := DecodeOutlines(outlines)
		if err != nil {
			return
		}
		g, err := DecodeGrowth(growth)
		if err != nil {
			return
		}
		for _, uneven := range []bool{false, true} {
			s := NewSurvey(uneven)
			if err := s.Fold([]int{0}, nil, []NewItem{{1, Spot{Many: 3}}}); err != nil {
				t.Fatal(err)
			}
			s.Add(&g)
			if s.Fold([]int{1}, o, []NewItem{{2, Spot{1, node, from, many}}, {3, Spot{1, 0, 0, 1}}}) != nil {
				return
			}
			if e := s.Total(); e.Known() && !(e.Low > 0 && e.Low <= e.Total && e.Total <= e.High && e.High <= math.MaxFloat64) {
				t.Errorf("%v", e)
			}
			s = again(t, s)
			s.Total()
		}
	})
}
