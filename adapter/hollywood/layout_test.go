package hollywood

import (
	"reflect"
	"strings"
	"testing"

	"github.com/anthdm/hollywood/actor"
)

// The version in go.mod is as the adapter knows it. Another one is refused by an error that names what differs.
func TestLayout(t *testing.T) {
	if _, err := known(); err != nil {
		t.Fatal(err)
	}
	c := checker{}
	c.field(reflect.TypeFor[actor.Engine](), "remote", reflect.TypeFor[actor.Remoter]())
	if c.wrong != "" {
		t.Errorf("%s is as it should be", c.wrong)
	}
	c.field(reflect.TypeFor[actor.Engine](), "mailboxes", reflect.TypeFor[int]())
	c.field(reflect.TypeFor[actor.Registry](), "lookup", reflect.TypeFor[map[string]int]())
	if c.wrong != "actor.Engine.mailboxes" {
		t.Errorf("the first that differs is %q", c.wrong)
	}
	err := framed.Unsupported(c.wrong).Error()
	for _, want := range []string{module, "actor.Engine.mailboxes", "use " + module + " " + supported} {
		if !strings.Contains(err, want) {
			t.Errorf("the error does not name %q: %s", want, err)
		}
	}
}

// Ids that the framework has drawn are told from those that the program gave.
func TestIsRandom(t *testing.T) {
	for id, want := range map[string]bool{"a/8674665223082153551": true, "a/x": false, "a/12": false,
		"a/1/b/6129484611666145821": true,
		"a/6129484611666145821/b/x": false} {
		if isRandom(id) != want {
			t.Errorf("%s is random: %v", id, !want)
		}
	}
}
