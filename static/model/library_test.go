package model

import (
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// absent are the packages of the table that nothing here depends on. REHEARSE_LIBRARIES names the folder of a module
// that has them, to check these rows by hand.
var absent = []string{"github.com/pkg/errors", "go.uber.org/zap", "go.uber.org/zap/zapcore", "github.com/rs/zerolog", "github.com/rs/zerolog/log", "github.com/sirupsen/logrus"}

// Every row of the table of libraries is of functions that there are.
func TestLibrariesExist(t *testing.T) {
	dir, checked := "../../examples", absent
	if d := os.Getenv("REHEARSE_LIBRARIES"); d != "" {
		dir, checked = d, nil
	}
	var paths []string
	for _, l := range libraries {
		if !slices.Contains(checked, l.path) && !slices.Contains(paths, l.path) {
			paths = append(paths, l.path)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	scopes := map[string]*types.Scope{}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		scopes[p.PkgPath] = p.Types.Scope()
	}
	for _, l := range libraries {
		scope := scopes[l.path]
		if scope == nil {
			continue
		}
		for name := range strings.FieldsSeq(l.names) {
			if !exists(scope, name) {
				t.Errorf("a row for %s.%s, which does not exist", l.path, name)
			}
		}
	}
}

// exists reports whether a package has a function, or a type a method. A star stands for any.
func exists(scope *types.Scope, name string) bool {
	of, method, is := strings.Cut(name, ".")
	if !is {
		_, fn := scope.Lookup(name).(*types.Func)
		return fn || name == "*"
	}
	tn, ok := scope.Lookup(of).(*types.TypeName)
	if !ok {
		return false
	}
	t := tn.Type()
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	return method == "*" || types.NewMethodSet(t).Lookup(tn.Pkg(), method) != nil
}

func TestLibrary(t *testing.T) {
	from := importer.ForCompiler(token.NewFileSet(), "source", nil) // one for all, which reads each package once
	find := func(path, of, name string) *types.Func {
		pkg, err := from.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		if of == "" {
			return pkg.Scope().Lookup(name).(*types.Func)
		}
		o, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(of).Type()), false, pkg, name)
		return o.(*types.Func)
	}
	for _, c := range []struct {
		path, of, name string
		known          bool
		writes         Args
		row            Op
	}{
		{"strings", "", "ToUpper", true, 0, Pure},
		{"strings", "Builder", "WriteString", true, first, Pure},
		{"strings", "Builder", "String", true, 0, Pure},
		{"slices", "", "Grow", true, 0, Mix},
		{"slices", "", "Insert", true, first, Mix},
		{"errors", "", "As", true, second, Unknown},
		{"io", "", "Copy", false, 0, Unknown},
		{"time", "", "Sleep", false, 0, Unknown},
	} {
		does, known := Library(find(c.path, c.of, c.name))
		if known != c.known || does.Writes != c.writes || does.Row != c.row {
			t.Errorf("%s.%s%s: %t, writes %b, %d, want %t, %b, %d", c.path, c.of, c.name, known, does.Writes, does.Row, c.known, c.writes, c.row)
		}
	}
	if kind, outside := Reaches(find("time", "", "Now")); !outside || kind != Clock {
		t.Errorf("time.Now reaches %d, %t", kind, outside)
	}
}
