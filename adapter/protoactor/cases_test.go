package protoactor_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/facts"
)

// teller has a case for a value, paidTeller for a pointer.
type (
	teller     struct{ got int }
	paidTeller struct{ teller }
	slip       struct{ n int }
	note       struct{}
	paid       struct{}
	nudged     struct{ note }
)

func (a *teller) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case slip:
		a.got += m.n
	}
}

func (a *paidTeller) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *slip:
		a.got += m.n
	}
}

func (nudged) GetAutoResponse(actor.Context) any { return note{} }

// caseFacts are what an analysis would say of them, in a file.
func caseFacts(t *testing.T, unclear string) string {
	t.Helper()
	const pkg = "github.com/rehearse-go/rehearse/adapter/protoactor_test"
	f := &facts.File{Package: pkg, Tool: facts.Analysis, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Actors: []facts.Actor{
		{Name: "protoactor_test.teller", Package: pkg, Framework: facts.Protoactor, Matched: facts.Matched{Cases: []string{"protoactor_test.slip"}, Ignores: true, Unclear: unclear}},
		{Name: "protoactor_test.paidTeller", Package: pkg, Framework: facts.Protoactor, Matched: facts.Matched{Cases: []string{"*protoactor_test.slip"}, Ignores: true}},
		{Name: "protoactor_test.TestMessagesWithoutACase", Package: pkg, Function: true, Framework: facts.Protoactor,
			Matched: facts.Matched{Cases: []string{"protoactor_test.slip"}, Ignored: []string{"protoactor_test.paid"}, Ignores: unclear == "", Unclear: unclear}},
	}}
	path := filepath.Join(t.TempDir(), "facts")
	if err := os.WriteFile(path, f.Marshal(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A message that no case of its handler matches is found where facts tell of the cases, and where they do not the
// result says so.
func TestMessagesWithoutACase(t *testing.T) {
	clear, unclear := caseFacts(t, ""), caseFacts(t, "nobody knows")
	of := func(a actor.Actor) *actor.Props { return actor.PropsFromProducer(func() actor.Actor { return a }) }
	tellers := func() *actor.Props { return of(&teller{}) }
	watched := actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc { return next })
	function := func() *actor.Props { return actor.PropsFromFunc(func(actor.Context) {}) }
	const unseen = "has a case for each message was not looked at: "
	for name, c := range map[string]struct {
		facts         string
		props         func() *actor.Props
		message       any
		found, remark string
	}{
		"no case":              {clear, tellers, note{}, "teller has no handler for note from Driver", ""},
		"a case":               {clear, tellers, slip{1}, "", ""},
		"a pointer to it":      {clear, tellers, &slip{1}, "teller has no handler for slip from Driver: the message is a *protoactor_test.slip, and the case is for protoactor_test.slip", ""},
		"what it points to":    {clear, func() *actor.Props { return of(&paidTeller{}) }, slip{1}, "paidTeller has no handler for slip from Driver: the message is a protoactor_test.slip, and the case is for *protoactor_test.slip", ""},
		"the pointer":          {clear, func() *actor.Props { return of(&paidTeller{}) }, &slip{1}, "", ""},
		"a function":           {clear, function, note{}, "TestMessagesWithoutACase has no handler for note from Driver", ""},
		"the framework's":      {clear, tellers, &actor.Touch{}, "", ""},
		"it answers itself":    {clear, tellers, nudged{}, "", ""},
		"no facts":             {"off", tellers, note{}, "", "whether handlers have a case for each message was not looked at (make facts: rehearse facts)"},
		"no fact of the actor": {clear, func() *actor.Props { return of(&chest{}) }, note{}, "", "chest " + unseen + "the facts do not tell of it"},
		"middleware":           {clear, func() *actor.Props { return tellers().Configure(watched) }, note{}, "", "teller " + unseen + "its actor has receiver middleware"},
		"case and middleware":  {clear, func() *actor.Props { return tellers().Configure(watched) }, slip{1}, "", ""},
		"unclear":              {unclear, function, note{}, "", "TestMessagesWithoutACase " + unseen + "nobody knows"},
		"unclear, with a case": {unclear, function, slip{1}, "", ""},
		"surely no case":       {unclear, function, paid{}, "TestMessagesWithoutACase has no handler for paid from Driver", ""},
		"no case, middleware":  {unclear, func() *actor.Props { return function().Configure(watched) }, paid{}, "", "TestMessagesWithoutACase " + unseen + "its actor has receiver middleware"},
		"of some behaviour":    {unclear, tellers, slip{1}, "", "teller " + unseen + "nobody knows"},
		"of no behaviour":      {unclear, tellers, note{}, "teller has no handler for note from Driver", ""},
	} {
		r, err := rehearse.Explore(rehearse.Config{Facts: c.facts, Checks: rehearse.Levels{rehearse.DeadLetter: rehearse.Off}}, protoactor.System(func(*rehearse.T) {
			s := protoactor.NewActorSystem()
			s.Root.Send(s.Root.Spawn(c.props()), c.message)
		}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := ""
		for _, f := range r.Findings {
			found += f.Violation.Kind.String() + ": " + f.Violation.Text
		}
		if c.found != "" {
			c.found = "unhandled: " + c.found
		}
		if found != c.found || !strings.Contains(r.Remarks, c.remark) || strings.Contains(r.Remarks, "a case for") != (c.remark != "") {
			t.Errorf("%s: found %q, want %q; it remarks %q, want %q", name, found, c.found, r.Remarks, c.remark)
		}
	}
}
