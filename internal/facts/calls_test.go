package facts

import (
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestCalls: what is known to send only known messages is declared; the least depth counts, and who may receive is
// anybody if it is not known.
func TestCalls(t *testing.T) {
	f := &File{
		Actors: []Actor{{Name: "x.a", Framework: "native", Constraints: true},
			{Name: "x.f", Framework: "native", Function: true}, {Name: "x.p", Framework: "protoactor"}},
		Handlers: []Handler{
			{Actor: "x.a", Message: "x.m", Line: 7, Sends: []Send{{Message: "x.n", To: []string{"x.a", "x.b"}, Conditions: 2},
				{Message: "x.n", To: []string{"x.b"}}, {Message: Same, Conditions: 1}}},
			{Actor: "x.a", Message: "x.n", Line: 8},
			{Actor: "x.a", Message: "x.o", Unknown: "a function value"},
			{Actor: "x.a", Message: "x.q", Sends: []Send{{Message: "?"}}},
			{Actor: "x.a", Message: "x.r", Spawns: []string{"x.b"}},
			{Actor: "x.f", Message: "x.m"},
			{Actor: "x.p", Message: "x.m", Line: 9},
			{Actor: "x.p", Message: "x.n", Line: 10, Shares: true},
			{Actor: "x.p", Message: "actor.PoisonPill", Line: 11},
		},
	}
	want := trace.Calls{
		{Actor: "x.a", Message: "x.m", Origin: "facts:7", May: []trace.MaySend{{Actor: "x.a", Message: "x.n", Depth: 2},
			{Actor: "x.b", Message: "x.n"}, {Actor: trace.Anybody, Message: "x.m", Depth: 1}}},
		{Actor: "x.a", Message: "x.n", Origin: "facts:8"},
		{Actor: "x.p", Message: "x.m", Origin: "facts:9"},
	}
	if got := f.Calls("facts"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := f.Calls("facts").Validate(); err != nil {
		t.Error(err)
	}
}
