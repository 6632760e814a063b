// Package facloc places facilities near customers that come one after the other. A tree of quadrants keeps them, and a
// leaf whose customers are too far from a facility opens one, and divides. It is program 20 of Savina [IS14]. Its
// hazards: a customer on the border of two quadrants is counted in both. Facilities are announced to quadrants that
// have ended. Where messages have no order, the end overtakes customers.
//
// What a quadrant learns of the one opposite comes before or after a customer, and never matters: the centre of their
// parent, which both know, is nearer.
package facloc

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Config sets the box and the customers.
type Config struct {
	Side       float64 // of the box, above 0
	Threshold  float64 // a leaf with higher cost divides; at least 0
	Customers  int
	Points     []Point // of the customers; nil: drawn
	Facilities int     // that there must be in the end; 0: any number
	Repaired   bool    // who divides hands each customer to one child
}

// Small is a size to explore, with one division. Published is that of the suite.
var (
	Small = Config{
		Side: 8, Threshold: 6, Customers: 5, Points: []Point{{1, 1}, {2, 7}, {1.5, 1}, {6, 7}, {7, 7}}, Facilities: 1,
	}
	Published = Config{Side: 500, Threshold: 2 * 500 * math.Sqrt2, Customers: 100_000}
)

// Validate says what makes no sense. A point on a border does: it is a hazard.
func (c Config) Validate() error {
	if !(c.Side > 0) || !(c.Threshold >= 0) || math.IsInf(c.Side, 0) || c.Customers < 0 || c.Facilities < 0 {
		return fmt.Errorf("facloc: side %g, threshold %g, %d customers, %d facilities: "+
			"want a side above 0, and nothing below 0", c.Side, c.Threshold, c.Customers, c.Facilities)
	}
	if c.Points == nil {
		return nil
	}
	if len(c.Points) != c.Customers {
		return fmt.Errorf("facloc: %d points, want one for each of %d customers", len(c.Points), c.Customers)
	}
	for _, p := range c.Points {
		if !c.box().has(p) {
			return fmt.Errorf("facloc: the point (%g, %g) is not in the box of %g", p[0], p[1], c.Side)
		}
	}
	return nil
}

func (c Config) box() box { return box{0, 0, c.Side, c.Side} }

// point is that of customer i.
func (c Config) point(i int) Point {
	if c.Points != nil {
		return c.Points[i]
	}
	drawn := rand.New(rand.NewPCG(1, uint64(i)))
	return Point{drawn.Float64() * c.Side, drawn.Float64() * c.Side}
}

// Point is a place: its x and its y, which grows to the top.
type Point [2]float64

// Start has the producer begin.
type Start struct{}

// Customer comes. Producer is told when the root has it. R refers to an actor of a framework.
type Customer[R any] struct {
	Producer R
	Point    Point
}

// Next asks the producer for a customer.
type Next struct{}

// Facility says that one is open.
type Facility struct {
	Position  Position // of the child that says so, if it is one
	Point     Point
	FromChild bool
}

// RequestExit ends a quadrant and all below it.
type RequestExit struct{}

// ConfirmExit says what a quadrant had, with all below it.
type ConfirmExit struct{ Facilities, Customers int }

// Position is where a quadrant lies in its parent.
type Position int

// The positions of the four children, in the order in which they are asked. The root has none.
const (
	TopLeft Position = iota
	TopRight
	BottomLeft
	BottomRight
	Nowhere
)

// opposite is the child that shares only a corner with that of a position.
func (p Position) opposite() Position { return BottomRight - p }

// box is a rectangle, its border included.
type box struct{ left, bottom, right, top float64 }

func (b box) has(p Point) bool {
	return b.left <= p[0] && p[0] <= b.right && b.bottom <= p[1] && p[1] <= b.top
}

func (b box) centre() Point { return Point{(b.left + b.right) / 2, (b.bottom + b.top) / 2} }

// quarters are the boxes of the four children.
func (b box) quarters() [4]box {
	x, y := b.centre()[0], b.centre()[1]
	return [4]box{
		{b.left, y, x, b.top}, {x, y, b.right, b.top},
		{b.left, b.bottom, x, y}, {x, b.bottom, b.right, y},
	}
}

// childOf is the first child whose box has a point of this one.
func (b box) childOf(p Point) Position {
	for i, q := range b.quarters() {
		if q.has(p) {
			return Position(i)
		}
	}
	panic("facloc: a customer is in no child of its quadrant")
}

// area is a quadrant without its messages.
type area struct {
	config     Config
	box        box
	position   Position
	facilities []Point // known ones, with the own centre
	customers  []Point // of a leaf
	cost       float64
	confirmed  int // children
	had        ConfirmExit
	stopped    bool
}

func (a *area) add(customer Point) {
	nearest := math.Inf(1)
	for _, f := range a.facilities {
		nearest = min(nearest, math.Hypot(f[0]-customer[0], f[1]-customer[1]))
	}
	a.customers = append(a.customers, customer)
	a.cost += nearest
}

// root is the area of the first quadrant.
func (c Config) root() area {
	return area{config: c, box: c.box(), position: Nowhere, facilities: []Point{c.box().centre()}}
}

// divide makes the areas of the children, each with the customers of its box, and gives away the own ones.
func (a *area) divide() [4]area {
	var children [4]area
	for i, b := range a.box.quarters() {
		child := area{config: a.config, box: b, position: Position(i)}
		child.facilities = append(append(child.facilities, a.facilities...), b.centre())
		for _, customer := range a.customers {
			if a.gives(customer, child) {
				child.add(customer)
			}
		}
		children[i] = child
	}
	a.customers = nil
	a.had.Facilities = 1
	return children
}

func (a *area) gives(customer Point, child area) bool {
	if a.config.Repaired {
		return a.box.childOf(customer) == child.position
	}
	return child.box.has(customer)
}

// confirm counts what a child had, and says whether it was the last.
func (a *area) confirm(child ConfirmExit) bool {
	a.confirmed++
	a.had.Facilities += child.Facilities
	a.had.Customers += child.Customers
	return a.confirmed == 4
}

// Check says what is wrong with the end, nil if nothing is: all customers are there once, and the root has ended.
func (c Config) Check(had ConfirmExit, stopped bool) error {
	if had.Customers != c.Customers || !stopped {
		return fmt.Errorf("%d customers, want %d, and the root has stopped: %t", had.Customers, c.Customers, stopped)
	}
	if c.Facilities > 0 && had.Facilities != c.Facilities {
		return fmt.Errorf("%d facilities, want %d", had.Facilities, c.Facilities)
	}
	return nil
}
