package markup

import "testing"

func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		text string
		bad  bool
	}{
		{`<svg xmlns="http://www.w3.org/2000/svg"><rect x="1"/></svg>`, false},
		{`<!DOCTYPE html><html lang="en"><body><p id="a">x<br/></p><a href="#a">y</a></body></html>`, false},
		{`<svg><rect></svg>`, true},
		{`<svg><script>x</script></svg>`, true},
		{`<svg><image href="x"/></svg>`, true},
		{`<p onclick="x">y</p>`, true},
		{`<a href="http://example.org">y</a>`, true},
		{`<a href="#a">y</a>`, true},
		{`<p id="a">x<b id="a">y</b></p>`, true},
		{`<p/>`, true},
		{"<p>\x00</p>", true},
	} {
		if got := Invalid(c.text); (got != "") != c.bad {
			t.Errorf("%s: %q", c.text, got)
		}
	}
}
