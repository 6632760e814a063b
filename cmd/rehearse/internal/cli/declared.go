package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// declared is what the packages of a module declare, by the names that a program has for it when it runs.
type declared struct {
	dir       string
	modules   []string        // paths
	types     map[string]bool // "bank.Withdraw", also those that are declared within functions
	functions map[string]bool // "bank.Serve", "bank.(*Server).Start": actors that are made from functions are called so
	texts     map[string]bool // string literals: actors may be called so at spawn
}

// listed is a package as `go list -json` tells of it.
type listed struct {
	Dir, ImportPath, Name                                        string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
	Module                                                       *struct{ Path string }
	Error                                                        *struct{ Err string }
}

const listedFields = "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Module,Error"

// declarations reads the packages of the module, or the modules of the workspace, that the folder is in.
func declarations(dir string) (*declared, error) {
	d := &declared{dir: dir, types: map[string]bool{}, functions: map[string]bool{}, texts: map[string]bool{}}
	ps, err := d.list("work")
	if err != nil {
		return nil, err
	}
	problem := errors.New("there is no package here")
	for _, p := range ps {
		if p.Error != nil {
			problem = errors.New("go list: " + p.Error.Err)
		}
		if p.Module != nil && !slices.Contains(d.modules, p.Module.Path) {
			d.modules = append(d.modules, p.Module.Path)
		}
		if err := d.add(p, true); err != nil {
			return nil, err
		}
	}
	if len(d.modules) == 0 {
		return nil, problem
	}
	return d, nil
}

// list lists packages. Those with errors are listed as far as they can be: a program that does not compile at the
// moment still declares.
func (d *declared) list(args ...string) ([]listed, error) {
	return listPackages(d.dir, append([]string{"-e", listedFields}, args...)...)
}

// listPackages runs go list in a folder.
func listPackages(dir string, args ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %s", strings.TrimSpace(stderr.String()+" "+err.Error()))
	}
	var ps []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return ps, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		ps = append(ps, p)
	}
}

// has reports whether a package is, or was, of the modules.
func (d *declared) has(pkg string) bool {
	return slices.ContainsFunc(d.modules, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
}

// add reads the files of a package, those for other platforms too. ours: of the modules, whose tests and functions
// count.
func (d *declared) add(p listed, ours bool) error {
	files := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles)
	if ours {
		files = slices.Concat(files, p.TestGoFiles, p.XTestGoFiles)
	}
	base := path.Base(p.ImportPath)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if f == nil {
			return err
		}
		d.addTypes(f, base)
		if ours {
			d.addFunctions(f, base)
		}
	}
	return nil
}

// addTypes adds the types of a file under the package's name and, as types within the names of others have it, the end
// of its path.
func (d *declared) addTypes(f *ast.File, base string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			d.types[f.Name.Name+"."+t.Name.Name] = true
			d.types[base+"."+t.Name.Name] = true
		}
		return true
	})
}

// addFunctions adds the functions and the texts of a file.
func (d *declared) addFunctions(f *ast.File, base string) {
	if strings.HasSuffix(f.Name.Name, "_test") {
		base += "_test"
	}
	if f.Name.Name == "main" {
		base = "main"
	}
	for _, of := range []string{"init", "glob."} { // functions of package variables
		d.functions[base+"."+of] = true
	}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			d.functions[base+"."+receiver(fn)+fn.Name.Name] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				d.texts[s] = true
			}
		}
		return true
	})
}

// receiver is the receiver of a method as the runtime writes it, with the dot behind it.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	t, star := fn.Recv.List[0].Type, false
	if p, ok := t.(*ast.StarExpr); ok {
		t, star = p.X, true
	}
	generic := ""
	switch x := t.(type) {
	case *ast.IndexExpr:
		t, generic = x.X, "[...]"
	case *ast.IndexListExpr:
		t, generic = x.X, "[...]"
	}
	id, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return ""
	case star:
		return "(*" + id.Name + generic + ")."
	}
	return id.Name + generic + "."
}

// missing lists the parts of a type's name that are not known to be declared.
func (d *declared) missing(name string) []string {
	return slices.DeleteFunc(parts(name), func(p string) bool { return d.types[p] })
}

// addOthers looks for types in what the modules import.
func (d *declared) addOthers(types []string) error {
	if len(types) == 0 {
		return nil
	}
	ps, err := d.list("-deps", "-test", "work")
	if err != nil {
		return err
	}
	for _, p := range ps {
		is := func(t string) bool {
			return strings.HasPrefix(t, p.Name+".") || strings.HasPrefix(t, path.Base(p.ImportPath)+".")
		}
		if p.Dir != "" && !d.has(p.ImportPath) && slices.ContainsFunc(types, is) {
			if err := d.add(p, false); err != nil {
				return err
			}
		}
	}
	return nil
}
