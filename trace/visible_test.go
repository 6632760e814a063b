package trace

import "testing"

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"":                       "",
		"pay\u202Eload":          `pay\u202eload`,
		"\u2066a\u2069":          `\u2066a\u2069`,
		"\x1b[31mred\x1b[0m":     `\x1b[31mred\x1b[0m`,
		"a\rb\ab\x00\x7f\u0085":  `a\x0db\x07b\x00\x7f\x85`,
		"two\n\tlines":           "two\n\tlines",
		"\ufeffbom\u200b\u2028":  `\ufeffbom\u200b\u2028`,
		"no\ufffe\uffff\ufffd":   `no\ufffe\uffff` + "\ufffd",
		"\U000e0041":             `\U000e0041`,
		"größer → 日本 👩\u200d🚀 ✗": "größer → 日本 👩\u200d🚀 ✗",
	} {
		if got := Visible(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
		if again := Visible(want); again != want {
			t.Errorf("%q is escaped again: %q", want, again)
		}
	}
}
