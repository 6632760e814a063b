package quotes

// Want asks the broker to buy an article.
type Want struct{ Article string }

// Ask asks a supplier for its price.
type Ask struct{ Article string }

// Quote is a supplier's price.
type Quote struct{ Cents int }

// Order buys from a supplier at the price that it has quoted.
type Order struct{ Cents int }
