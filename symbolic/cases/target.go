package cases

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// Kind is the kind of a target.
type Kind uint8

// The kinds.
const (
	NativeHandler Kind = iota // of a native actor
	ProtoHandler              // of an actor of protoactor-go
	Function
	StartHook        // of a native actor
	HollywoodHandler // of an actor of Hollywood
	GoAktHandler     // of an actor of GoAkt
)

func (k Kind) String() string {
	return [...]string{"native handler", "protoactor-go handler", "function", "start hook", "Hollywood handler",
		"GoAkt handler"}[k]
}

// handlers are the kinds of those of frameworks.
var handlers = map[string]Kind{model.Native: NativeHandler, model.Protoactor: ProtoHandler,
	model.Hollywood: HollywoodHandler, model.GoAkt: GoAktHandler}

// Framework is that of the actor, "" for a function.
func (k Kind) Framework() string {
	for framework, kind := range handlers {
		if kind == k {
			return framework
		}
	}
	if k == StartHook {
		return model.Native
	}
	return ""
}

// Target is what is tested: what an actor does with one type of message or in its start hook, or a function.
type Target struct {
	Kind    Kind
	Name    string          // Server.Withdraw, or the function's; with the package where two would have one name
	Actor   string          // the first part of the name of a handler or start hook, without the package
	Handler summary.Handler // unless it is a function or a start hook
	Fn      *ssa.Function   // that is executed
	Pos     token.Pos
}

// others is what stands for the message in the name of a handler of all messages without a case of their own.
const others = "other"

// handlerName names a handler as people do, by actor and message, without the package that the actor is in.
func handlerName(h summary.Handler) (actor, msg string) {
	prefix := packageOf(h.Fn).Pkg.Name() + "."
	if actor = strings.TrimPrefix(h.Actor, prefix); h.Fn.Object() != nil && h.Fn.Name() != "Receive" {
		actor = functionName(h.Fn)
	} else if h.Fn.Parent() != nil {
		actor = insideName(h.Fn)
	}
	if h.Message == nil {
		return actor, others
	}
	return actor, strings.TrimPrefix(strings.TrimPrefix(h.Name(), "*"), prefix)
}

// insideName names a function inside of another one as Go's runtime does: Server.handler.func1.
func insideName(fn *ssa.Function) string {
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	return functionName(top) + strings.ReplaceAll(strings.TrimPrefix(fn.Name(), top.Name()), "$", ".func")
}

// functionName names a function by its receiver's type and its name.
func functionName(fn *ssa.Function) string {
	name := fn.RelString(fn.Pkg.Pkg)
	if recv := fn.Signature.Recv(); recv != nil {
		name = strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
	}
	return name
}

// packageOf gives the package of a function, also of one inside of another one; nil if it has none.
func packageOf(fn *ssa.Function) *ssa.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Pkg == nil && fn.Object() != nil {
		return fn.Prog.Package(fn.Object().Pkg())
	}
	return fn.Pkg
}

// findTargets lists the handlers of the packages that were asked for, then their functions, by name.
func (p *Program) findTargets(handled []summary.Handler) {
	in := map[string]*ssa.Package{} // where an actor of a name is; nil: in several packages
	for _, h := range handled {
		actor, _ := handlerName(h)
		if pkg, known := in[actor]; known && pkg != packageOf(h.Fn) {
			in[actor] = nil
		} else if !known {
			in[actor] = packageOf(h.Fn)
		}
	}
	for _, h := range handled {
		actor, msg := handlerName(h)
		plain := actor
		if in[actor] == nil {
			actor = packageOf(h.Fn).Pkg.Name() + "." + actor
		}
		t := &Target{Kind: handlers[model.Handles(h.Fn.Signature)], Name: actor + "." + msg, Actor: plain, Handler: h, Fn: h.Fn, Pos: h.Pos}
		p.targets = append(p.targets, t)
	}
	for _, t := range p.hooks(handled) {
		if in[t.Actor] == nil {
			t.Name = packageOf(t.Fn).Pkg.Name() + "." + t.Name
		}
		p.targets = append(p.targets, t)
	}
	p.rename(func(t *Target) string {
		if t.Kind == StartHook {
			return t.Name + " (" + t.Kind.String() + ")"
		}
		return t.Name + " (" + t.Handler.Name() + ")"
	})
	slices.SortStableFunc(p.targets, byName)
	handlers := len(p.targets)
	for _, fn := range p.functions() {
		if p.isTarget(fn) && !slices.ContainsFunc(p.targets[:handlers], func(t *Target) bool { return t.Fn == fn }) {
			p.targets = append(p.targets, &Target{Kind: Function, Name: functionName(fn), Fn: fn, Pos: fn.Pos()})
		}
	}
	p.rename(func(t *Target) string {
		if t.Kind != Function {
			return t.Name
		}
		return packageOf(t.Fn).Pkg.Name() + "." + t.Fn.RelString(packageOf(t.Fn).Pkg)
	})
	slices.SortStableFunc(p.targets[handlers:], byName)
}

