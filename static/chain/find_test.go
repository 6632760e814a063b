package chain_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/internal/sketch"
)

func TestFind(t *testing.T) {
	f := chain.Of(sketch.Parse(`
		actor bank.Account: bank.Pay bank.Get
		actor shop.Account: shop.Pay
		actor box.Box[map[string]a.B]: box.Put[a.B]
		env - -> bank.Account bank.Pay send
	`))
	for _, c := range []struct{ name, want string }{
		{"bank.Account:bank.Pay", "bank.Account:bank.Pay"},
		{"Account:Pay", "bank.Account:bank.Pay shop.Account:shop.Pay"},
		{"bank.Account:Pay", "bank.Account:bank.Pay"},
		{"Account", "bank.Account:bank.Pay bank.Account:bank.Get shop.Account:shop.Pay"},
		{"Box[map[string]a.B]:Put[a.B]", "box.Box[map[string]a.B]:box.Put[a.B]"},
		{"environment", "environment:"},
		{"bank.Account:Put", `error: no handler "bank.Account:Put": bank.Account has those of bank.Pay, bank.Get`},
		{"bank.Account:", `error: no handler "bank.Account:": bank.Account has those of bank.Pay, bank.Get`},
		{"Nobody", `error: no handler "Nobody": want ACTOR:MESSAGE or ACTOR, where ACTOR is one of bank.Account, shop.Account, box.Box[map[string]a.B], environment`},
		{"", `error: no handler "": want ACTOR:MESSAGE or ACTOR, where ACTOR is one of bank.Account, shop.Account, box.Box[map[string]a.B], environment`},
	} {
		hs, err := f.Find(c.name)
		var names []string
		for _, h := range hs {
			names = append(names, name(h))
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s\nwant %s", c.name, got, c.want)
		}
	}
}
