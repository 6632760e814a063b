package chain

import (
	"fmt"
	"slices"
	"strings"
)

// Environment is what Find takes for the driver.
const Environment = "environment"

// Find gives the handlers that a user means by a name, in the order of the methods, at least one:
//
//	bank.Account:bank.Withdraw   the handler of a message
//	Account:Withdraw             the same, where packages need not be told apart
//	bank.Account                 all handlers of an actor
//	environment                  the driver
func (f *Facts) Find(name string) ([]Handler, error) {
	actor, message, one := name, "", false
	if i := strings.LastIndex(name, ":"); i >= 0 {
		actor, message, one = name[:i], name[i+1:], true
	}
	var found, others []Handler
	for _, m := range f.Methods {
		switch {
		case !f.means(m.Handler, actor):
		case one && !same(m.Message, message):
			others = append(others, m.Handler)
		default:
			found = append(found, m.Handler)
		}
	}
	switch {
	case len(found) > 0:
		return found, nil
	case len(others) > 0:
		return nil, fmt.Errorf("no handler %q: %s has those of %s", name, others[0].Actor.Name, messages(others))
	}
	return nil, fmt.Errorf("no handler %q: want ACTOR:MESSAGE or ACTOR, where ACTOR is one of %s", name, f.actors())
}

func (f *Facts) means(h Handler, actor string) bool {
	if h.Actor.Environment {
		return actor == Environment
	}
	return same(h.Actor.Name, actor)
}

// same compares type names, of which the wanted one may lack the package.
func same(name, want string) bool {
	head, arguments, generic := strings.Cut(name, "[")
	if generic {
		arguments = "[" + arguments
	}
	return name == want || want != "" && head[strings.LastIndex(head, ".")+1:]+arguments == want
}

func messages(hs []Handler) string {
	var names []string
	for _, h := range hs {
		if h.Message != "" {
			names = append(names, h.Message)
		}
	}
	if len(names) == 0 {
		return "no message"
	}
	return strings.Join(names, ", ")
}

func (f *Facts) actors() string {
	var names []string
	for _, m := range f.Methods {
		name := m.Actor.Name
		if m.Actor.Environment {
			name = Environment
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none: the graph has no handlers"
	}
	return strings.Join(names, ", ")
}
