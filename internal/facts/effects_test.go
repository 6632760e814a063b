package facts

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Only what is known, and is no more than fields and sends, becomes an effect; and what cannot be compared is taken to
// be written.
func TestEffects(t *testing.T) {
	shelf := Actor{Name: "a.shelf", Package: "example.com/a", Fields: []string{"left", "right", "log"},
		Opaque: []string{"log"}, Framework: "native"}
	plain := Handler{Actor: "a.shelf", Message: "a.put", At: "shelf.go:7", Reads: []string{"left.n", "right[]", "left"},
		Writes: []string{"left[].x", "become a.b.c"},
		Sends:  []Send{{Message: "a.done"}, {Message: Same}, {Message: "a.done"}}, Line: 9}
	want := trace.Effect{Actor: "a.shelf", Message: "a.put", Reads: []string{"right"},
		Writes: []string{"left", "log"}, Sends: true,
		Origin: "facts:9", At: "shelf.go:7", Announced: []string{"a.done", "a.put"}, Package: "example.com/a"}
	for _, tt := range []struct {
		name   string
		change func(a *Actor, h *Handler)
		want   *trace.Effect
	}{
		{"plain", func(*Actor, *Handler) {}, &want},
		{"unknown", func(_ *Actor, h *Handler) { h.Unknown = "why" }, nil},
		{"spawns", func(_ *Actor, h *Handler) { h.Spawns = []string{"a.b"} }, nil},
		{"becomes", func(_ *Actor, h *Handler) { h.Becomes = true }, nil},
		{"stops", func(_ *Actor, h *Handler) { h.Stops = true }, nil},
		{"blocks", func(_ *Actor, h *Handler) { h.Blocks = true }, nil},
		{"other", func(_ *Actor, h *Handler) { h.Other = []string{"timer"} }, nil},
		{"sends who knows what", func(_ *Actor, h *Handler) { h.Sends = []Send{{Message: "?"}} }, nil},
		{"function", func(a *Actor, _ *Handler) { a.Function = true }, nil},
		{"constraints", func(a *Actor, _ *Handler) { a.Constraints = true }, nil},
		{"ambiguous", func(a *Actor, _ *Handler) { a.Ambiguous = true }, nil},
		{"no struct", func(a *Actor, _ *Handler) { a.Fields, a.Opaque = nil, []string{WholeState} }, nil},
		{"of a framework", func(a *Actor, _ *Handler) { a.Framework = "protoactor" }, &want},
		{"of a framework that shares messages",
			func(a *Actor, h *Handler) { a.Framework, h.Shares = "protoactor", true }, nil},
		{"of messages that are copied", func(_ *Actor, h *Handler) { h.Shares = true }, &want},
	} {
		a, h := shelf, plain
		tt.change(&a, &h)
		f := File{Actors: []Actor{a}, Handlers: []Handler{h}}
		got := f.Effects("facts")
		if tt.want == nil && len(got) > 0 || tt.want != nil && (len(got) != 1 || !reflect.DeepEqual(got[0], *tt.want)) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// The handler of the rest is that of every message that is sent and has none of its own; of others nothing is known.
func TestRest(t *testing.T) {
	f := File{Sent: []string{"a.x", "a.y"}, Actors: []Actor{{Name: "a.shelf", Fields: []string{"n"}, Framework: "native"}},
		Handlers: []Handler{{Actor: "a.shelf", Message: "a.x", Writes: []string{WholeState}},
			{Actor: "a.shelf", Message: Rest, Reads: []string{"n"}}}}
	for message, want := range map[string]*Handler{"a.x": &f.Handlers[0], "a.y": &f.Handlers[1], "a.z": nil} {
		if got := f.Of("a.shelf", message); got != want {
			t.Errorf("%s: %+v, want %+v", message, got, want)
		}
	}
	for _, e := range f.Effects("facts") {
		if writes := len(e.Writes) == 1; writes != (e.Message == "a.x") {
			t.Errorf("%+v", e)
		}
	}
	if n := len(f.Effects("facts")); n != 2 {
		t.Errorf("%d effects, want 2", n)
	}
}

// Traces have one name for a message and a pointer to it. What is relied on for that name is true of both.
func TestForms(t *testing.T) {
	const head = `{"facts":1,"package":"p","tool":"3","go":"go1.26","platform":"linux/amd64"}
{"actor":"p.a","package":"p","at":"p.go:1","fields":["m","n"],"framework":"native"}
`
	for name, c := range map[string]struct{ lines, want string }{
		"both have a handler": {`{"handler":"p.a","message":"*p.do","writes":["m"],"sends":[{"message":"*p.told","conditions":0,"at":"p.go:2"}]}
{"handler":"p.a","message":"p.do","writes":["n"]}
{"sent":["*p.do","p.do"]}
`, "p.do writes [m n] sends [p.told]"},
		"one has none of its own": {`{"handler":"p.a","message":"*p.do","writes":["m"]}
{"handler":"p.a","message":"*","writes":["n"]}
{"sent":["*p.do","p.do"]}
`, "p.do writes [m n] sends []"},
		"one may do anything": {`{"handler":"p.a","message":"*p.do","unknown":"it starts a goroutine"}
{"handler":"p.a","message":"p.do","writes":["n"]}
{"sent":["*p.do","p.do"]}
`, ""},
		"one is never made": {`{"handler":"p.a","message":"p.do","writes":["m"]}
{"handler":"p.a","message":"*","writes":["n"]}
{"sent":["p.do"]}
`, "p.do writes [m] sends []"},
	} {
		f, err := Parse(name, []byte(head+c.lines))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range f.Effects("facts") {
			got += fmt.Sprintf("%s writes %v sends %v", e.Message, e.Writes, e.Announced)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if calls := f.Calls("facts"); (len(calls) == 1) != (c.want != "") || len(calls) == 1 && calls[0].Message != "p.do" {
			t.Errorf("%s: calls %v", name, calls)
		}
	}
	for name, want := range map[string]string{"*p.T": "p.T", "p.T": "p.T", "*": "*", "**p.T": "**p.T",
		"*[]p.T": "*[]p.T", "*int": "int"} {
		if got := Plain(name); got != want {
			t.Errorf("Plain(%q) = %q, want %q", name, got, want)
		}
	}
}
