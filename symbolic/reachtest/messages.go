package reachtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// messenger writes the messages that were found as statements of the driver.
type messenger struct {
	d       *driver
	way     *system.Way
	list    []sending
	from    []int // of each message that the driver sends: the statement
	out     *gentest.Messages
	renames []edit
	used    map[types.Object]bool // objects in what was written
	context string                // the name of the *actor.Context of a native driver, "" if it has none yet
	t       string                // that of the *rehearse.T, as well
	asks    bool                  // messages are requests
	byName  bool                  // an actor is found by its name: it has to be there
}

// write gives a statement for each message from outside.
func (m *messenger) write() (lines []string, err error) {
	for _, e := range m.way.Outside {
		line, err := m.statement(e)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// statement sends a message as the framework does, to an expression of the driver. Or it sends it as a statement of the
// driver does, with other arguments, or to an actor by its name.
func (m *messenger) statement(e system.External) (string, error) {
	to, noVariable := m.actor(e.To)
	send := m.framework()
	msg, why := m.out.Source(e.Type, e.Value, e.Flat)
	if noVariable == nil && why == nil {
		if line := m.request(e, to, msg); line != "" {
			return line, nil
		}
	}
	if noVariable == nil && send != "" && why == nil {
		return m.sending(send, to, msg), nil
	}
	if tell := m.tell(); noVariable == nil && tell != "" && why == nil {
		return "_ = " + tell + ", " + to + ", " + msg + ")", nil
	}
	if line := m.again(e); line != "" {
		return line, nil
	}
	name := m.way.Start.Actors[e.To].Name
	m.byName = true
	if why != nil {
		return "", unwritable("the message %s to %s: %v, and no call of the driver sends it", typeName(e.Type), name, why)
	}
	if !m.d.proto {
		return m.sending(send, m.named(name), msg), nil
	}
	does := "Send"
	if m.asks && !m.d.hollywood && !m.d.goakt { // there an answer to nobody is none
		does = "Ask"
	}
	return fmt.Sprintf("%s.%s(%s, %q, %s)", m.out.Names.Imported(m.d.adapter()), does, m.test(), m.d.called(name),
		msg), nil
}

// tell writes the beginning of a call that tells actors of GoAkt something, as the driver does; "" if there is none.
func (m *messenger) tell() string {
	for _, s := range m.list {
		if !m.d.goakt || !s.direct || !m.stable(s.call.Fun) || !m.stable(s.call.Args[0]) {
			continue
		}
		if fn := callee(m.d.pkg, s.call); fn.Name() == "Tell" && fn.Signature().Recv() == nil {
			return m.text(s.call.Fun) + "(" + m.text(s.call.Args[0])
		}
	}
	return ""
}

// sending writes a message to an actor, by a function that sends, or the one beside it that asks.
func (m *messenger) sending(send, to, msg string) string {
	with, more := send, ""
	if of, ok := strings.CutSuffix(send, ".Send"); ok && m.asks && !m.d.hollywood {
		with = of + ".Ask"
		if m.d.proto {
			with, more = of+".RequestFuture", ", -1"
		}
	}
	return fmt.Sprintf("%s(%s, %s%s)", with, to, msg, more)
}

// named finds an actor by its name.
func (m *messenger) named(name string) string {
	m.byName = true
	name = m.d.called(name)
	if m.d.proto {
		return fmt.Sprintf("%s.Actor(%s, %q)", m.out.Names.Imported(m.d.adapter()), m.test(), name)
	}
	return fmt.Sprintf("%s.Actor(%q)", strings.TrimSuffix(m.framework(), ".Send"), name)
}

// test gives the name of the driver's parameter of type *rehearse.T.
func (m *messenger) test() string {
	if m.t == "" {
		m.t = "t"
	}
	return m.t
}

func typeName(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

// framework writes what sends, without its arguments; "" if there is nothing.
func (m *messenger) framework() string {
	if !m.d.proto {
		if m.context == "" {
			m.context = "ctx"
		}
		return m.context + ".Send"
	}
	for _, s := range m.list {
		if s.direct && m.stable(s.call.Fun) && callee(m.d.pkg, s.call).Name() == "Send" {
			return m.text(s.call.Fun)
		}
	}
	for _, s := range m.list { // a request, of what has a method Send, too
		if sel, ok := s.call.Fun.(*ast.SelectorExpr); ok && m.d.test != "" && s.direct && m.stable(sel.X) &&
			callee(m.d.pkg, s.call).Name() == "RequestFuture" {
			return m.text(sel.X) + ".Send"
		}
	}
	return ""
}

// actor writes an expression for an actor of the start.
func (m *messenger) actor(i int) (string, error) {
	name := m.way.Start.Actors[i].Name
	for k, sent := range m.way.Start.Sent {
		others := func(x system.Message) bool { return x.Pos == sent.Pos && x.To != i } // a variable that has held others
		if sent.To != i || m.from[k] < 0 || slices.ContainsFunc(m.way.Start.Sent, others) {
			continue
		}
		if s := m.list[m.from[k]]; s.direct && m.stable(s.call.Args[m.d.receiver(s.call)]) {
			return m.text(s.call.Args[m.d.receiver(s.call)]), nil
		}
	}
	if id := m.spawned(name); id != nil {
		return m.text(id), nil
	}
	return "", fmt.Errorf("no variable of the driver is %s", name)
}

// spawned gives the variable that holds an actor of a name, from the statement that creates it, which may be in a
// function for SetUp.
func (m *messenger) spawned(name string) (found *ast.Ident) {
	count := map[string]int{}
	holders := map[*ast.CallExpr]*ast.Ident{}
	ast.Inspect(m.d.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false // a variable holds one of many
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				c, ok := r.(*ast.CallExpr)
				if id, is := n.Lhs[i].(*ast.Ident); ok && is {
					holders[c] = id
				}
			}
		case *ast.CallExpr:
			if primitive(callee(m.d.pkg, n)) != spawns {
				return true
			}
			base := m.spawnName(n)
			count[base]++
			if id := holders[n]; id != nil && base != "" && (base == name || fmt.Sprintf("%s#%d", base, count[base]) == name) &&
				m.stable(id) {
				found = id
			}
		}
		return true
	})
	return found
}

