package reach

import (
	"reflect"
	"unsafe"
)

// This file names values of the standard library into which nobody can look. One that several owners reach is told of,
// since what the one does to it the other may see.

// seal is such a value within an element.
type seal struct {
	off     uintptr
	typ     reflect.Type
	decides bool
}

// silent lists packages whose values no handler reads anything from that another has put there: loggers, tests, types.
var silent = map[string]bool{"internal/abi": true, "log": true, "log/slog": true, "reflect": true,
	"runtime": true, "testing": true}

// sealing lists packages of files, connections and contexts: actors share them often, and mostly to no effect.
var sealing = map[string]bool{"context": true, "internal/poll": true, "net": true, "net/http": true, "os": true}

// sealOf reports whether nobody can look into values of a type, and if so, whether an actor that uses one decides what
// the next gets from it.
func sealOf(t reflect.Type) (decides, sealed bool) {
	if t.Kind() != reflect.Struct {
		return false, false
	}
	switch pkg, name := t.PkgPath(), t.Name(); {
	case pkg == "sync" && name == "Pool", pkg == "time" && (name == "Timer" || name == "Ticker"):
		return true, true
	default:
		return false, sealing[pkg]
	}
}

// seal adds a value that nobody can look into. What the framework keeps to itself is none.
func (ps *plans) seal(p *plan, t reflect.Type, off uintptr) {
	if decides, sealed := sealOf(t); sealed {
		p.seals = append(p.seals, seal{off, t, decides})
	}
}

// sealed is a value into which nobody can look.
type sealed struct {
	Type    string
	Decides bool // who uses it decides what the next gets from it
	Addr    uintptr
	Off     uintptr // in its region
}

// Sealed lists those in a region. Of a map there are none: what its entries lead to has regions of its own.
func (r *region) Sealed() []sealed {
	if r.way != nil || len(r.plan.seals) == 0 {
		return nil
	}
	var all []sealed
	for e := range uintptr(r.n) {
		for _, s := range r.plan.seals {
			off := e*r.plan.size + s.off
			all = append(all, sealed{Type: s.typ.String(), Decides: s.decides, Addr: uintptr(unsafe.Add(r.at, off)), Off: off})
		}
	}
	return all
}
