package explore

import "testing"

// What a System knows of an uncontrolled order is told once, and in place of less exact words about the same.
func TestSettle(t *testing.T) {
	for _, c := range []struct{ traced, account, want string }{
		{"", "", ""},
		{"a starts one", "", "a starts one"},
		{"", "a starts one", "a starts one"},
		{"a starts one", "a starts one, at a.go:1", "a starts one, at a.go:1"},
		{"a starts one, at a.go:1", "a starts one", "a starts one, at a.go:1"},
		{"b ranges over a map", "a starts one", "b ranges over a map; a starts one"},
	} {
		o := Outcome{Verdict: Verdict{Uncontrolled: c.traced}}
		o.settle(Account{Uncontrolled: c.account, Bypassed: "box"})
		if o.Uncontrolled != c.want || o.Bypassed != "box" || o.Flawless() {
			t.Errorf("%q and %q: %+v", c.traced, c.account, o)
		}
	}
}
