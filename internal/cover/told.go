package cover

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// This file writes sets of goals for other processes, and reads them strictly: what was not written here is refused.
//
//	format:     the number of actors. Of each, in the order of their identities: the identity; the number of receives
//	            and their identities, in the order of their numbers; then for each criterion a row for each receive,
//	            which has those that came before it. A row is 2n and the distances between n numbers, or 2n+1 and n
//	            bytes of bits, if that is shorter
//	invariants: I1 what is read is what was written, byte by byte: nothing is empty, out of order or longer than need be
//	cost:       search.MostTold bytes at most, which may need mostToldWords; some milliseconds for as much as that
//	checked by: told_test.go against lists of goals; FuzzAchieved

// mostToldWords bounds the memory of a set that was told: 32 MiB.
const mostToldWords = 4 << 20

// encode writes the goals that are not in known, whose receives have the same numbers. nil if there are none.
func (o *Achieved) encode(known *Achieved) []byte {
	var b []byte
	boxes := 0
	for _, id := range slices.SortedFunc(maps.Keys(o.boxes), trace.ID.Compare) {
		var before [criteria][]bitset.Set
		if known != nil && known.boxes[id] != nil {
			before = known.boxes[id].before
		}
		if part := o.boxes[id].encode(&before); part != nil {
			boxes++
			b = append(appendID(b, id), part...)
		}
	}
	if boxes == 0 {
		return nil
	}
	return append(binary.AppendUvarint(nil, uint64(boxes)), b...)
}

func appendID(b []byte, id trace.ID) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, id.Hi), id.Lo)
}

// encode writes the goals of a box, without those that are known; nil if there are none.
func (b *box) encode(known *[criteria][]bitset.Set) []byte {
	fresh, named := b.beyond(known)
	all := int32(len(b.index))
	count := int32(named.Beyond(nil))
	if count == 0 {
		return nil
	}
	ids, number := make([]trace.ID, all), make([]int32, all)
	for id, n := range b.index {
		ids[n] = id
	}
	out := binary.AppendUvarint(nil, uint64(count))
	next := int32(0)
	named.Each(0, func(n int32) {
		out = appendID(out, ids[n])
		number[n] = next
		next++
	})
	var buffer bitset.Set
	for c := range fresh {
		named.Each(0, func(y int32) {
			var row bitset.Set
			if int(y) < len(fresh[c]) {
				row = fresh[c][y]
			}
			if count < all {
				buffer = buffer[:0]
				row.Each(0, func(x int32) { buffer = buffer.With(number[x]) })
				row = buffer
			}
			out = appendRow(out, row)
		})
	}
	return out
}

// beyond gives the goals that are not known, and the receives in them.
func (b *box) beyond(known *[criteria][]bitset.Set) (fresh [criteria][]bitset.Set, named bitset.Set) {
	for c := range b.before {
		fresh[c] = make([]bitset.Set, len(b.before[c]))
		for y, row := range b.before[c] {
			if y < len(known[c]) && len(known[c][y]) > 0 {
				row = slices.Clone(row)
				row.RemoveAll(known[c][y])
			}
			if row.Beyond(nil) > 0 {
				named = named.With(int32(y)).Union(row)
				fresh[c][y] = row
			}
		}
	}
	return fresh, named
}

