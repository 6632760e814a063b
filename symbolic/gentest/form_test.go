package gentest_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestFunctionPanics: a test of a function that panics wants the text of the panic.
func TestFunctionPanics(t *testing.T) {
	_, packages := made(t, ".", "./testdata/signs", "^Join$", gentest.Options{Assumed: true})
	hold(t, packages, 5, false)
	wanted := map[string]bool{}
	for _, x := range packages[0].Tests {
		source := strings.Join(x.Lines, "\n")
		for _, text := range []string{`"100% \"full\""`, `"4"`, `"slice bounds out of range"`} {
			wanted[text] = wanted[text] || strings.Contains(source, "strings.Contains(text, "+text+")")
		}
	}
	for text, is := range wanted {
		if !is {
			t.Errorf("no test wants a panic with %s", text)
		}
	}
}

// TestForms: the symbolic form of a case stands above the first of its tests, also where that is left out. Texts of the
// program cannot end the comment.
func TestForms(t *testing.T) {
	text, packages := written(t, "./testdata/signs", "^Board.Write$")
	want := `
	// if       b.text == "*\x2f\n\u202e)}\r", msg.Size >= 3, b.next != nil
	// does     send signs.Write{Text: msg.Text + "*\x2f\n//go:build ignore\n"} to b.next
	// after    b.next, b.text as before
	t.Run(`
	if strings.Count(text, want) != 1 {
		t.Errorf("%q is not there once:\n%s", want, text)
	}
	for line := range strings.Lines(text) {
		if at := strings.Index(line, "// "); at >= 0 && strings.ContainsFunc(strings.TrimRight(line[at:], "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q", line)
		}
	}
	hold(t, packages, 4, true)
	dropped := map[string]bool{}
	files, err := packages[0].Files(func(x *gentest.Test) bool { // the first test of each case is not kept
		first := !dropped[x.Case.Name]
		dropped[x.Case.Name] = true
		return !first
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(files[0].Content), want) != 1 {
		t.Errorf("without the first test of each case the form is not there once:\n%s", files[0].Content)
	}
}

// TestPanicAgain: what recover gives of a panic of the runtime has the text of the runtime, also where the handler
// panics with it again.
func TestPanicAgain(t *testing.T) {
	_, packages := made(t, ".", "./testdata/signs", "^Guard.Fail$", gentest.Options{Assumed: true})
	hold(t, packages, 10, false)
	text := ""
	for _, x := range packages[0].Tests {
		text += strings.Join(x.Lines, "\n")
	}
	for _, want := range []string{`told: "runtime error: integer divide by zero"`, `told: "runtime error: invalid memory address or nil pointer dereference"`,
		`x.Panics("runtime error: integer divide by zero")`, "// The state is not compared: the result of runtime.Error.Error is not known."} {
		if !strings.Contains(text, want) {
			t.Errorf("no test has %s:\n%s", want, text)
		}
	}
}

// TestAcceptedFinding: a failure is a finding also where the actor decides with branches which messages it takes.
func TestAcceptedFinding(t *testing.T) {
	text, packages := written(t, "./testdata/signs", "^Door.Knock$")
	hold(t, packages, 0, false)
	if !strings.Contains(text, "// Finding: the state comes about by NewDoor.\n") || !strings.Contains(text, "// accepted d.open\n") {
		t.Errorf("no finding, or no constraint:\n%s", text)
	}
}

// TestMapSizes: how many entries a map has is a number, which costs no case for each, and is not cut where it is large.
// The maps of the tests have so many.
func TestMapSizes(t *testing.T) {
	text, packages := written(t, "./testdata/signs", "^Shelf.Put$")
	hold(t, packages, 5, false)
	if !strings.Contains(text, `"key4"`) || strings.Contains(text, "further entries") {
		t.Errorf("no map of five entries, or a cut:\n%s", text)
	}
}
