package broker

import (
	"regexp"
	"strings"
)

// userInfo matches what stands between the scheme of a URL and its host: a token, or a user and a password. A password
// may hold anything but a space, also "@" and "/": the last "@" before a space ends it.
var userInfo = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s"']*@`)

// seed matches the seed of an nkey: S, its kind, and base 32.
var seed = regexp.MustCompile(`\bS[ACNOUX][A-Z2-7]{50,}\b`)

// webToken matches a token of a credentials file.
var webToken = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`)

// Redact takes out of a text what must not be read in an error or a log: the user's part of URLs, seeds, tokens of
// credentials, and the given secrets.
func Redact(text string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	text = userInfo.ReplaceAllString(text, "${1}***@")
	text = seed.ReplaceAllString(text, "***")
	return webToken.ReplaceAllString(text, "***")
}
