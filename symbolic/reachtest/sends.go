package reachtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// sending is a statement of the driver that sends messages from outside, and does nothing else.
type sending struct {
	stmt   ast.Stmt
	call   *ast.CallExpr // that sends; nil: several do
	direct bool          // the call is the framework's own
	leads  []ast.Node    // functions that it leads to
	nils   ast.Expr      // not the statement but this expression goes, and nil comes in its place
	keep   *ast.CallExpr // creates the actor that the message goes to: it stays, as a statement of its own
}

// sends finds the statements that send. Of those that stay, since they do more than that, it says why.
func (d *driver) sends() (list []sending, stay []string) {
	f := &finder{d: d, calls: newCalls(d.program)}
	f.block(d.body.List)
	return f.list, f.stay
}

// finder collects them.
type finder struct {
	d     *driver
	calls *calls
	list  []sending
	stay  []string
}

func (f *finder) block(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *finder) stmt(s ast.Stmt) {
	if call, with := f.asks(s); call != nil {
		f.list = append(f.list, sending{stmt: s, call: call, direct: true})
		f.d.gone = append(f.d.gone, with...)
		return
	}
	if what, _ := f.calls.of(f.d.pkg, s); f.d.test != "" && what&waits != 0 && value(s) != nil {
		f.stays(s, "waits for the answer")
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.block(s.List)
	case *ast.LabeledStmt:
		f.stmt(s.Stmt)
	case *ast.ForStmt:
		f.block(s.Body.List)
	case *ast.RangeStmt:
		f.block(s.Body.List)
	case *ast.SwitchStmt:
		f.block(s.Body.List)
	case *ast.TypeSwitchStmt:
		f.block(s.Body.List)
	case *ast.CaseClause:
		f.block(s.Body)
	case *ast.SelectStmt:
		f.block(s.Body.List)
	case *ast.CommClause:
		f.block(s.Body)
	case *ast.IfStmt:
		f.branch(s)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.ExprStmt, *ast.DeferStmt:
		f.simple(s, s)
	case *ast.GoStmt:
		f.beside(s)
	default:
		if what, _ := f.calls.of(f.d.pkg, s); what&sends != 0 {
			f.stays(s, "is no statement of its own")
		}
	}
}

// branch looks at the head of an if statement: if err := bank.Pay(...); err != nil.
func (f *finder) branch(s *ast.IfStmt) {
	what := does(0)
	for _, n := range []ast.Node{s.Init, s.Cond} {
		if n != nil && n != ast.Stmt(nil) {
			w, _ := f.calls.of(f.d.pkg, n)
			what |= w
		}
	}
	switch {
	case what&sends == 0:
		f.block(s.Body.List)
		if s.Else != nil {
			f.stmt(s.Else)
		}
	case s.Else != nil:
		f.stays(s, "decides what comes next")
	case s.Init != nil:
		f.simple(s, s.Init)
	default:
		f.simple(s, s.Cond)
	}
}

// assign looks at an assignment: what is sent in it is dropped if it leaves nothing but an error.
func (f *finder) assign(s *ast.AssignStmt) {
	what, leads := f.calls.of(f.d.pkg, s)
	if what&sends == 0 {
		return
	}
	if what&spawns != 0 {
		f.stays(s, "creates actors, too")
		return
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || what != sends || len(s.Lhs) != 1 || !isError(f.d.pkg.TypesInfo.TypeOf(call)) {
		f.stays(s, "gives more than an error")
		return
	}
	f.list = append(f.list, sending{stmt: s, call: call, direct: primitive(callee(f.d.pkg, call)) == sends, leads: leads,
		nils: call})
}

// simple takes a statement as one that sends, if that is in a part of it.
func (f *finder) simple(s ast.Stmt, in ast.Node) {
	what, leads := f.calls.of(f.d.pkg, in)
	if what&sends == 0 {
		return
	}
	keep := f.creates(s)
	if what != sends && keep == nil {
		f.stays(s, "creates actors or waits, too")
		return
	}
	n := sending{stmt: s, leads: leads, keep: keep}
	ast.Inspect(in, func(node ast.Node) bool {
		if c, ok := node.(*ast.CallExpr); ok && n.call == nil {
			if w, _ := f.calls.of(f.d.pkg, c); w&sends != 0 {
				n.call, n.direct = c, primitive(callee(f.d.pkg, c)) == sends
			}
		}
		return n.call == nil
	})
	f.list = append(f.list, n)
}

// creates gives the call that creates the receiver, in a statement that sends to it and does nothing else:
// ctx.Send(ctx.Spawn(x), m). It is nil of others.
func (f *finder) creates(s ast.Stmt) *ast.CallExpr {
	x, _ := value(s).(*ast.CallExpr)
	if _, ok := s.(*ast.ExprStmt); !ok || x == nil || primitive(callee(f.d.pkg, x)) != sends {
		return nil
	}
	made, _ := ast.Unparen(x.Args[f.d.receiver(x)]).(*ast.CallExpr)
	if made == nil {
		return nil
	}
	if what, _ := f.calls.of(f.d.pkg, made); what != spawns {
		return nil
	}
	for _, arg := range x.Args[f.d.receiver(x)+1:] {
		if what, _ := f.calls.of(f.d.pkg, arg); what != 0 {
			return nil
		}
	}
	return made
}

// beside looks at a goroutine of a driver without Rehearse: one that sends, and creates nothing, is one of those from
// outside, whom the messages that were found replace.
func (f *finder) beside(s *ast.GoStmt) {
	what, _ := f.calls.of(f.d.pkg, s)
	switch {
	case what&(sends|waits) == 0:
	case what&spawns == 0 && f.d.test != "":
		f.d.gone = append(f.d.gone, s)
	default:
		f.stays(s, "is a goroutine of its own")
	}
}

// stays notes a statement that sends and is not dropped, unless the copy does without the loop that it is in.
func (f *finder) stays(s ast.Stmt, why string) {
	if slices.ContainsFunc(f.d.gone, func(gone ast.Stmt) bool { return inside(gone, s.Pos()) }) {
		return
	}
	f.stay = append(f.stay, fmt.Sprintf("%s: what it sends is still sent: it %s", f.d.program.Position(s.Pos()), why))
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// origin says which of the statements that send have sent messages of the start, by the places of the framework's
// calls; -1 where that is not known. Of statements that lead to one place each is one message, in their order.
func origin(list []sending, sent []token.Pos) []int {
	from := make([]int, len(sent))
	for k := range sent {
		from[k] = -1
		var able []int
		for i, s := range list {
			if s.direct && s.call.Lparen == sent[k] ||
				slices.ContainsFunc(s.leads, func(n ast.Node) bool { return n.Pos() <= sent[k] && sent[k] < n.End() }) {
				able = append(able, i)
			}
		}
		same := 0 // messages sent at this place
		nth := 0
		for j, pos := range sent {
			if pos == sent[k] {
				if j < k {
					nth++
				}
				same++
			}
		}
		if same == len(able) {
			from[k] = able[nth]
		} else if len(able) == 1 && list[able[0]].direct { // in a loop
			from[k] = able[0]
		}
	}
	return from
}
