package target_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
)

// yard has methods of one type of actor that are used in different ways.
const yard = `package yard

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type Post struct{ n int }

type walker interface{ Walk() }

func (p *Post) Receive(ctx *actor.Context, msg any) {
	p.both()
	ctx.Become(actor.Func(p.other))
}

func (p *Post) other(ctx *actor.Context, msg any) { p.n = 1 }

func (p *Post) both() { p.n = 1 }

func (p *Post) Driven() { p.deeper(); helper(); func() { p.n = 1 }() }

func (p *Post) deeper() { p.n = 1 }

func helper() { println() }

func (p *Post) Unused() { p.n = 1 }

func (p *Post) Value() { p.n = 1 }

func (p *Post) Walk() { p.n = 1 }

func (p *Post) String() string { return "post" }

func (p *Post) Recursive() { if p.n > 1 { p.Recursive() } }

func System() *actor.System {
	p := &Post{}
	p.both()
	p.Driven()
	p.Recursive()
	_ = p.String()
	f := p.Value
	f()
	p.Value()
	var w walker = p
	w.Walk()
	p.Walk()
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(p), 1) })
}
`

func TestBlocksThatOnlyDriversRun(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := toysys.TestModule(t, nil, false)
	write(t, dir, "yard/yard.go", yard)
	write(t, dir, "yard/yard_test.go", "package yard\n\nimport \"testing\"\n\nfunc TestYard(*testing.T) { new(Post).Driven() }\n")
	// there the package is without its test file
	write(t, dir, "mall/mall.go", "package mall\n\nimport \"github.com/rehearse-go/rehearse/toys/yard\"\n\nvar Yard yard.Post\n")
	l := readLister(t, dir)
	var places []string
	for _, b := range l.Blocks() {
		if places = append(places, b.Block.Parent().Name()); b.Place.Column == 0 {
			t.Errorf("%s has no place", b.Name)
		}
	}
	same(t, "functions", slices.Compact(places), "Receive", "other", "both", "Unused", "Value", "Walk", "String")
}
