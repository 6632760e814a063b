package load

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Problem is something about the application that the analysis cannot see, or should be told about.
type Problem struct {
	Place     string // file:line, or the import path where no line is to blame
	Text      string // what is wrong, and what to do
	Missing   bool   // part of the application is left out because of it
	Broken    bool   // a package does not compile, or is not there
	Elsewhere bool   // what is left out is no part of this build, but of one with other tags, or for another system
}

func (p Problem) String() string { return p.Place + ": " + p.Text }

// joined gives problems line by line.
func joined(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "\t%s\n", p)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// problems lists what is wrong with the packages found, and what the go command has left out.
func (f *found) problems(p *Program) []Problem {
	list := f.errors(p)
	for _, pkg := range f.packages {
		list = append(list, p.leftOut(pkg)...)
	}
	return byPlace(list)
}

// errors lists why packages do not compile, one a line: what follows on a line is mostly a consequence, and variants of
// a package repeat its errors.
func (f *found) errors(p *Program) []Problem {
	var list []Problem
	for _, pkg := range f.packages {
		for _, e := range pkg.Errors {
			if strings.HasPrefix(e.Msg, "# ") && len(pkg.Errors) > 1 {
				continue // the compiler's output, when the same errors are there one by one
			}
			list = append(list, Problem{p.place(e.Pos, pkg.PkgPath), p.explain(pkg, e), true, true, false})
		}
		if len(pkg.Errors) == 0 && pkg.IllTyped {
			list = append(list, Problem{pkg.PkgPath,
				"left out, because it imports a package that does not compile" + broken(pkg), true, true, false})
		}
	}
	return byPlace(list)
}

// byPlace sorts problems, and keeps the first one of each place.
func byPlace(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		file, line := split(a.Place)
		otherFile, otherLine := split(b.Place)
		return cmp.Or(cmp.Compare(file, otherFile), cmp.Compare(line, otherLine))
	})
	return slices.CompactFunc(list, func(a, b Problem) bool { return a.Place == b.Place })
}

// broken names the imports of a package that do not compile, where they are known.
func broken(pkg *packages.Package) string {
	var names []string
	for path, dep := range pkg.Imports {
		if dep.IllTyped || len(dep.Errors) > 0 {
			names = append(names, path)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return ": " + strings.Join(names, ", ")
}

// leftOut lists what the go command has not given us although it is there: files of other platforms and tags, and what
// calls C.
func (p *Program) leftOut(pkg *packages.Package) []Problem {
	var list []Problem
	for _, file := range pkg.IgnoredFiles {
		if strings.HasSuffix(file, ".go") {
			list = append(list, Problem{p.relative(file) + ":1",
				"left out by its build constraints; set GOFLAGS=-tags=..., GOOS or GOARCH to see it", true, false, true})
		}
	}
	if _, ok := pkg.Imports["runtime/cgo"]; ok || pkg.Imports["C"] != nil {
		list = append(list, Problem{pkg.PkgPath, "calls C, which is not analysed: what C functions give is unknown", true,
			false, false})
	}
	return list
}

// place gives the place of an error, whose column people do not need.
func (p *Program) place(pos, otherwise string) string {
	parts := strings.Split(pos, ":")
	if pos == "" || pos == "-" || len(parts) < 2 {
		return otherwise
	}
	file, line := parts[0], parts[1]
	if filepath.IsAbs(file) {
		file = p.relative(file)
	}
	return file + ":" + line
}

// explain says what an error means for the analysis.
func (p *Program) explain(pkg *packages.Package, e packages.Error) string {
	text, rest, _ := strings.Cut(strings.TrimSpace(e.Msg), "\n")
	if strings.HasSuffix(text, ":") { // the go command's "to add it:"
		what, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		text += " " + what
	}
	text = strings.ReplaceAll(text, p.Dir+string(filepath.Separator), "")
	if imported, why, ok := strings.Cut(strings.TrimPrefix(text, "could not import "), " (invalid package name"); ok &&
		why != "" {
		text = fmt.Sprintf("there is no package %s; go get it, or correct the path", imported)
	}
	if e.Kind == packages.ListError {
		return text
	}
	what := pkg.PkgPath
	if pkg.ForTest != "" {
		what = "the tests of " + pkg.ForTest
	}
	return fmt.Sprintf("%s: left out, because this does not compile: %s", what, text)
}

// split takes a place apart, so that line 10 comes after line 9.
func split(place string) (file string, line int) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place, 0
	}
	line, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return place, 0
	}
	return place[:i], line
}