func byName(a, b *Target) int { return strings.Compare(a.Name, b.Name) }

// rename gives longer names to targets that have one and the same.
func (p *Program) rename(longer func(*Target) string) {
	count := map[string]int{}
	for _, t := range p.targets {
		count[t.Name]++
	}
	for _, t := range p.targets {
		if count[t.Name] > 1 {
			t.Name = longer(t)
		}
	}
}

// functions lists all functions, and of those without a body the ones that are no methods.
func (p *Program) functions() []*ssa.Function {
	list := p.load.Functions()
	for _, pkg := range p.load.Packages {
		if !pkg.Root {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			if fn, ok := pkg.SSA.Members[name].(*ssa.Function); ok && len(fn.Blocks) == 0 {
				list = append(list, fn)
			}
		}
	}
	return list
}

// isTarget reports whether a function is one of the source of the packages that were asked for, and can be called as it
// is.
func (p *Program) isTarget(fn *ssa.Function) bool {
	switch {
	case fn.Pkg == nil || !p.roots[fn.Pkg] || fn.Parent() != nil || fn.Synthetic != "" || fn.TypeParams().Len() > 0:
		return false
	case p.double(fn):
		return false
	case fn.Name() == "_" || fn.Name() == "init" || fn.Name() == "main" || p.inTest(fn.Pos()):
		return false
	}
	return model.Handles(fn.Signature) == ""
}

// inTest reports whether a place is in a file of tests.
func (p *Program) inTest(pos token.Pos) bool {
	return strings.HasSuffix(p.load.Fset.Position(pos).Filename, "_test.go")
}

// Targets lists what can be tested: handlers, then functions, by name.
func (p *Program) Targets() []*Target { return p.targets }

// Select gives the targets of a pattern. They are handlers whose names match the regular expression anywhere, as with
// go test -run. And they are functions whose whole names do, since helpers of handlers are executed with these. An
// empty pattern selects all handlers that are in no test. It is an error if there is none.
func (p *Program) Select(pattern string) ([]*Target, error) {
	part, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern %q is no regular expression: %w", pattern, err)
	}
	whole := regexp.MustCompile("^(?:" + pattern + ")$")
	var found []*Target
	for _, t := range p.targets {
		if pattern == "" && p.inTest(t.Pos) {
			continue
		}
		if t.Kind != Function && part.MatchString(t.Name) ||
			t.Kind == Function && whole.MatchString(t.Name) && pattern != "" {
			found = append(found, t)
		}
	}
	if len(found) == 0 && pattern == "" {
		return nil, fmt.Errorf("there is no handler and no start hook outside of tests: -run selects others, of %s",
			p.listed(pattern))
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no handler or function has a name that %q matches: there is %s", pattern, p.listed(pattern))
	}
	for _, t := range found {
		if len(t.Fn.Blocks) == 0 {
			return nil, fmt.Errorf("%s (%s) has no body in Go, so it cannot be executed: test what calls it", t.Name,
				p.load.Position(t.Pos))
		}
	}
	return found, nil
}

// namesListed bounds how many targets a message names.
const namesListed = 12

// listed names targets: those first that are most like a pattern, and of the others how many there are.
func (p *Program) listed(pattern string) string {
	var like, names []string
	for _, t := range p.targets {
		if slices.Contains(like, t.Name) || slices.Contains(names, t.Name) {
			continue
		}
		if similar(t.Name, pattern) {
			like = append(like, t.Name)
		} else {
			names = append(names, t.Name)
		}
	}
	names = append(like, names...)
	switch n := len(names); {
	case n == 0:
		return "nothing to test"
	case n > namesListed:
		return strings.Join(names[:namesListed], ", ") + fmt.Sprintf(" and %d others", n-namesListed)
	}
	return strings.Join(names, ", ")
}

var nameParts = regexp.MustCompile(`\w{3,}`)

// similar reports whether a name has a part of a pattern, in any case of letters.
func similar(name, pattern string) bool {
	return slices.ContainsFunc(nameParts.FindAllString(pattern, -1), func(part string) bool {
		return strings.Contains(strings.ToLower(name), strings.ToLower(part))
	})
}
