package boxoffice

// Look asks the hall whether a seat is free.
type Look struct{ Seat string }

// Seen is the answer to Look.
type Seen struct{ Free bool }

// Sell asks the hall to give a seat to a guest.
type Sell struct{ Seat, Guest string }

// Sold is the answer to Sell.
type Sold struct{ OK bool }
