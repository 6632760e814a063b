package load

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// This file asks the go command itself: once, where packages.Load asks for the version of Go and the architecture
// first, which takes as long. Anything out of the ordinary is left to packages.Load, which knows how to tell it.

// longest bounds the names of packages on one command line: some systems have little room.
const longest = 16 << 10

// ordinary reports whether the go command may be asked directly about packages.
func (c Config) ordinary(patterns []string) bool {
	text := strings.Join(patterns, " ")
	return len(c.Overlay) == 0 && len(text) <= longest && !strings.Contains(text, "=") && !c.otherDriver()
}

// exported gives the sizes of types, and the files with the export data of packages.
func (c Config) exported(paths []string) (types.Sizes, map[string]string, bool) {
	if !c.ordinary(paths) {
		return nil, nil, false
	}
	const format = "{{context.Compiler}}\t{{context.GOARCH}}\t{{.ImportPath}}\t{{.Export}}"
	args := []string{"list", "-export", "-buildvcs=false", "-pgo=off", "-f", format}
	args = slices.Concat(args, c.buildFlags(), []string{"--", "unsafe"}, paths)
	out, err := c.goCommand(args)
	if err != nil {
		return nil, nil, false
	}
	var sizes types.Sizes
	files := map[string]string{}
	for line := range strings.Lines(out.String()) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			return nil, nil, false
		}
		sizes, files[fields[2]] = types.SizesFor(fields[0], fields[1]), fields[3]
	}
	missing := slices.ContainsFunc(paths, func(path string) bool { return !filepath.IsAbs(files[path]) })
	return sizes, files, sizes != nil && !missing
}

// goCommand gives what the go command prints.
func (c Config) goCommand(args []string) (*bytes.Buffer, error) {
	var out bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout = c.Dir, c.Env, &out
	return &out, cmd.Run()
}

// listing is what go list tells of a package.
type listing struct {
	Name, ImportPath, Dir, ForTest                                                       string
	GoFiles, CgoFiles, IgnoredGoFiles, IgnoredOtherFiles                                 []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles []string
	Imports                                                                              []string
	ImportMap                                                                            map[string]string
	Module                                                                               *packages.Module
	DepOnly, Incomplete                                                                  bool
}

// listed gives the metadata of the packages of patterns, as packages.Load does.
func (c Config) listed(patterns []string) (roots []*packages.Package, ok bool) {
	if !c.ordinary(patterns) {
		return nil, false
	}
	args := []string{"list", "-json=" + fields(), "-deps", "-buildvcs=false", "-pgo=off"}
	args = append(args, fmt.Sprintf("-test=%t", !c.NoTests))
	out, err := c.goCommand(slices.Concat(args, c.buildFlags(), []string{"--"}, patterns))
	if err != nil {
		return nil, false
	}
	all := map[string]*packages.Package{}
	imports := map[*packages.Package]map[string]string{} // import paths to IDs
	for in := json.NewDecoder(out); in.More(); {
		var l listing
		if err := in.Decode(&l); err != nil || l.Incomplete || all[l.ImportPath] != nil {
			return nil, false
		}
		p := l.metadata()
		all[p.ID], imports[p] = p, l.imports()
		if !l.DepOnly {
			roots = append(roots, p)
		}
	}
	for p, ids := range imports {
		for path, id := range ids {
			if p.Imports[path] = all[id]; all[id] == nil {
				return nil, false
			}
		}
	}
	return roots, true
}

// fields names the fields of a listing for the go command, which computes no others.
func fields() string {
	var names []string
	for f := range reflect.TypeFor[listing]().Fields() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ",")
}

// metadata is what is known of a package without what it imports.
func (l *listing) metadata() *packages.Package {
	files := func(lists ...[]string) (paths []string) {
		for _, name := range slices.Concat(lists...) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(l.Dir, name)
			}
			paths = append(paths, name)
		}
		return paths
	}
	path, _, _ := strings.Cut(l.ImportPath, " ") // what is behind it tells for which test it is
	return &packages.Package{
		ID: l.ImportPath, Name: l.Name, PkgPath: path, Dir: l.Dir, ForTest: l.ForTest, Module: l.Module,
		GoFiles: files(l.GoFiles, l.CgoFiles),
		OtherFiles: files(l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SwigFiles, l.SwigCXXFiles,
			l.SysoFiles),
		IgnoredFiles: files(l.IgnoredGoFiles, l.IgnoredOtherFiles),
		Imports:      map[string]*packages.Package{},
	}
}

// imports gives the IDs of imports by the paths that the source has for them.
func (l *listing) imports() map[string]string {
	ids := map[string]string{}
	mapped := map[string]bool{"C": true}
	for path, id := range l.ImportMap {
		ids[path], mapped[id] = id, true
	}
	for _, id := range l.Imports {
		if !mapped[id] {
			ids[id] = id
		}
	}
	return ids
}

// buildFlags gives the build flags of the go command.
func (c Config) buildFlags() []string {
	if len(c.Tags) == 0 {
		return c.Flags
	}
	return append(slices.Clone(c.Flags), "-tags="+strings.Join(c.Tags, ","))
}

// otherDriver reports whether packages.Load asks something else than the go command.
func (c Config) otherDriver() bool {
	name := os.Getenv("GOPACKAGESDRIVER")
	for _, v := range c.Env { // the last one counts
		if value, ok := strings.CutPrefix(v, "GOPACKAGESDRIVER="); ok {
			name = value
		}
	}
	_, err := exec.LookPath(cmp.Or(name, "gopackagesdriver"))
	return name != "off" && (name != "" || err == nil)
}
