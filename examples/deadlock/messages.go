package deadlock

// Place asks for an order of so many pieces.
type Place struct {
	Order string
	Item  string
	Count int
}

// Reserve asks the inventory for pieces.
type Reserve struct {
	Item  string
	Count int
}

// Reserved is the answer.
type Reserved struct{ OK bool }

// Truck says that goods have arrived at the dock.
type Truck struct {
	Item  string
	Count int
}

// Inspect asks for an incoming inspection of goods.
type Inspect Truck

// Delivery hands inspected goods to the inventory.
type Delivery Truck

// GetBacklog asks how many pieces the waiting orders need.
type GetBacklog struct{ Item string }

// Backlog is the answer.
type Backlog struct{ Count int }
