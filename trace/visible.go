package trace

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible writes what people would not see, or what would change how they see the rest, as Go does in strings. Such are
// control characters, among them those with which a terminal is driven. So are characters that turn the direction of
// text round (U+202E) or have no width, and U+FFFE and U+FFFF, which XML forbids. Line ends and tabs stay. Names and
// texts come from the program under test: a report shows what they are.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// hidden reports whether the character is to be escaped. Joiners are part of words and of pictures.
func hidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	switch {
	case r == '\n', r == '\t', r == nonJoiner, r == joiner:
		return false
	case r == '\ufffe', r == '\uffff':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
