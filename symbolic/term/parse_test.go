package term_test

import (
	"strings"
	"testing"

	. "github.com/rehearse-go/rehearse/symbolic/term"
)

// fields are the names of a program.
var fields = Names{
	Var: in(map[string]Type{
		"Pay.Amount": {Sort: Word64}, "Pay.Kind": {Sort: Word8, Unsigned: true}, "Pay.Rate": {Sort: Float64}, "Pay.Name": {Sort: String}, "Pay.OK": {Sort: Bool},
		"s.nodes!len": {Sort: Word64}, "s.next!ref": {Sort: Word16}, "s.m[msg.Key]!has": {Sort: Bool}, "a.(b.C).D": {Sort: Word32},
	}),
	Func: in(map[string]Type{"strings.Index": {Sort: Word64}}),
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"Pay.Amount > 0":                         "",
		"0 < Pay.Amount":                         "Pay.Amount > 0",
		"Pay.Amount >= 1 && Pay.Amount <= 1000":  "Pay.Amount > 0 && Pay.Amount < 1001",
		"Pay.Amount == 1<<10 - 1":                "Pay.Amount == 1023",
		"Pay.Kind == 255":                        "Pay.Kind == -1",
		"Pay.Kind > 200":                         "uint8(Pay.Kind) >= 201",
		"uint64(Pay.Kind) < uint64(Pay.Amount)":  "uint(uint8(Pay.Kind)) < uint(Pay.Amount)",
		"Pay.Rate < 1":                           "Pay.Rate < 1.0",
		"Pay.Rate*2 == float64(Pay.Amount)":      "Pay.Rate * 2.0 == float64(Pay.Amount)",
		`Pay.Name != "" && len(Pay.Name) < 5`:    `Pay.Name != "" && len(Pay.Name) < 5`,
		"!Pay.OK || true":                        "true",
		"s.next != nil && len(s.nodes) > 2":      "s.next != nil && len(s.nodes) >= 3",
		"has(s.m[msg.Key])":                      "",
		"strings.Index(Pay.Name, \"x\") >= 0":    `strings.Index(Pay.Name, "x") >= 0`,
		"a.(b.C).D % 10 == 3":                    "",
		"ite(Pay.OK, Pay.Amount, 3) == 3":        "!Pay.OK || Pay.Amount == 3",
		"int64(int32(Pay.Amount)) != Pay.Amount": "Pay.Amount != int(int32(Pay.Amount))",
		"1+2 == 3 && Pay.OK":                     "Pay.OK",
	} {
		if want == "" {
			want = text
		}
		got, err := ParseCondition(NewStore(), text, fields)
		if err != nil || got.String() != want {
			t.Errorf("%s is parsed as %v, %v: want %s", text, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"Pay.Amount >":                       "expected operand",
		"Pay.Amont > 0":                      "column 1: nothing is called Pay.Amont",
		"Pay.Amount":                         "want a condition",
		"Pay.Kind == 256":                    "256 does not fit uint8",
		"Pay.Kind < -1":                      "does not fit uint8",
		"Pay.Amount == 1.5":                  "1.5 does not fit int",
		"Pay.Amount < Pay.Kind":              "of type uint8: want int",
		"Pay.Amount && Pay.OK":               "of type bool: want int",
		"Pay.OK + Pay.OK":                    "no operation + on bool",
		"Pay.Amount / 0 == 1":                "division by zero",
		"1 / 0 == 1":                         "division by zero",
		"1 << 100000 == Pay.Amount":          "no shift of 1 by 100000",
		"Pay.Name == 'a'":                    "does not fit string",
		"nil == nil":                         "nil is for == and != with a path",
		"f(Pay.Amount)":                      "no function is called f",
		"func() {}":                          "no expression of ours",
		"Pay.Amount > 0i":                    "does not fit int",
		"[]int{1}[0] == 1":                   "no expression of ours",
		"string(Pay.Amount) == \"\"":         "no conversion of int to string",
		strings.Repeat("!", 2000) + "Pay.OK": "levels",
		strings.Repeat("a", 70000):           "at most 65536",
	} {
		got, err := ParseCondition(NewStore(), text, fields)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s is parsed as %v, %v: want an error with %q", text, got, err, want)
		}
	}
}

// What is parsed is printed so that it is parsed again, and nothing makes the parser panic.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"Pay.Amount > 0", "s.next == nil || has(s.m[msg.Key])", "len(Pay.Name + \"x\") < 1<<3", "ite(Pay.OK, Pay.Rate, math.NaN()) != -1e300",
		"uint8(Pay.Amount >> Pay.Kind) &^ 3 == 0", "same(float32(Pay.Rate), 0.1)", `sym("Pay.OK") == !Pay.OK`, "Pay.Kind / 3 % 2 - ^Pay.Kind == 7"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewStore()
		x, _, err := Parse(s, text, fields)
		if err != nil {
			return
		}
		unsigned := Printer{Unsigned: func(name string) bool { typ, _ := fields.Var(name); return typ.Unsigned }}
		printed := unsigned.Print(x)
		if again, _, err := Parse(s, printed, fields); err != nil || again != x {
			t.Fatalf("%q is printed as %q, which is parsed as %v, %v", text, printed, again, err)
		}
	})
}
