package goakt

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/goakt/internal/place"
)

func init() { place.Move = move }

// move has the actor that from refers to live on at the address to. Nobody may hold a lock of it, and no handler of it
// may run. Whoever still has the old reference reaches the same mailbox by it.
func move(from, to *actor.PID) {
	b := frameworkOf(adapter.Current()).boxOf(from)
	if b == nil {
		panic("goakt: an actor is moved that is not under control")
	}
	f := b.framework
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	node, ok := treeNode(b.system.tree, from.ID())
	if !ok {
		panic("goakt: an actor is moved that is not in the tree")
	}
	atomic.StorePointer(at[unsafe.Pointer](node, f.ofNode.pid), unsafe.Pointer(to))
	f.mu.Lock()
	defer f.mu.Unlock()
	b.pid = to
	f.boxes[to] = b
}
