package load

import "go/types"

// Linked gives the paths of packages, and of all that these import, and so on. Of a package and its variant with tests
// each has imports of its own.
func Linked(packages ...*types.Package) (paths map[string]bool) {
	paths = map[string]bool{}
	seen := map[*types.Package]bool{}
	var link func(pkg *types.Package)
	link = func(pkg *types.Package) {
		if !seen[pkg] {
			seen[pkg], paths[pkg.Path()] = true, true
			for _, dep := range pkg.Imports() {
				link(dep)
			}
		}
	}
	for _, pkg := range packages {
		link(pkg)
	}
	return paths
}
