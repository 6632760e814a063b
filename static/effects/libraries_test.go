package effects

import "testing"

// Handlers with loggers, clocks, identifiers, JSON and protocol buffers are understood: what libraries do is in the
// table of package model, what they call of the application is followed.
func TestLibraries(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for pkg, handlers := range map[string]map[string]string{
		"libraries": {
			"clock":         "writes [at], also [clock]",
			"compares":      "reads [at at[] n], writes [n]",
			"decodes":       "reads [conf conf[]], writes [conf stock]",
			"draws":         "writes [n], also [random]",
			"encodes":       "reads [names names[] tag tag[]], writes [names names[] order], sends [string]",
			"identifies":    "sends [libraries.named]",
			"keys":          "reads [n names names[] stock stock[] stock[][]], writes [n names names[] order]",
			"logs":          "reads [n names names[] zap zap[] zap[][] zero zero[] zero[][] zero[][][]]",
			"protoDecodes":  "reads [order order[]], writes [names order]",
			"protoEncodes":  "reads [order order.Id order[]], sends [libraries.put]",
			"protoReflects": "reads [n order order[] order[][]], writes [n]",
			"protoResets":   "reads [order order[]], writes [names order]",
			"sorts":         "reads [ages ages.ages[] ages[]], writes [ages ages.ages[]]",
			"text":          "reads [n names names[]], writes [names order]",
		},
		"asked": {
			"compares": "reads [n], writes [n]",
			"deep":     "unknown: it calls fmt.Sprint, which may call (*example.com/libraries/asked.counted).String (asked/asked.go:64)",
			"encodes":  "reads [coded coded[]], writes [ages any coded.asked hits n]",
			"hidden":   "unknown: it calls fmt.Sprint, which may call (*example.com/libraries/asked.counted).String (asked/asked.go:66)",
			"logs":     "reads [hits hits.asked hits[] zap zap[]], writes [any hits.asked]",
			"numbers":  "reads [n]",
			"prints":   "reads [hits hits.asked], writes [any hits.asked]",
			"sorts":    "reads [ages ages.ages[] ages[]], writes [ages ages.ages[] any coded hits n]",
		},
	} {
		f, _, err := Facts("testdata/libraries", map[string]string{"libraries": ".", "asked": "./asked"}[pkg])
		if err != nil {
			t.Fatal(err)
		}
		for message, want := range handlers {
			if got := said(f.Of(pkg+".store", pkg+"."+message)); got != want {
				t.Errorf("%s: %s\n\twant %s", message, got, want)
			}
		}
		if n := len(f.Handlers) - 1; n != len(handlers) { // one is for all others
			t.Errorf("%s: %d of %d handlers are tested", pkg, len(handlers), n)
		}
	}
}
