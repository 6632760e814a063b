package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/render"
)

type inner struct {
	sum  int
	note string
}

type outer struct {
	balance int
	by      map[string]*inner
	list    []int
	empty   []int
	none    *inner
	self    *outer
	after   time.Duration
	raw     []byte
	fn      func()
}

func lines(fields []render.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// TestFields: parts have the paths that Go gives them, in an order that does not change, and cycles end.
func TestFields(t *testing.T) {
	o := &outer{balance: 3, by: map[string]*inner{"b": {2, "x\ny"}, "a": {1, ""}}, list: []int{7, 8},
		after: time.Second, raw: []byte("ok"), fn: func() {}}
	o.self = o
	fields, more := render.Fields(o, 100, nil)
	want := `balance: 3
by["a"].sum: 1
by["a"].note: ""
by["b"].sum: 2
by["b"].note: "x y"
list[0]: 7
list[1]: 8
empty: nil
none: nil
self: <cycle>
`
	if got := lines(fields); !strings.HasPrefix(got, want) || !strings.HasSuffix(got,
		"after: 1s\nraw: \"ok\"\nfn: func\n") {
		t.Errorf("got\n%s\nwant first\n%s", got, want)
	}
	if more != 0 {
		t.Errorf("%d more", more)
	}
	few, more := render.Fields(o, 3, nil)
	if len(few) != 3 || more < 1 || more > len(fields)-3 {
		t.Errorf("of %d fields %d given and %d more", len(fields), len(few), more)
	}
}

// TestFieldsOfSimple: what has no parts is one field without a path.
func TestFieldsOfSimple(t *testing.T) {
	for _, x := range []struct {
		v    any
		want string
	}{{7, "7\n"}, {"\u202e<b>", "\"\\\\u202e<b>\"\n"}, {nil, "nil\n"}, {struct{}{}, ""}, {time.Minute, "1m0s\n"}} {
		fields, _ := render.Fields(x.v, 10, nil)
		if got := lines(fields); got != x.want {
			t.Errorf("%v: %q, want %q", x.v, got, x.want)
		}
	}
}