// spawnName gives the name that an actor gets from the call that creates it, without its number; "" if it is not
// written there.
func (m *messenger) spawnName(c *ast.CallExpr) string {
	fn := callee(m.d.pkg, c)
	for _, arg := range c.Args {
		if v := m.d.pkg.TypesInfo.Types[arg].Value; v != nil && v.Kind() == constant.String &&
			(m.d.goakt || strings.HasPrefix(fn.Name(), "SpawnNamed")) {
			return constant.StringVal(v)
		}
	}
	switch {
	case m.d.hollywood:
		return m.kindOf(c)
	case m.d.goakt:
		return ""
	}
	if fn.Name() != "Spawn" || m.d.proto || len(c.Args) != 1 {
		return ""
	}
	t := m.d.pkg.TypesInfo.TypeOf(c.Args[0])
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// kindOf gives the name of an actor of Hollywood: its kind, and its identifier, if it gets one.
func (m *messenger) kindOf(c *ast.CallExpr) string {
	text := func(e ast.Expr) string {
		if v := m.d.pkg.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
			return constant.StringVal(v)
		}
		return ""
	}
	if len(c.Args) < 2 || text(c.Args[1]) == "" {
		return ""
	}
	name := text(c.Args[1])
	for _, option := range c.Args[2:] {
		of, ok := option.(*ast.CallExpr)
		if !ok || callee(m.d.pkg, of) == nil {
			return ""
		}
		if callee(m.d.pkg, of).Name() != "WithID" {
			continue
		}
		if text(of.Args[0]) == "" {
			return ""
		}
		name += "/" + text(of.Args[0])
	}
	return name
}

// stable reports whether an expression means the same where the messages are sent. What it names is declared at the top
// of the driver, or outside of it, and it calls nothing that sends or creates.
func (m *messenger) stable(e ast.Expr) bool {
	info, ok := m.d.pkg.TypesInfo, true
	top := info.Scopes[m.d.typ]
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.Ident:
			v, is := info.Uses[n].(*types.Var)
			if d := info.Defs[n]; d != nil {
				v, is = d.(*types.Var)
			}
			if is && !v.IsField() && inside(m.d.body, v.Pos()) && v.Parent() != top {
				ok = false
			}
		}
		return ok
	})
	what, _ := newCalls(m.d.program).of(m.d.pkg, e)
	return ok && what == 0
}

