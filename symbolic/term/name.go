package term

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A name that is a path of Go, "s.m[msg.Key]", is printed as it is. One with a property, "s.nodes!len", is printed as a
// call: len(s.nodes). Any other is printed as sym("...").

// reserved are names that mean something else in an expression.
var reserved = []string{"true", "false", "nil", "len", "ite", "same", "sym", "call", "math", "int", "int8", "int16",
	"int32", "int64", "uint", "uint8", "uint16",
	"uint32", "uint64", "uintptr", "byte", "rune", "float32", "float64", "bool", "string", "_"}

// goName writes the name of a variable so that parsing gives it back.
func goName(name string) string {
	if isPath(name) {
		return name
	}
	if i := strings.LastIndexByte(name, '!'); i > 0 {
		if path, property := name[:i], name[i+1:]; isPath(path) && isProperty(property) {
			return property + "(" + path + ")"
		}
	}
	return "sym(" + strconv.Quote(name) + ")"
}

// isProperty reports whether a name may be called with a path: a property, not a conversion.
func isProperty(name string) bool {
	return name == "len" || isIdent(name)
}

func isIdent(name string) bool {
	x, err := parser.ParseExpr(name)
	id, ok := x.(*ast.Ident)
	return err == nil && ok && id.Name == name && !slices.Contains(reserved, name)
}

// isPath reports whether a name is a path, written as Go's formatter does.
func isPath(name string) bool {
	x, err := parser.ParseExpr(name)
	if err != nil {
		return false
	}
	path, ok := pathOf(x)
	return ok && path == name
}

// pathOf gives the name that a path of Go stands for: identifiers, fields, elements, type assertions.
func pathOf(x ast.Expr) (string, bool) {
	var base ast.Expr
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name, !slices.Contains(reserved, x.Name)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && id.Name == "math" {
			return "", false
		}
		base = x.X
	case *ast.IndexExpr:
		base = x.X
	case *ast.TypeAssertExpr:
		base = x.X
	default:
		return "", false
	}
	if _, ok := pathOf(base); !ok {
		return "", false
	}
	return types.ExprString(x), true
}

// isFunction reports whether a function's name can be printed as it is: package.Function, or a path of that kind.
func isFunction(name string) bool {
	x, err := parser.ParseExpr(name)
	if err != nil {
		return false
	}
	for {
		switch f := x.(type) {
		case *ast.SelectorExpr:
			x = f.X
		case *ast.Ident:
			return !slices.Contains(reserved, f.Name) && !strings.ContainsAny(name, " \t\n/*")
		default:
			return false
		}
	}
}
