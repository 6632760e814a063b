package reach

import (
	"bytes"
	"fmt"
	"reflect"
	"unsafe"
)

// This file names places in memory by the way that leads to them.

// most is the size of the largest regions of which a copy is kept, to tell what in them has changed.
const most = 4096

// Copy copies the memory of a small region.
func (r *region) Copy(to []byte) []byte {
	if size := uintptr(r.n) * r.plan.size; r.way == nil && size <= most {
		return append(to[:0], unsafe.Slice((*byte)(r.at), size)...)
	}
	return to[:0]
}

// Changed gives the offset of the first thing in the region that is not as in the copy, false if that cannot be told.
func (r *region) Changed(then []byte) (off uintptr, ok bool) {
	if r.way != nil || len(then) != r.n*int(r.plan.size) {
		return 0, false
	}
	now := unsafe.Slice((*byte)(r.at), len(then))
	differ := func(from, to uintptr) (uintptr, bool) {
		for ; from < to; from++ {
			if now[from] != then[from] {
				return from, true
			}
		}
		return 0, false
	}
	for e := range uintptr(r.n) {
		first := e * r.plan.size
		if bytes.Equal(now[first:first+r.plan.size], then[first:first+r.plan.size]) {
			continue
		}
		for _, s := range r.plan.plain {
			if off, ok := differ(first+s.from, first+s.to); ok {
				return off, true
			}
		}
		for i := range r.plan.refs {
			x := &r.plan.refs[i]
			if off, ok := differ(first+x.off, first+x.off+x.typ.Size()); ok {
				return off, true
			}
		}
	}
	return 0, false
}

// pathOf names a place in regions[i] by the way that leads to it, as ".accounts[3].balance". known: off is where in the
// region it is.
func pathOf(regions []region, i int32, off uintptr, known bool) string {
	r := &regions[i]
	s := ""
	if known {
		s = r.within(off)
	}
	for r.from >= 0 {
		up := &regions[r.from]
		s = up.within(r.off) + s
		r = up
	}
	return s
}

// within names what lies at an offset in a region.
func (r *region) within(off uintptr) string {
	if r.way != nil {
		return "[...]"
	}
	s := ""
	if r.cap > 1 {
		s = fmt.Sprintf("[%d]", off/r.plan.size)
	}
	return s + fieldAt(r.plan.typ, off%r.plan.size)
}

// fieldAt names the field at an offset.
func fieldAt(t reflect.Type, off uintptr) string {
	if _, sealed := sealOf(t); sealed {
		return ""
	}
	switch t.Kind() {
	case reflect.Array:
		if size := t.Elem().Size(); size > 0 {
			return fmt.Sprintf("[%d]%s", off/size, fieldAt(t.Elem(), off%size))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Offset <= off && off < f.Offset+f.Type.Size() {
				if f.Type.PkgPath() == "sync/atomic" || f.Type.PkgPath() == "sync" {
					return "." + f.Name
				}
				return "." + f.Name + fieldAt(f.Type, off-f.Offset)
			}
		}
	}
	return ""
}

// find gives the region that holds an address, and where in it, -1 if there is none; the address of a map is that of
// its region.
func find(regions []region, addr uintptr) (i int32, off uintptr) {
	for i := range regions {
		if r := &regions[i]; r.Start() <= addr && addr < r.End() {
			return int32(i), addr - r.Start()
		}
	}
	return -1, 0
}
