package term

import (
	"regexp"
	"strings"
)

// This file writes terms for people, who read names of types where a term has numbers, nil where it has 0, and
// functions without the folders of their packages.

// name writes the name of a variable.
func (p Printer) name(name string) string {
	if p.People == nil {
		return goName(name)
	}
	if strings.ContainsRune(name, '(') {
		name = spelled(name)
	}
	i := strings.LastIndexByte(name, '!')
	if i <= 0 || strings.HasSuffix(name, ")") {
		return name
	}
	switch path, property := name[:i], name[i+1:]; {
	case property == "ref":
		return path
	case property == "type":
		return path + ".(type)"
	case property == "isNil":
		return path + " == nil"
	case isProperty(property):
		return property + "(" + path + ")"
	}
	return name
}

// spelled writes a name that has terms in it, as a result has of a function of which only that is known that it depends
// on its arguments.
func spelled(name string) string {
	name = quotedName.ReplaceAllString(name, "$1")
	for old := ""; old != name; {
		old, name = name, identityOf.ReplaceAllString(name, "$1")
	}
	fn, args, ok := strings.Cut(name, "(")
	rest := ""
	if i := strings.LastIndexByte(args, ')'); ok && i >= 0 {
		args, rest = args[:i], args[i+1:]
	}
	var list []string
	for a := range strings.SplitSeq(args, ", ") {
		if !typeNumber.MatchString(a) && (len(list) == 0 || list[len(list)-1] != a) {
			list = append(list, a)
		}
	}
	return shortName(fn) + "(" + strings.Join(list, ", ") + ")" + rest
}

var (
	quotedName = regexp.MustCompile(`sym\(\\*"([^"\\]*?)(?:!type|!ref|!isNil)?\\*"\)`)
	identityOf = regexp.MustCompile(`\b(?:ref|type)\(([^()]*)\)`)
	typeNumber = regexp.MustCompile(`^u?int16\(-?\d+\)$`)
)

// negated writes what is not so, where that is not an exclamation mark.
func (p Printer) negated(t *Term, need int) (string, bool) {
	if p.People == nil || t.Op != OpVar {
		return "", false
	}
	path, ok := strings.CutSuffix(t.Name, "!isNil")
	return wrap(path+" != nil", precCompare, need), ok
}

// isIdentity reports whether a variable is a reference, or tells of memory or of a type.
func isIdentity(t *Term) bool {
	return t.Op == OpVar && (strings.HasSuffix(t.Name, "!ref") || strings.HasSuffix(t.Name, "!type"))
}

// identities compares references, pointers, or types.
func (p Printer) identities(a, b *Term, op string, need int) string {
	if a.Const() {
		a, b = b, a
	}
	path, isType := strings.CutSuffix(a.Name, "!type")
	if isType = isType && a.Op == OpVar; b.is(0) {
		return wrap(strings.TrimSuffix(p.argument(a, false), ".(type)")+op+"nil", precCompare, need)
	}
	if isType && b.Const() {
		name := p.People(b.Val)
		if name == "" {
			name = "another type"
		}
		not := map[string]string{" != ": "!"}[op]
		return wrap(not+path+".("+name+")", precUnary, need)
	}
	if name := p.identity(b); name != "" && strings.HasSuffix(a.Name, "!ref") {
		return wrap(p.argument(a, false)+op+name, precCompare, need)
	}
	return wrap(p.argument(a, false)+op+p.argument(b, false), precCompare, need)
}

// identity names what a constant reference leads to, "" if it has no name.
func (p Printer) identity(t *Term) string {
	if p.Identity == nil || !t.Const() {
		return ""
	}
	return p.Identity(t.Val)
}

// called writes a call. Of its arguments the numbers of types and of memory are left out, which tell it from other
// calls.
func (p Printer) called(t *Term) string {
	if field, ok := strings.CutPrefix(t.Name, "reference."); ok && len(t.Args) == 1 {
		return p.argument(t.Args[0], false) + "." + field
	}
	if t.Name == "error.text" && t.Args[0].Const() {
		return t.Args[0].Value().Text + ".Error()"
	}
	var list []string
	for i, a := range t.Args {
		switch {
		case a.Const() && a.Sort == Word16, i < 2 && a.Const() && a.Sort == Word64 && strings.HasPrefix(t.Name, "fmt."):
			continue
		}
		text := strings.TrimSuffix(p.argument(a, a.Op != OpConst && p.natural(a)), ".(type)")
		if len(list) == 0 || list[len(list)-1] != text {
			list = append(list, text)
		}
	}
	name, result := shortName(t.Name), ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		// of several results
		name, result = name[:i], name[i:]
	}
	return name + "(" + strings.Join(list, ", ") + ")" + result
}

// shortName drops the folders of packages: (*net/url.URL).String is url.URL.String, and net/url.Parse url.Parse.
func shortName(name string) string {
	if method, ok := strings.CutPrefix(name, "("); ok {
		name = strings.Replace(strings.TrimPrefix(method, "*"), ")", "", 1)
	}
	return name[strings.LastIndexByte(name, '/')+1:]
}
