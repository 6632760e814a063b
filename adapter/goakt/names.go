package goakt

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file says what an actor goes by, and what stands for what it shares with others.

// parent gives the actor above, nil if there is none.
func (b *box) parent() *box {
	path := b.pid.Path().Parent()
	if path == nil {
		return b.system.user
	}
	if node, ok := treeNode(b.system.tree, path.String()); ok {
		return b.framework.boxOf(b.framework.nodePID(node))
	}
	return nil
}

// children stands for who the actor's children are: they leave the tree when they end, and nobody is told when it
// looks.
func (b *box) children() trace.ID { return b.rt.Shared(b.index).With(ofChildren) }

// watchers stands for who watches the actor.
func (b *box) watchers() trace.ID { return b.rt.Shared(b.index).With(ofWatchers) }

// state stands for whether the actor is suspended.
func (b *box) state() trace.ID { return b.rt.Shared(b.index) }

const (
	ofChildren = 0x6368696c6472656e
	ofWatchers = 0x7761746368657273
)

// names gives the type of an actor made from a function, "" for any other, and what it was spawned as.
func (b *box) names() (typ, name string) {
	name = b.name
	if isRandom(name) {
		name = ""
	}
	a, ok := b.Value().(*actor.FuncActor)
	if !ok {
		return "", name
	}
	if name != "" {
		return name, name
	}
	f := *at[actor.ReceiveFunc](unsafe.Pointer(a), b.framework.ofFunc)
	return adapter.FunctionName(runtime.FuncForPC(reflect.ValueOf(f).Pointer())), ""
}

// isRandom reports whether a name is one that the framework drew (a UUID).
func isRandom(name string) bool {
	return len(name) == 36 && strings.Count(name, "-") == 4 && strings.Trim(name, "0123456789abcdef-") == ""
}
