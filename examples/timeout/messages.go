package timeout

// Place asks for an order.
type Place struct {
	Order string
	Cents int
}

// Charge asks the provider to charge the customer.
type Charge Place

// Charged says that the customer was charged.
type Charged Place

// Refund asks the provider to give the money back.
type Refund Place
