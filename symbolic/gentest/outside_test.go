package gentest

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// TestSomebodyOutside: a message to somebody in another process, who has no reference, has no test, and does not end
// the command.
func TestSomebodyOutside(t *testing.T) {
	why := ""
	func() {
		defer caught(&why)
		(&writer{}).actorOf(nil)
	}()
	if !strings.Contains(why, "somebody in another process") {
		t.Errorf("why: %q", why)
	}
}

// TestMapOfLibrary: what a sync.Map holds at the end, which is executed as a map, has no test, and does not end the
// command.
func TestMapOfLibrary(t *testing.T) {
	why := ""
	func() {
		defer caught(&why)
		name := types.NewTypeName(0, types.NewPackage("sync", "sync"), "Map", nil)
		(&world{}).toldMap(exec.Shape{Kind: exec.MapShape}, types.NewNamed(name, types.NewStruct(nil, nil), nil))
	}()
	if !strings.Contains(why, "sync.Map") {
		t.Errorf("why: %q", why)
	}
}

// TestCountsOfPackages: a binary of tests has to count in all files of the packages that it has for sure. Others may be
// missing, since nothing imports them.
func TestCountsOfPackages(t *testing.T) {
	for _, tt := range []struct {
		files string
		fails bool
	}{{"1", true}, {"2", false}, {"3", false}} {
		v := &visits{out: filepath.Join(t.TempDir(), "visits"), sure: 2, files: map[string]int{"a": 0, "b": 1, "c": 2}}
		if err := os.WriteFile(v.out, []byte(`{"Test":"T","Files":`+tt.files+`,"At":[[0,1,3]]}`+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if all, err := v.read(); (err != nil) != tt.fails || err == nil && all["T"][[2]int{0, 1}] != 3 {
			t.Errorf("%s files: %v, %v", tt.files, all, err)
		}
	}
}