func inside(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// text writes an expression of the driver, and notes what it names.
func (m *messenger) text(n ast.Node, more ...edit) string {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok &&
			!slices.ContainsFunc(more, func(e edit) bool { return e.from <= id.Pos() && id.Pos() < e.to }) {
			if o := m.d.pkg.TypesInfo.ObjectOf(id); o != nil {
				m.used[o] = true
			}
		}
		return true
	})
	s, err := m.d.text(n, append(more, m.renames...))
	if err != nil { // the same file has been read before
		return ""
	}
	return s
}

// again writes a call of the driver that sends such a message, with other arguments; "" if none can.
func (m *messenger) again(e system.External) string {
	for k, sent := range m.way.Start.Sent {
		if m.from[k] < 0 || sent.Type == nil || !types.Identical(sent.Type, e.Type) || sent.To < 0 {
			continue
		}
		s := m.list[m.from[k]]
		if s.direct || s.call == nil || s.nils != nil || !slices.Contains(m.d.body.List, s.stmt) {
			continue
		}
		if edits, ok := m.arguments(s.call, sent, e); ok {
			return m.text(s.stmt, edits...)
		}
	}
	return ""
}

// arguments changes those arguments of a call that are the receiver's name or parts of the message. An argument is one
// if it is a constant, and equal to what the call sends, or the only one of its type. That it is one indeed shows when
// the test is executed.
func (m *messenger) arguments(call *ast.CallExpr, sent system.Message, e system.External) (edits []edit, ok bool) {
	changes, ok := m.out.Changes(e.Type, sent.Flat, e.Value, e.Flat)
	if !ok {
		return nil, false
	}
	if sent.To != e.To {
		was, now := m.way.Start.Actors[sent.To].Name, m.way.Start.Actors[e.To].Name
		changes = append(changes, gentest.PartChange{Type: types.Typ[types.String], Was: strconv.Quote(was),
			Now: strconv.Quote(now)})
	}
	for _, c := range changes {
		if edits, ok = m.argument(call, c, edits); !ok {
			return nil, false
		}
	}
	return edits, true
}

// argument changes one argument; of a slice, array or map those that its elements are made of, else the one that it is.
func (m *messenger) argument(call *ast.CallExpr, c gentest.PartChange, edits []edit) ([]edit, bool) {
	all, ok := slices.Clip(edits), len(c.Parts) > 0
	for _, part := range c.Parts {
		if ok {
			all, ok = m.argument(call, part, all)
		}
	}
	if ok {
		return all, true
	}
	free := func(arg ast.Expr) bool {
		return !slices.ContainsFunc(edits, func(x edit) bool { return x.from == arg.Pos() })
	}
	i := slices.IndexFunc(call.Args, func(arg ast.Expr) bool {
		return c.Was != "" && free(arg) && constantText(m.d.pkg.TypesInfo.Types[arg].Value) == c.Was
	})
	if i < 0 {
		i = m.onlyOf(call, c.Type, free)
	}
	if i < 0 {
		return nil, false
	}
	return append(edits, edit{call.Args[i].Pos(), call.Args[i].End(), c.Now}), true
}

// onlyOf gives the argument of a type that is no constant; -1 if there is none, or more than one.
func (m *messenger) onlyOf(call *ast.CallExpr, t types.Type, free func(ast.Expr) bool) int {
	at := -1
	for i, arg := range call.Args {
		if of := m.d.pkg.TypesInfo.Types[arg]; of.Value != nil || !types.Identical(of.Type, t) || !free(arg) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// constantText writes a constant as Changes does; "" for nil, and for floating-point numbers, which may be written in
// many ways.
func constantText(v constant.Value) string {
	if v == nil {
		return ""
	}
	switch v.Kind() {
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	case constant.Int, constant.Bool:
		return v.ExactString()
	}
	return ""
}
