package chance

import (
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// addresses gives the callers of whoever calls it, as a draw has them.
func addresses() (site [Frames]uintptr) {
	runtime.Callers(2, site[:])
	return site
}

// A draw is named by the first line of the program, also where the standard library makes it for that.
func TestFrameIsThePrograms(t *testing.T) {
	library := reflect.ValueOf(os.WriteFile).Pointer() + 1
	here := addresses()
	d := Draw{Kind: Point, N: 2, Site: [Frames]uintptr{library, here[0]}}
	if f := d.Frame(); !strings.HasSuffix(f.Function, "chance.TestFrameIsThePrograms") {
		t.Errorf("got %+v, want this test", f)
	}
	d.Site = [Frames]uintptr{library}
	if f := d.Frame(); f.Function != "os.WriteFile" {
		t.Errorf("got %+v, want what is known", f)
	}
	seen := 0
	d.Frames(func(runtime.Frame) bool { seen++; return true })
	if seen != 1 {
		t.Errorf("%d frames, want that of the library", seen)
	}
}