// appendRow writes a row as a list or as bits, whichever is shorter.
func appendRow(out []byte, row bitset.Set) []byte {
	for len(row) > 0 && row[len(row)-1] == 0 {
		row = row[:len(row)-1]
	}
	size := 0 // bytes of bits
	if len(row) > 0 {
		size = 8*len(row) - bits.LeadingZeros64(row[len(row)-1])/8
	}
	if n := row.Beyond(nil); n <= size {
		list, last := make([]byte, 0, 2*n), int32(0)
		row.Each(0, func(x int32) {
			list = binary.AppendUvarint(list, uint64(x-last))
			last = x
		})
		if len(list) <= size {
			return append(binary.AppendUvarint(out, 2*uint64(n)), list...)
		}
	}
	out = binary.AppendUvarint(out, 2*uint64(size)+1)
	end := len(out) + size
	for _, w := range row {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out[:end]
}

// decodeAchieved reads what encode has written. Pairs in both orders are not counted.
func decodeAchieved(b []byte) (*Achieved, error) {
	if len(b) > search.MostTold {
		return nil, search.ErrTold
	}
	o := NewAchieved()
	d := search.NewDecoder(b, search.ErrTold)
	for range d.Count() {
		id := wholeID(d)
		if o.boxes[id] != nil {
			d.Fail()
		}
		if d.Err != nil {
			break
		}
		o.decodeBox(d, o.box(id))
	}
	if d.Err != nil || !bytes.Equal(o.encode(nil), b) {
		return nil, search.ErrTold
	}
	return o, nil
}

// wholeID reads an identity of 16 bytes.
func wholeID(d *search.Decoder) (id trace.ID) {
	if len(d.B) < 16 {
		d.Fail()
		return id
	}
	id.Hi, id.Lo, d.B = binary.BigEndian.Uint64(d.B), binary.BigEndian.Uint64(d.B[8:]), d.B[16:]
	return id
}

func (o *Achieved) decodeBox(d *search.Decoder, b *box) {
	n := int32(min(d.Count(), maxReceives+1))
	for range n {
		b.index[wholeID(d)] = int32(len(b.index))
	}
	if o.words += perReceive * int(n); n > maxReceives || len(b.index) != int(n) || d.Err != nil {
		d.Fail()
		return
	}
	for c := range criteria {
		b.before[c] = make([]bitset.Set, n)
		for y := int32(0); y < n && d.Err == nil; y++ {
			row := decodeRow(d)
			if o.words += len(row); o.words > mostToldWords || row.Has(y) || beyond(row, n) {
				d.Fail()
				return
			}
			b.before[c][y] = row
			o.count[c] += row.Beyond(nil)
		}
	}
}

// beyond reports whether a row has numbers from n on.
func beyond(row bitset.Set, n int32) bool {
	if len(row) == 0 {
		return false
	}
	return len(row)*64-bits.LeadingZeros64(row[len(row)-1]) > int(n)
}

// decodeRow reads what came before a receive. Its last word is not zero.
func decodeRow(d *search.Decoder) (row bitset.Set) {
	head := d.Uvarint()
	size := head / 2
	if size > uint64(len(d.B)) {
		d.Fail()
		return nil
	}
	if head%2 == 0 {
		return decodeList(d, int(size))
	}
	row = make(bitset.Set, (size+7)/8)
	for i, b := range d.B[:size] {
		row[i/8] |= uint64(b) << (i % 8 * 8)
	}
	if d.B = d.B[size:]; len(row) == 0 || row[len(row)-1] == 0 {
		d.Fail()
	}
	return row
}

func decodeList(d *search.Decoder, n int) (row bitset.Set) {
	x := uint64(0)
	for i := 0; i < n && d.Err == nil; i++ {
		step := d.Uvarint()
		if x += step; i > 0 && step == 0 || step >= maxReceives || x >= maxReceives {
			d.Fail()
			return nil
		}
		row = row.With(int32(x))
	}
	return row
}

// put adds the goal that x comes before y.
func (o *Achieved) put(b *box, c Criterion, x, y int32) {
	if b.has(c, x, y) {
		return
	}
	for int(y) >= len(b.before[c]) {
		b.before[c] = append(b.before[c], nil)
	}
	row := &b.before[c][y]
	o.words -= len(*row)
	*row = row.With(x)
	o.words += len(*row)
	o.count[c]++
}

// union adds the goals of another set.
func (o *Achieved) union(more *Achieved) {
	for _, id := range slices.SortedFunc(maps.Keys(more.boxes), trace.ID.Compare) {
		from, to := more.boxes[id], o.box(id)
		ids, number := make([]trace.ID, len(from.index)), make([]int32, len(from.index))
		for message, n := range from.index {
			ids[n] = message
		}
		for n, message := range ids {
			number[n] = o.number(to, message)
		}
		for c := range Criterion(criteria) {
			for y, row := range from.before[c] {
				row.Each(0, func(x int32) {
					if number[x] >= 0 && number[y] >= 0 {
						o.put(to, c, number[x], number[y])
					}
				})
			}
		}
	}
}
