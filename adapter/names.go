package adapter

import (
	"path"
	"runtime"
	"strings"
)

// This file names what people know by the functions of the program.

// FunctionName names the function that a function literal stands in: "pkg.NewWorker" for "path/pkg.NewWorker.func1".
// Where the compiler inlined NewWorker into Main, the literal is "path/main.Main.NewWorker.func1", and it must keep its
// name: a schedule is replayed by names, and in a debugger nothing is inlined. So the package is that of the file, and
// a value receiver is left out.
func FunctionName(f *runtime.Func) string {
	file, _ := f.FileLine(f.Entry())
	function := strings.ReplaceAll(f.Name()[strings.LastIndexByte(f.Name(), '/')+1:], "[...]", "")
	pkg, function, _ := strings.Cut(function, ".")
	if !strings.HasSuffix(file, "_test.go") {
		pkg = path.Base(path.Dir(file))
	}
	parts := strings.Split(function, ".")
	for len(parts) > 1 && isLiteral(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	name := parts[len(parts)-1]
	if len(parts) > 1 && strings.HasPrefix(parts[len(parts)-2], "(") {
		name = parts[len(parts)-2] + "." + name
	}
	return pkg + "." + strings.TrimSuffix(name, "-fm")
}

// OwnerOf names the package of a function of a framework whose import paths begin with prefix, which ends in a slash:
// "hollywood/actor" for "github.com/anthdm/hollywood/actor.NewEngine". It is "" for functions of others. That is what
// Framework.Owner wants.
func OwnerOf(function, prefix string) string {
	rest, is := strings.CutPrefix(function, prefix)
	if !is {
		return ""
	}
	dir := rest[:strings.LastIndexByte(rest, '/')+1]
	pkg, _, _ := strings.Cut(rest[len(dir):], ".")
	return path.Base(prefix) + "/" + dir + pkg
}

// isLiteral reports whether the compiler made up this part of a function's name.
func isLiteral(part string) bool {
	return strings.Trim(strings.TrimPrefix(part, "func"), "0123456789") == ""
}
