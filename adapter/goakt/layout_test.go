package goakt

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tochemey/goakt/v4/actor"
)

// The version in go.mod is as the adapter knows it. Another one is refused by an error that names what differs.
func TestLayout(t *testing.T) {
	l, err := known()
	if err != nil {
		t.Fatal(err)
	}
	var c checker
	pid := reflect.TypeFor[actor.PID]()
	c.field(pid, "mailbox", "actor.Mailbox")
	if c.wrong != "" {
		t.Errorf("%s is as it should be", c.wrong)
	}
	c.field(pid, "inbox", "actor.Mailbox")
	c.field(pid, "mailbox", "chan int")
	if c.wrong != "actor.PID.inbox" {
		t.Errorf("the first that differs is %q", c.wrong)
	}
	err = framed.Unsupported(c.wrong)
	for _, want := range []string{module, "actor.PID.inbox", "use " + module + " " + supported} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not name %q: %s", want, err)
		}
	}
	if got := (&learned{asyncRequest: l.asyncRequest}).missing(); got == "" {
		t.Error("a message that was not learned is not missed")
	}
}

// Names that the framework has drawn are told from those that the program gave.
func TestIsRandom(t *testing.T) {
	for id, want := range map[string]bool{"0b16a5a6-3a0c-4f64-8d8b-6d3a5b1c2d3e": true, "a": false, "a-b-c-d-e": false,
		"zb16a5a6-3a0c-4f64-8d8b-6d3a5b1c2d3e": false} {
		if isRandom(id) != want {
			t.Errorf("%s is random: %v", id, !want)
		}
	}
}
