package oneprocess

import (
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/model"
)

// facts are what analyzers told of objects and of packages, of every package that was analyzed. Go vet hands on only
// what can be named from outside of a package; here nobody asks for more.
type facts struct {
	mu sync.RWMutex
	of map[subject]analysis.Fact
}

// subject is what a fact is about: an object, or a package if that is nil. Each has one fact of a type.
type subject struct {
	object types.Object
	pkg    *types.Package
	fact   reflect.Type
}

// serve lets a pass read and write facts.
func (f *facts) serve(pass *analysis.Pass) {
	pass.ImportObjectFact = func(obj types.Object, to analysis.Fact) bool {
		return neverReturns(obj, to) || f.get(subject{object: obj, fact: reflect.TypeOf(to)}, to)
	}
	pass.ImportPackageFact = func(pkg *types.Package, to analysis.Fact) bool {
		return f.get(subject{pkg: pkg, fact: reflect.TypeOf(to)}, to)
	}
	pass.ExportObjectFact = func(obj types.Object, fact analysis.Fact) {
		f.put(subject{object: obj, fact: reflect.TypeOf(fact)}, fact)
	}
	pass.ExportPackageFact = func(fact analysis.Fact) {
		f.put(subject{pkg: pass.Pkg, fact: reflect.TypeOf(fact)}, fact)
	}
	// No analyzer of ours lists facts.
	pass.AllObjectFacts = func() []analysis.ObjectFact { return nil }
	pass.AllPackageFacts = func() []analysis.PackageFact { return nil }
}

func (f *facts) get(s subject, to analysis.Fact) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	fact, ok := f.of[s]
	if ok {
		reflect.ValueOf(to).Elem().Set(reflect.ValueOf(fact).Elem())
	}
	return ok
}

func (f *facts) put(s subject, fact analysis.Fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[s] = fact
}

// neverReturns answers for the standard library what package ctrlflow would find in its source. SUBTLE: the type of
// that fact has no name outside of its package; a test holds that it is this one.
func neverReturns(obj types.Object, fact analysis.Fact) bool {
	fn, ok := obj.(*types.Func)
	return ok && reflect.TypeOf(fact).String() == "*ctrlflow.noReturn" && model.NeverReturns(fn)
}
