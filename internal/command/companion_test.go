package command

import (
	"bytes"
	"flag"
	"slices"
	"strings"
	"testing"
)

// What rehearse hands on arrives, and what somebody types is left as it is.
func TestBegin(t *testing.T) {
	var told bytes.Buffer
	caller := Caller{Path: "/bin/rehearse", Called: "go run ./cmd/rehearse"}
	for _, args := range [][]string{nil, {"swarm"}, {"swarm", "-by=me", "-of=x"}, {"-x"}} {
		c, rest, ok := Begin("aid", HandOn(caller, args), &told)
		if c != caller || !slices.Equal(rest, args) || !ok {
			t.Errorf("%q is handed on as %+v, %q, %v", args, c, rest, ok)
		}
		if c, rest, ok = Begin("aid", args, &told); c != (Caller{}) || !slices.Equal(rest, args) || !ok {
			t.Errorf("%q arrives as %+v, %q, %v", args, c, rest, ok)
		}
	}
	if told.Len() > 0 {
		t.Errorf("it says %q", told.String())
	}
	if _, _, ok := Begin("aid", []string{"-of=v9/9", "swarm"}, &told); ok ||
		!strings.Contains(told.String(), "aid is of another version than rehearse") {
		t.Errorf("another version: %v, %q", ok, told.String())
	}
}

func TestCompanion(t *testing.T) {
	sow := Command{Name: "sow", Short: "sow beds", Long: "Sow sows.\n",
		Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
			deep := fs.Bool("deep", false, "sow deep")
			return func(s Streams, a Arguments) int {
				if *deep {
					s.Out.Write([]byte("deep " + strings.Join(a.Operands, " ")))
				}
				return 7
			}
		}}
	c := &Companion{Name: "aid", Does: "sows", Commands: []Command{sow}}
	for _, x := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"sow", "a", "-deep", "b"}, 7, "deep a b"},
		{[]string{"sow", "-wide"}, ExitError, "unknown flag -wide"},
		{[]string{"help", "sow"}, ExitOK, "-deep"},
		{[]string{DescribeAll}, ExitOK, `"Name":"deep","Doc":"sow deep","Switch":true`},
		{[]string{"reap"}, ExitError, "aid is a part of rehearse, which sows: use `rehearse sow`"},
		{nil, ExitError, "is a part of rehearse"},
	} {
		var out bytes.Buffer
		if code := c.Main(x.args, Streams{Out: &out, Err: &out}); code != x.code || !strings.Contains(out.String(), x.want) {
			t.Errorf("%q: %d, %q, want %d, %q", x.args, code, out.String(), x.code, x.want)
		}
	}
}
