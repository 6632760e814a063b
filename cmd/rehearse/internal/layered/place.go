package layered

import (
	"math"
	"unicode/utf8"
)

// Measures, in pixels.
const (
	margin     = 12
	columnGap  = 18 // between two items of a layer
	layerGap   = 22 // between two layers
	lineHeight = 15
	charWidth  = 7.3
	boxPadding = 8
	passWidth  = 8  // of an edge that passes a layer
	loopWidth  = 40 // of an arrow to the same node
	rounds     = 24 // of moving items to their neighbours
)

func textWidth(lines []string) (w int) {
	for _, s := range lines {
		w = max(w, int(math.Ceil(float64(cells(s))*charWidth)))
	}
	return w
}

// cells is how many characters of a typewriter a text is wide: what is outside of Latin and Greek counts twice.
func cells(s string) (n int) {
	n = utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x1100 {
			n++
		}
	}
	return n
}

func boxSize(lines []string) (w, h int) {
	return textWidth(lines) + 2*boxPadding, len(lines)*lineHeight + boxPadding
}

func labelSize(lines []string) (w, h int) {
	return textWidth(lines) + boxPadding, len(lines)*lineHeight + 2
}

// place gives all items their coordinates.
func (l *layout) place() {
	y := margin
	for _, layer := range l.layers {
		height := 0
		for _, it := range layer {
			height = max(height, l.items[it].height)
		}
		l.tops = append(l.tops, y)
		for _, it := range layer {
			l.items[it].y = y + (height-l.items[it].height)/2
		}
		y += height + layerGap
	}
	l.tops = append(l.tops, y)
	x := make([]float64, len(l.items))
	for _, layer := range l.layers {
		l.pack(layer, x, func(it int) (float64, float64) { return 0, 1 })
	}
	for r := range rounds {
		for k := range l.layers {
			layer := l.layers[k]
			if r%2 == 1 {
				layer = l.layers[len(l.layers)-1-k]
			}
			l.pack(layer, x, func(it int) (float64, float64) { return l.wish(it, x) })
		}
	}
	l.shift(x)
}

// wish is where an item would best be: in the middle of all its neighbours. What passes a layer wants it most, so that
// long edges are straight.
func (l *layout) wish(it int, x []float64) (at, weight float64) {
	sum, n := 0.0, 0
	for _, list := range [][]int{l.items[it].above, l.items[it].below} {
		for _, o := range list {
			sum, n = sum+x[o], n+1
		}
	}
	if n == 0 {
		return x[it], 0.1
	}
	if l.items[it].node < 0 {
		return sum / float64(n), 8
	}
	return sum / float64(n), 1
}

// block is some neighbours in a layer that touch each other.
type block struct {
	at, weight float64 // of the first
	n          int
}

// pack puts the items of a layer as close to their wishes as their order and widths allow, by the square of the
// distance. Neighbours whose wishes are in each other's way are pooled.
func (l *layout) pack(layer []int, x []float64, wish func(it int) (at, weight float64)) {
	offsets := make([]float64, len(layer)) // from the first
	for i := 1; i < len(layer); i++ {
		offsets[i] = offsets[i-1] + float64(l.items[layer[i-1]].width+l.items[layer[i]].width)/2 + columnGap
	}
	var blocks []block
	for i, it := range layer {
		at, weight := wish(it)
		b := block{at - offsets[i], weight, 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].at > b.at {
			o := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{(o.at*o.weight + b.at*b.weight) / (o.weight + b.weight), o.weight + b.weight, o.n + b.n}
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for range b.n {
			x[layer[i]] = b.at + offsets[i]
			i++
		}
	}
}

// shift moves all into the picture, and rounds. Rounding moves an item by half a pixel at most, for which columnGap has
// room.
func (l *layout) shift(x []float64) {
	left := math.Inf(1)
	for i := range l.items {
		left = min(left, x[i]-float64(l.items[i].width)/2)
	}
	for i := range l.items {
		l.items[i].x = int(math.Round(x[i]-left)) + margin
		l.width = max(l.width, l.items[i].x+l.items[i].width/2+margin)
	}
}
