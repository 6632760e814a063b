package quotes_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/quotes"
)

// purchase buys one article from the cheapest of two suppliers.
func purchase(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var market *quotes.Market
		t.SetUp(func() {
			var err error
			market, err = quotes.Open(quotes.Config{Prices: []int{900, 700}, Fixed: fixed}, func(supplier, cents int) {
				t.Errorf("supplier %d got an order for %d cents, which is not its price", supplier, cents)
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		market.Buy("lamp")
	})
}

// misdirected finds the bug: answers come in another order than the goroutines were started in.
var misdirected = rehearse.Config{Strategy: "naive", Expect: &rehearse.Expectation{Kind: rehearse.Assertion, Text: "which is not its price"}}

func TestQuotes(t *testing.T) { rehearse.Check(t, misdirected, purchase(false)) }

func TestQuotesPicture(t *testing.T) { shows.Picture(t, "TestQuotes") }

func TestQuotesFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "naive"}, purchase(true))
}
