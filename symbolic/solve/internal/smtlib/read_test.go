package smtlib

import (
	"math"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

func TestValues(t *testing.T) {
	for _, test := range []struct {
		text string
		sort term.Sort
		want term.Value
	}{
		{"true", term.Bool, term.BoolValue(true)},
		{"#xff", term.Word8, term.WordValue(term.Word8, 255)},
		{"#b00000101", term.Word8, term.WordValue(term.Word8, 5)},
		{"(_ bv65535 16)", term.Word16, term.WordValue(term.Word16, 65535)},
		{"#xffffffffffffffff", term.Word64, term.WordValue(term.Word64, math.MaxUint64)},
		{"(fp #b0 #b10000000 #b10000000000000000000000)", term.Float32, term.FloatValue(term.Float32, 3)},
		{"(fp #b1 #x80 #b10000000000000000000000)", term.Float32, term.FloatValue(term.Float32, -3)},
		{"(fp #b0 #b10000000 #b1000000000000000000000)", term.Float32, term.Value{}},
		{"(fp #b0 #b01111111111 #x0000000000000)", term.Float64, term.FloatValue(term.Float64, 1)},
		{"(fp #b1 #b10000000000 #x8000000000000)", term.Float64, term.FloatValue(term.Float64, -3)},
		{"(_ NaN 11 53)", term.Float64, term.FloatValue(term.Float64, math.NaN())},
		{"(fp #b0 #b11111111111 #x0000000000001)", term.Float64, term.FloatValue(term.Float64, math.NaN())},
		{"(_ -oo 8 24)", term.Float32, term.FloatValue(term.Float32, math.Inf(-1))},
		{"(_ -zero 8 24)", term.Float32, term.FloatValue(term.Float32, math.Copysign(0, -1))},
		{`"a""b\u{0}\u00ff\x7fc"`, term.String, term.TextValue("a\"b\x00\xff\x7fc")},
		{`"\u{100}"`, term.String, term.Value{}},
		{"#xfff", term.Word8, term.Value{}},
		{"maybe", term.Bool, term.Value{}},
		{"()", term.Float32, term.Value{}},
		{"unquoted", term.String, term.Value{}},
		{"#x", term.Word8, term.Value{}},
		{"#z1", term.Word8, term.Value{}},
	} {
		list, err := Parse(test.text)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", test.text, list, err)
			continue
		}
		got, err := list[0].Value(test.sort)
		if bad := test.want == (term.Value{}); bad != (err != nil) || !bad && got != test.want {
			t.Errorf("%s is %v, %v: want %v", test.text, got, err, test.want)
		}
	}
}

// A constant that is written and read again is the same.
func TestConstants(t *testing.T) {
	for _, v := range []term.Value{term.BoolValue(false), term.WordValue(term.Word32, 1<<31), term.TextValue("plain \"\\ \x00\xff é"), term.TextValue("")} {
		list, err := Parse(constant(v))
		if err != nil || len(list) != 1 {
			t.Fatalf("%v: %v", v, err)
		}
		if got, err := list[0].Value(v.Sort); err != nil || got != v {
			t.Errorf("%s is read as %v, %v", constant(v), got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"(a": "not closed", "a)": "closed without being opened", `"a`: "a string is not closed", strings.Repeat("(", 200): "lists in lists",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v, want an error with %q", text, err, want)
		}
	}
	if list, err := Parse(" ((a b)\n c \"d e\") "); err != nil || len(list) != 1 || list[0].String() != `((a b) c "d e")` {
		t.Errorf("%v, %v", list, err)
	}
}

// Whatever a solver prints is read, or is an error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"((t1 #x0f) (t2 true))", "(c0 c3)", `(error "line 1: ""no""")`, "(fp #b0 #b1 #b0)", `"\u{41}\u`, "(_ bv10 8)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Parse(text)
		if err != nil {
			return
		}
		for _, e := range list {
			for _, s := range []term.Sort{term.Bool, term.Word8, term.Word64, term.Float32, term.Float64, term.String} {
				e.Value(s)
			}
			again, err := Parse(e.String())
			if e.String() != "" && (err != nil || len(again) != 1 || again[0].String() != e.String()) {
				t.Fatalf("%q is printed as %q, which is read as %v, %v", text, e, again, err)
			}
		}
	})
}
