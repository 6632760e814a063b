package effects

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// said gives what is said of a handler in one line.
func said(h *facts.Handler) string {
	if h == nil {
		return "nothing"
	}
	if h.Unknown != "" {
		why, _, _ := strings.Cut(h.Unknown, " (tricky.go:")
		return "unknown: " + why
	}
	var parts []string
	list := func(what string, names []string) {
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", what, names))
		}
	}
	list("reads", h.Reads)
	list("writes", h.Writes)
	var sends []string
	for _, s := range h.Sends {
		sends = append(sends, s.Message)
	}
	list("sends", sends)
	list("spawns", h.Spawns)
	list("also", h.Other)
	for what, is := range map[string]bool{"becomes": h.Becomes, "stops": h.Stops, "blocks": h.Blocks, "shares": h.Shares} {
		if is {
			parts = append(parts, what)
		}
	}
	return strings.Join(parts, ", ")
}

var placed = regexp.MustCompile(` \(tricky\.go:\d+\)$`)

// What tricky handlers do with message do, or the message behind the slash.
func TestTricky(t *testing.T) {
	f, _, err := Facts("testdata/tricky", ".")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.Sent, "*tricky.do") || slices.Contains(f.Sent, "tricky.unheard") {
		t.Errorf("sent are %v", f.Sent)
	}
	n, forms := 0, []string(nil)
	for who, want := range map[string]string{
		"becomes":          "writes [m n]",
		"becomesAny":       "unknown: it changes to a behaviour that is not known",
		"before":           "reads [c], writes [b c]",
		"box[int]":         "reads [v], writes [v]",
		"builds":           "reads [b b[]], writes [b text]",
		"byValue":          "reads [.], writes [m[]]",
		"channels":         "unknown: it sends on a channel",
		"closes":           "reads [n], writes [n]",
		"copies":           "reads [list other other[]], writes [list[] other]",
		"deletes":          "reads [gone kept], writes [gone[]]",
		"direct":           "writes [count p]",
		"dispatches":       "reads [a], writes [b]",
		"embeds":           "reads [plain.a], writes [plain.b]",
		"exposed":          "reads [p], writes [count p]",
		"generic":          "reads [n], writes [n]",
		"hidden":           "unknown: it calls String of an interface that may hold anything",
		"into":             "reads [first first.n], writes [all first.n]",
		"iterates":         "writes [n]",
		"keepsFunc":        "unknown: it calls a function value that is kept somewhere",
		"local":            "reads [n]",
		"measures":         "reads [list words], writes [list[]]",
		"methodValue":      "reads [n], writes [n]",
		"moves":            "reads [first list list[]], writes [first list list[] list[][]]",
		"nested":           "reads [deep.list deep.list[]], writes [deep.list deep.list[] deep.seen]",
		"plain":            "reads [a], writes [b]",
		"ranges":           "reads [m m[] m[].n], writes [m[].n]",
		"readsCounter":     "unknown: it uses the package variable github.com/rehearse-go/rehearse/static/effects/testdata/tricky.counter, which may change",
		"readsFixed":       "reads [i], writes [i]",
		"readsReplaced":    "unknown: it uses the package variable github.com/rehearse-go/rehearse/static/effects/testdata/tricky.replaced, which may change",
		"recursive":        "reads [n], writes [n]",
		"resets":           "reads [n], writes [.]",
		"scribbles":        "",
		"selfish":          "reads [me], writes [me.n n]",
		"sendsAll":         "reads [last to], sends [*tricky.do = ? tricky.note]",
		"sorts":            "reads [list list[]], writes [list]",
		"starts":           "unknown: it starts a goroutine",
		"throughLibrary":   "reads [list list.n list[] list[].n], writes [list.n list[].n]",
		"twoMaps":          "reads [m], writes [m[] same]",
		"unsafely":         "unknown: it uses package unsafe",
		"wraps":            "reads [inner], writes [inner.n]",
		"writesShared":     "unknown: it writes to a package variable",
		"scribbles/note":   "writes [last], shares",
		"dispatches/other": "writes [c]",
		"before/other":     "reads [c], writes [a c]",
		"becomes/other":    "writes [n], becomes",
		"partOfPart":       "writes [deep.n p]",
		"selfDeep":         "reads [me], writes [deep me.deep.n]",
		"appends":          "reads [buf buf[] n text text[] text[][]], writes [buf text]",
		"recovers":         "unknown: it calls String of an interface that may hold anything",
		"plain/unheard":    "nothing",
		"forms":            "reads [byPointer byValue], writes [byPointer byValue]",
	} {
		name, message, ok := strings.Cut(who, "/")
		if !ok {
			message = "do"
		}
		if !ok {
			n++
		}
		if got := said(f.Of("tricky."+name, "tricky."+message)); got != want {
			t.Errorf("%s: %s\n\twant %s", who, got, want)
		}
	}
	if h := f.Of("tricky.starts", "tricky.do"); !placed.MatchString(h.Unknown) {
		t.Errorf("what is not understood has no place: %s", h.Unknown)
	}
	for i := range f.Handlers {
		if h := &f.Handlers[i]; h.Actor == "tricky.forms" {
			forms = append(forms, h.Message+" "+said(h))
		}
	}
	if want := []string{"*tricky.do reads [byPointer], writes [byPointer]", "tricky.do reads [byValue], writes [byValue]", "* "}; !slices.Equal(forms, want) {
		t.Errorf("a message and a pointer to it: %q, want %q", forms, want)
	}
	if n != len(f.Actors) {
		t.Errorf("%d of %d actors are tested", n, len(f.Actors))
	}
}
