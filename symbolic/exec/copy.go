package exec

import "slices"

// This file copies values with the memory behind them, as frameworks do that copy messages. What is an input stays what
// it is: nobody has written to it, or it is marked where that matters.

// Copy gives a value whose pointers, slices and maps lead to memory of its own, with the same contents and the same
// sharing within it.
func (m *Machine) Copy(v Value) Value {
	c := &copier{r: m.r, objects: map[*Object]*Object{}, maps: map[*Map]*Map{}}
	return c.value(v)
}

type copier struct {
	r       *run
	objects map[*Object]*Object
	maps    map[*Map]*Map
}

func (c *copier) value(v Value) Value {
	switch v := settled(c.r.force(v)).(type) {
	case Face:
		if v.Type == nil {
			return v
		}
		return Face{v.Type, c.value(v.Val)}
	case *Struct:
		return &Struct{v.Type, c.values(v.Fields)}
	case *Array:
		return &Array{v.Elem, c.values(v.Elems)}
	case Ptr:
		return Ptr{c.object(v.Obj), v.Path}
	case Slice:
		if v.len < 0 {
			return v
		}
		v.mem.Obj = c.object(v.mem.Obj)
		return v
	case *Map:
		return c.mapped(v)
	default:
		return v
	}
}

func (c *copier) values(list []Value) []Value {
	list = slices.Clone(list)
	for i, v := range list {
		if _, lazy := v.(*Lazy); !lazy {
			list[i] = c.value(v)
		}
	}
	return list
}

func (c *copier) object(o *Object) *Object {
	if o == nil || o.at != nil {
		return o
	}
	if c.objects[o] == nil {
		c.objects[o] = c.r.alloc(o.typ, nil)
		c.objects[o].null = o.null
		c.objects[o].val = c.value(o.val)
	}
	return c.objects[o]
}

func (c *copier) mapped(m *Map) *Map {
	if m == nil || m.at != nil {
		return m
	}
	if c.maps[m] == nil {
		another := c.r.newMap(m.typ)
		c.maps[m] = another
		another.closed, another.solid, another.null = m.closed, m.solid, m.null
		for _, e := range m.entries {
			another.entries = append(another.entries, &entry{c.value(e.key), c.value(e.val), e.had, e.has})
		}
	}
	return c.maps[m]
}
