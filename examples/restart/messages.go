package restart

// Buy asks a shopper to buy something: to put it into the cart and to check out.
type Buy struct {
	Item  string
	Cents int
}

// AddItem puts something into the cart.
type AddItem Buy

// Checkout closes the cart and books its contents.
type Checkout struct{}

// Mailing asks marketing to send everybody a voucher.
type Mailing struct{ Percent int }

// NewCode asks for the code of a voucher.
type NewCode Mailing

// Code is the answer.
type Code struct{ Text string }

// Voucher puts a voucher into the cart.
type Voucher Code
