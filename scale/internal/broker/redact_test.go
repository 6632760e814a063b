package broker

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	seed := "SUAMK2FG4MI6UE3ACF3FK3OIQBCEIEZV7NSWFFEW63UXMRLFM2XLAXK4GY"
	jwt := "eyJ0eXAiOiJqd3QiLCJhbGciOiJlZDI1NTE5In0.eyJqdGkiOiJBQkMifQ.c2ln"
	for text, want := range map[string]string{
		"nats://host:4222": "nats://host:4222",
		"dial nats://user:pass@host:1, tls://token@h": "dial nats://***@host:1, tls://***@h",
		`parse "nats://a:b@c:d@host:x": bad port`:     `parse "nats://***@host:x": bad port`,
		"nats://a:p/w?x#y@host and mail@example.com":  "nats://***@host and mail@example.com",
		"the seed " + seed + " of a user":             "the seed *** of a user",
		"the token " + jwt + ".":                      "the token ***.",
		"a known one, s3cret, is out, s3cret":         "a known one, ***, is out, ***",
	} {
		if got := Redact(text, "s3cret", ""); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// No way of writing a password into a URL leaves it in an error.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", "@ss", ":ss", "/ss", "%zz", "#ss", "[p]", ",ss", " ss", "?ss", "\"'", ":,", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, password string) {
		password = "secret" + password
		for _, url := range []string{"nats://user:" + password + "@host:x", "nats://" + password + "@host:4222/path",
			"ftp://user:" + password + "@host", "nats://user:" + password + "@192.0.2.1:1,nats://b"} {
			o := ConnectOptions{URL: url}
			_, err := Connect(t.Context(), o)
			if err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v", url, err)
			}
			if places, err := o.places(); err == nil {
				text := Redact("the client says "+places[0].url.String()+" "+places[0].url.User.String(), o.secrets()...)
				if strings.Contains(text, "secret") {
					t.Errorf("%q became %q", url, text)
				}
			}
		}
	})
}
