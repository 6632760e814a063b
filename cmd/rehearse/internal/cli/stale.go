package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/profile"
)

// stale is what a profile names and the module does not declare any more: what tests saw of it says nothing about the
// program as it is.
type stale struct {
	actors   map[string]bool
	messages map[string]bool
	unknown  []string // actor types that may be names given at spawn, which are declared nowhere
	why      string   // nothing was looked for; "" otherwise
}

// qualified is a type of a package within a type's name, which may have the path of the package in front.
var qualified = regexp.MustCompile(`([\pL_][\pL_\d]*)\.([\pL_][\pL_\d]*)`)

// quotedTag is what may stand in the name of a struct and is no type.
var quotedTag = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// parts lists the types of packages that a type's name is made of: of "map[string]bank.Box[example.com/bank.T]"
// bank.Box and bank.T.
func parts(name string) []string {
	var ps []string
	for _, word := range strings.FieldsFunc(quotedTag.ReplaceAllString(name, ""), func(r rune) bool {
		return strings.ContainsRune(" []{}(),;*/", r)
	}) {
		// A word of a path, such as example.com, is no type: a slash follows it.
		if qualified.FindString(word) == word && !strings.Contains(name, word+"/") {
			ps = append(ps, word)
		}
	}
	return ps
}

// stale looks for the types of the profile. If the folder was not given and holds no module, nothing is stale and why
// says so.
func (c *coverRun) stale(p *profile.Profile) (stale, error) {
	d, err := declarations(c.module)
	if err != nil {
		if c.module != "" {
			return stale{}, err
		}
		return stale{why: strings.TrimSpace(err.Error())}, nil
	}
	actors, messages := map[string]bool{}, map[string]bool{}
	ours := false
	for t := range p.Tests {
		if d.has(t.Package) {
			as, ms := p.Types(t)
			maps.Copy(actors, as)
			maps.Copy(messages, ms)
			ours = true
		}
	}
	if !ours {
		return stale{why: "no test of the profile is in " + strings.Join(d.modules, ", ")}, nil
	}
	s, err := d.judge(actors, messages)
	return s, err
}

// judge divides the names.
func (d *declared) judge(actors, messages map[string]bool) (stale, error) {
	s := stale{actors: map[string]bool{}, messages: map[string]bool{}}
	var missing []string // packages that may be others' than the module's
	for name := range messages {
		missing = append(missing, d.missing(name)...)
	}
	for name := range actors {
		if !d.functions[name] && !d.texts[name] {
			missing = append(missing, d.missing(name)...)
		}
	}
	if err := d.addOthers(missing); err != nil {
		return s, err
	}
	for name := range messages {
		if len(d.missing(name)) > 0 {
			s.messages[name] = true
		}
	}
	for name := range actors {
		switch {
		case d.functions[name] || d.texts[name]:
		case len(parts(name)) == 0 && !isFunction.MatchString(name):
			s.unknown = append(s.unknown, name)
		case len(d.missing(name)) > 0 || isFunction.MatchString(name):
			s.actors[name] = true
		}
	}
	slices.Sort(s.unknown)
	return s, nil
}

// isFunction matches the type of an actor that is made of a function within a method: "bank.(*Server).Start".
var isFunction = regexp.MustCompile(`^[^ ]+\.\(\*[^ ]+\)\.[^ .]+$`)

// text says what is stale.
func (s *stale) text() string {
	if s.why != "" {
		return "stale types were not looked for: " + s.why + "; -module names the folder of the module\n"
	}
	var b strings.Builder
	if len(s.actors)+len(s.messages) > 0 {
		b.WriteString("stale  not declared any more, not counted\n")
		for _, name := range slices.Sorted(maps.Keys(s.actors)) {
			b.WriteString("  actor       " + name + "\n")
		}
		for _, name := range slices.Sorted(maps.Keys(s.messages)) {
			b.WriteString("  message     " + name + "\n")
		}
	}
	if len(s.unknown) > 0 {
		fmt.Fprintf(&b, "names given at spawn that the module does not hold as a text, which may be stale: %s\n",
			strings.Join(s.unknown, ", "))
	}
	return b.String()
}

// staleJSON is the same for machines.
type staleJSON struct {
	Checked  bool     `json:"checked"`
	Why      string   `json:"why,omitempty"` // not checked
	Actors   []string `json:"actors"`
	Messages []string `json:"messages"`
	Unknown  []string `json:"unknown,omitempty"`
}

func (s *stale) json() staleJSON {
	list := func(m map[string]bool) []string { return append([]string{}, slices.Sorted(maps.Keys(m))...) }
	return staleJSON{Checked: s.why == "", Why: s.why, Actors: list(s.actors),
		Messages: list(s.messages), Unknown: s.unknown}
}
