package reachtest

import "testing"

// What the comment of a test says of a check is read back; that of other tests says nothing.
func TestShown(t *testing.T) {
	of := &Test{Func: "TestTarget_x", Wanted: Wanted{Name: "shop/till_test.go:7", Judged: "Final", Line: `return errors.New("a reaches b")`}}
	doc := "TestTarget_x reaches shop/till_test.go:7:\n\n\treturn errors.New(\"a reaches b\")\n"
	if want := "// TestTarget_x reaches shop/till_test.go:7:\n//\n//\treturn errors.New(\"a reaches b\")"; of.reaches() != want {
		t.Errorf("written: %q", of.reaches())
	}
	if list := shownBy(doc); len(list) != 1 || list[0] != (Shown{"till_test.go:7", of.Wanted.Line}) {
		t.Errorf("read: %v", list)
	}
	of.Wanted.Judged = ""
	if got := of.reaches(); got != "// TestTarget_x reaches shop/till_test.go:7." || shownBy(got[3:]) != nil {
		t.Errorf("a plain line: %q", got)
	}
}
