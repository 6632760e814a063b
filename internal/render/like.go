package render

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file compares texts of values of which a part differs each time, such as a random identifier.

// Any stands in a pattern for one part of a text: a string, a number, or a word.
const Any = "<any>"

// Like reports whether a text is the pattern, in which Any may be in the place of parts.
func Like(text, pattern string) bool {
	return slices.EqualFunc(parts(text), parts(pattern),
		func(part, want string) bool { return part == want || want == Any && value(part) })
}

// Common gives the pattern of texts that differ in some of their parts; false if they have no form in common, or
// nothing else.
func Common(texts []string) (pattern string, ok bool) {
	if len(texts) == 0 {
		return "", false
	}
	common := parts(texts[0])
	for _, text := range texts[1:] {
		other := parts(text)
		if len(other) != len(common) {
			return "", false
		}
		for i, part := range other {
			switch {
			case part == common[i]:
			case !value(part) || !value(common[i]):
				return "", false
			default:
				common[i] = Any
			}
		}
	}
	pattern = strings.Join(common, "")
	return pattern, pattern != Any
}

// value reports whether a part is one that may differ: no bracket, colon or space.
func value(part string) bool {
	r, _ := utf8.DecodeRuneInString(part)
	return part == Any || r == '"' && len(part) > 1 || inWord(r)
}

// parts cuts a text into strings in quotes, numbers and words, and what stands between them, a character each.
func parts(s string) (list []string) {
	for len(s) > 0 {
		n := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) })
		switch quoted, err := strconv.QuotedPrefix(s); {
		case strings.HasPrefix(s, Any):
			n = len(Any)
		case s[0] == '"' && err == nil:
			n = len(quoted)
		case n < 0:
			n = len(s)
		case n == 0:
			_, n = utf8.DecodeRuneInString(s)
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// inWord reports whether a character is one of words and numbers: those of UUIDs have hyphens.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.+…", r)
}
