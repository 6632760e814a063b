package toysys

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ModulePath is the path of modules that Module writes. They may import what is internal to the project.
const ModulePath = "github.com/rehearse-go/rehearse/toys"

// Package is the name of the i-th package of a module that Module writes, and of its folder.
func Package(i int) string { return fmt.Sprintf("s%d", i) }

// Module writes a module of systems into a folder, each as a package. Root is the project's folder. Those that are to
// be played count the places that are reached, and can be given messages.
func Module(dir, root string, systems []*System, played bool) error {
	marker := Marker
	if played {
		marker = CountingMarker
	}
	files := map[string]string{"go.mod": fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/rehearse-go/rehearse v0.0.0\n\t"+
		"github.com/huandu/go-clone v1.7.3 // indirect\n)\n\nreplace github.com/rehearse-go/rehearse => %s\n", ModulePath, root)}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	files["go.sum"] = string(sums)
	for i, s := range systems {
		files[Package(i)+"/system.go"] = s.Source(Package(i))
		files[Package(i)+"/marker.go"] = marker(Package(i), s.Labels)
		if played {
			files[Package(i)+"/given.go"] = s.Given(Package(i))
		}
	}
	return writeAll(dir, files)
}

// SupervisedModule does the same for systems of protoactor-go.
func SupervisedModule(dir, root string, systems []*System, played bool) error {
	files := map[string]string{}
	// The module of tests that has the framework, the adapter and the solver requires all that these do.
	like := filepath.Join(root, "symbolic", "tasks", "prototest")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(like, name))
		if err != nil {
			return err
		}
		files[name] = strings.NewReplacer("module github.com/rehearse-go/rehearse/symbolic/tasks/prototest\n",
			"module "+ModulePath+"\n", "=> ../../..", "=> "+root).Replace(string(text))
	}
	for i, s := range systems {
		files[Package(i)+"/system.go"] = s.SupervisedSource(Package(i))
		files[Package(i)+"/marker.go"] = ReadMarker(Package(i), s.Labels)
		if played {
			files[Package(i)+"/marker.go"] = s.SupervisedMarker(Package(i))
		}
	}
	return writeAll(dir, files)
}

// writeAll writes files into a folder, and makes the folders that they need.
func writeAll(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// TestModule writes a module of systems into a folder of a test, whose package is two folders below the project's, and
// gives the folder.
func TestModule(t testing.TB, systems []*System, played bool) string {
	t.Helper()
	write := Module
	if len(systems) > 0 && systems[0].Supervised {
		write = SupervisedModule
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = write(dir, root, systems, played)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
