package render_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/render"
)

func TestCommon(t *testing.T) {
	for _, x := range []struct {
		texts []string
		want  string // "" for none
	}{
		{[]string{`&bank{id:"a-1" sum:3}`, `&bank{id:"b 2" sum:3}`}, `&bank{id:<any> sum:3}`},
		{[]string{`opened{5f0c-11 "ann"} from bank`, `opened{77aa-02 "ann"} from bank`}, `opened{<any> "ann"} from bank`},
		{[]string{`map["a":-1 "b":2.5]`, `map["x":-1 "y":+2]`, `map["a":-1 "b":2]`}, `map[<any>:-1 <any>:<any>]`},
		{[]string{`[1 2 3]`, `[1 2 4]`}, `[1 2 <any>]`},
		{[]string{`same{"\""}`, `same{"\""}`}, `same{"\""}`},
		{[]string{`[1 2]`, `[1 2 3]`}, ""},
		{[]string{`&a{}`, `&a[]`}, ""},
		{[]string{`{1}`, `{[}`}, ""},
		{[]string{`"one`, `"two`}, `"<any>`}, // a quote that was cut off
		{[]string{`one`, `two`}, ""},         // nothing is left
		{nil, ""},
	} {
		got, ok := render.Common(x.texts)
		if ok != (x.want != "") || ok && got != x.want {
			t.Errorf("%q: %s, %v, want %s", x.texts, got, ok, x.want)
		}
		for _, text := range x.texts {
			if ok && !render.Like(text, got) {
				t.Errorf("%s is not like %s", text, got)
			}
		}
	}
}

func TestLike(t *testing.T) {
	for _, x := range []struct {
		text, pattern string
		want          bool
	}{
		{`&bank{id:"x" sum:3}`, `&bank{id:<any> sum:3}`, true},
		{`&bank{id:"x" sum:4}`, `&bank{id:<any> sum:3}`, false},
		{`&bank{id:<any> sum:3}`, `&bank{id:"x" sum:3}`, false},
		{`&bank{id:"x y" z sum:3}`, `&bank{id:<any> sum:3}`, false},
		{`&bank{id:[] sum:3}`, `&bank{id:<any> sum:3}`, false},
		{``, ``, true},
		{``, `<any>`, false},
	} {
		if got := render.Like(x.text, x.pattern); got != x.want {
			t.Errorf("%s like %s: %v, want %v", x.text, x.pattern, got, x.want)
		}
	}
}
