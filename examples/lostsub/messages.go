package lostsub

import "github.com/asynkron/protoactor-go/actor"

// Trade is a trade as the market reports it, in hundredths of the currency.
type Trade struct {
	Symbol string
	Cents  int
}

// Normalise asks for a trade to be brought into the service's own form.
type Normalise Trade

// Publish gives the feed a new price.
type Publish struct {
	Symbol string
	Price  float64
}

// Open asks a board to show the price of a symbol.
type Open struct{ Symbol string }

// Subscribe asks the feed for the prices of a symbol from now on.
type Subscribe struct {
	Symbol string
	Board  *actor.PID
}

// Price tells a board about a price.
type Price Publish
