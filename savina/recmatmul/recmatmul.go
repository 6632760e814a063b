// Package recmatmul multiplies two matrices. A master hands products of blocks to workers, and they send back products
// of smaller blocks, or do them. It is program 23 of Savina [IS14]. Its hazards: all workers write into one matrix, and
// only routing keeps them apart: both products of a block go to one worker. Where messages have no order, a product is
// done before those that it led to are known: too early an end. Config says whether workers share the matrix, or the
// master adds up what they send.
package recmatmul

import "fmt"

// Config sets the matrices and how they are divided.
type Config struct {
	Workers    int  // at least 1
	Size       int  // of the matrices, a power of 2
	Threshold  int  // a product of blocks with more elements is divided; at least 1
	Shared     bool // as in the suite: workers write into one matrix
	RoundRobin bool // mutant: products go to workers in turn
	Repaired   bool // who is done says how many products it led to
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Workers: 2, Size: 2, Threshold: 1}
	Published = Config{Workers: 20, Size: 1_024, Threshold: 16_384, Shared: true}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Threshold < 1 {
		return fmt.Errorf("recmatmul: %d workers, threshold %d: want at least 1 of each", c.Workers, c.Threshold)
	}
	if c.Size < 1 || c.Size&(c.Size-1) != 0 {
		return fmt.Errorf("recmatmul: size %d: want a power of 2", c.Size)
	}
	return nil
}

// a and b are the factors.
func a(row, _ int) int    { return row }
func b(_, column int) int { return column }

// Matrix is the product, or a block of it.
type Matrix [][]int

func newMatrix(size int) Matrix {
	m := make(Matrix, size)
	for i := range m {
		m[i] = make([]int, size)
	}
	return m
}

// add adds a block, whose first element is that of a corner.
func (m Matrix) add(at Corner, block Matrix) {
	for i, row := range block {
		for j, v := range row {
			m[at.Row+i][at.Column+j] += v
		}
	}
}

// Corner is where a block has its first element.
type Corner struct{ Row, Column int }

// quarter is the corner of a quarter of a block.
func (c Corner) quarter(row, column, size int) Corner {
	return Corner{c.Row + row*size, c.Column + column*size}
}

// Start has the master hand out the whole product.
type Start struct{}

// Work asks for the product of a block of A and one of B, to be added to one of C.
type Work struct {
	A, B, C Corner
	Size    int // of each block
}

// Done says that a product is done, or divided. Block is what is to be added at C; it is empty if the product was
// divided or workers share the matrix. Only the repaired master reads into how many Works it was divided.
type Done struct {
	C     Corner
	Block Matrix
	Works int
}

// Stop ends a worker. A worker says the same to the master.
type Stop struct{}

// divide gives the eight products of half the size, none if that is not worth it.
func (c Config) divide(w Work) (parts []Work) {
	if w.Size*w.Size <= c.Threshold || w.Size == 1 {
		return nil
	}
	half := w.Size / 2
	for row := range 2 {
		for column := range 2 {
			for k := range 2 {
				parts = append(parts, Work{
					A: w.A.quarter(row, k, half), B: w.B.quarter(k, column, half), C: w.C.quarter(row, column, half), Size: half,
				})
			}
		}
	}
	return parts
}

// product multiplies two blocks.
func (w Work) product() Matrix {
	block := newMatrix(w.Size)
	for i := range w.Size {
		for j := range w.Size {
			for k := range w.Size {
				block[i][j] += a(w.A.Row+i, w.A.Column+k) * b(w.B.Row+k, w.B.Column+j)
			}
		}
	}
	return block
}

// tally is what the master counts.
type tally struct {
	config     Config
	product    Matrix
	sent, done int // products
	works      int // that those led to
	stopped    int // workers
}

func (c Config) tally() tally { return tally{config: c, product: newMatrix(c.Size)} }

// shared is the matrix that workers write into, nil if they do not.
func (c Config) shared(product Matrix) Matrix {
	if c.Shared {
		return product
	}
	return nil
}

// route is the worker that gets a product.
func (t *tally) route(w Work) int {
	t.sent++
	if t.config.RoundRobin {
		return (t.sent - 1) % t.config.Workers
	}
	return (w.C.Row + w.C.Column) % t.config.Workers
}

// finish counts a product that is done, and says whether all are. Nobody announces the first.
func (t *tally) finish(d Done) bool {
	t.product.add(d.C, d.Block)
	t.done++
	t.works += d.Works
	return t.done == t.sent && (!t.config.Repaired || t.sent == 1+t.works)
}

// Check says what is wrong with the end, nil if nothing is: the product is right, and all workers have ended.
func (c Config) Check(product Matrix, stopped int) error {
	for i, row := range product {
		for j, got := range row {
			if want := c.Size * i * j; got != want {
				return fmt.Errorf("element (%d, %d) of the product is %d, want %d", i, j, got, want)
			}
		}
	}
	if stopped != c.Workers {
		return fmt.Errorf("%d workers have stopped, want %d", stopped, c.Workers)
	}
	return nil
}
