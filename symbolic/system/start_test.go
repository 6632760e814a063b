package system

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// programs are those that were read, by folder and patterns: reading them takes longer than most tests.
var programs = map[string]*Program{}

// program reads packages.
func program(t *testing.T, dir string, patterns ...string) *Program {
	t.Helper()
	key := dir + " " + strings.Join(patterns, " ")
	if programs[key] != nil {
		return programs[key]
	}
	l, err := summary.Load(load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	programs[key] = New(l, store, solver)
	return programs[key]
}

// What is refused: both go through a table of tests whose systems are made by function values, in loops that they do
// not enter here.
var refused = map[string]bool{"TestBita": true, "TestBitaLarge": true}

func TestDriversAreExecuted(t *testing.T) {
	for _, c := range []struct {
		dir, patterns string
		least         int
	}{{"../../examples", "./...", 100}, {"../..", "./subjects/...", 100}} {
		p := program(t, c.dir, c.patterns)
		list := p.Drivers()
		if len(list) < c.least {
			t.Errorf("%s: %d drivers, want at least %d", c.dir, len(list), c.least)
		}
		for _, d := range list {
			_, err := p.Start(t.Context(), d, Config{})
			if name := d.Entry.Name(); (err != nil) != refused[name] {
				t.Errorf("%s at %s: %v", name, p.place(d.Pos), err)
			}
		}
	}
}

// told writes a start configuration.
func told(s *Start) string {
	var b strings.Builder
	for i, a := range s.Actors {
		fmt.Fprintf(&b, "%d %s: %s by %s", i, a.Name, a.Type, a.Fn.Name())
		for _, n := range a.State {
			if !n.Term.Const() || n.Term.Sort != term.Word16 || n.Term.Val < 1<<15 { // the identity of memory
				fmt.Fprintf(&b, " %s=%v", n.Name, n.Term)
			}
		}
		b.WriteString("\n")
	}
	for _, m := range s.Sent {
		fmt.Fprintf(&b, "%d->%d %v always=%v timer=%v", m.From, m.To, m.Type, m.Always, m.Timer)
		for _, n := range m.Flat {
			fmt.Fprintf(&b, " %s=%v", n.Name, n.Term)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "receptionists %v", s.Receptionists)
	for _, shape := range s.Shapes {
		fmt.Fprintf(&b, " %d:%v,%v", shape.To, shape.Type, shape.Sent)
	}
	return strings.ReplaceAll(b.String(), "github.com/rehearse-go/rehearse/examples/", "")
}

func TestStart(t *testing.T) {
	p := program(t, "../../examples", "./...")
	want := map[string]string{
		"TestBank": `0 server: bank.Server by Receive s.Balance=100
1 client: bank.Client by Receive c.Server!ref=int16(2) c.Balance=100 c.Sent=0
-1->1 bank.Deposit always=false timer=false msg.Number=0 msg.Amount=50
-1->1 bank.Withdraw always=false timer=false msg.Number=0 msg.Amount=120
receptionists [1] 1:bank.Deposit,true 1:bank.Withdraw,true`,
		"TestOverdraft": `0 account: overdraft.account by Receive a.ledger.Entries!len=1 a.ledger.Entries[0].Text="opening" a.ledger.Entries[0].Amount=100 a.balance=100
1 officer-2: overdraft.officer by Receive o.second!ref=int16(0)
2 officer-1: overdraft.officer by Receive o.second!ref=int16(3)
3 branch: overdraft.client by Receive c.account!ref=int16(2) c.officer!ref=int16(4) c.limit=75 c.paid=0
4 online: overdraft.client by Receive c.account!ref=int16(2) c.officer!ref=int16(4) c.limit=75 c.paid=0
-1->3 overdraft.Pay always=false timer=false msg.Amount=60
-1->4 overdraft.Pay always=false timer=false msg.Amount=80
receptionists [3 4] 3:overdraft.Pay,true 3:overdraft.Approved,false 3:overdraft.Balance,false 3:overdraft.Paid,false ` +
			`4:overdraft.Pay,true 4:overdraft.Approved,false 4:overdraft.Balance,false 4:overdraft.Paid,false`,
	}
	for _, d := range p.Drivers() {
		if _, ok := want[d.Entry.Name()]; !ok {
			continue
		}
		s, err := p.Start(t.Context(), d, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(s); got != want[d.Entry.Name()] {
			t.Errorf("%s: got\n%s\nwant\n%s", d.Entry.Name(), got, want[d.Entry.Name()])
		}
		delete(want, d.Entry.Name())
	}
	for name := range want {
		t.Errorf("there is no driver in %s", name)
	}
}
