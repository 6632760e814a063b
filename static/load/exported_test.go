package load

import (
	"go/types"
	"os"
	"reflect"
	"runtime"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The go command, asked once, says what packages.Load finds out.
func TestExported(t *testing.T) {
	dir, paths := module(t, "a/a.go", "package a\n"), []string{"fmt", "m/a"}
	for _, c := range []Config{{Dir: dir}, {Dir: dir, Tags: []string{"x", "y"}, Flags: []string{"-mod=mod"}}} {
		list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedExportFile, Dir: dir, BuildFlags: c.buildFlags()}, paths...)
		if err != nil {
			t.Fatal(err)
		}
		sizes, files, ok := c.exported(paths)
		if !ok || len(files) != len(list)+1 {
			t.Fatalf("%v: %v, %v", c, files, ok)
		}
		for _, p := range list {
			if files[p.PkgPath] != p.ExportFile {
				t.Errorf("%v: %s is in %s: want %s", c, p.PkgPath, files[p.PkgPath], p.ExportFile)
			}
		}
		if want := types.SizesFor("gc", runtime.GOARCH); !reflect.DeepEqual(sizes, want) {
			t.Errorf("%v: sizes %v, want %v", c, sizes, want)
		}
	}
	small := Config{Dir: dir, Env: append(os.Environ(), "GOARCH=386")}
	if sizes, _, ok := small.exported(nil); !ok || sizes.Sizeof(types.Typ[types.Uintptr]) != 4 {
		t.Errorf("386: %v, %v", sizes, ok)
	}
}

// What is out of the ordinary is left to packages.Load.
func TestExportedNot(t *testing.T) {
	dir := module(t, "a/a.go", "package a\n\nvar x int = \"x\"\n")
	for name, c := range map[string]Config{
		"no such package": {Dir: dir}, "m/a": {Dir: dir}, "fmt": {Dir: dir, Overlay: map[string][]byte{"x": nil}},
		"os": {Dir: dir, Env: append(os.Environ(), "GOPACKAGESDRIVER=/bin/other")},
	} {
		if _, files, ok := c.exported([]string{name}); ok {
			t.Errorf("%s: %v", name, files)
		}
	}
	if (Config{Env: append(os.Environ(), "GOPACKAGESDRIVER=off")}).otherDriver() {
		t.Error("no driver is taken for one")
	}
}
