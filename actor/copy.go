package actor

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/huandu/go-clone"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// cloner copies messages. An error is a value to those who get it, and compared by address: it is not copied. What
// belongs to the execution keeps its identity too. A channel or a function cannot be copied and is shared.
var cloner = func() clone.Cloner {
	a := clone.NewAllocator(nil, &clone.AllocatorMethods{
		IsScalar: func(k reflect.Kind) bool { return k == reflect.Chan || clone.IsScalar(k) },
	})
	for _, v := range []any{errors.New(""), fmt.Errorf("%w", errors.ErrUnsupported), (*Future)(nil), (*Context)(nil),
		(*explore.T)(nil)} {
		a.MarkAsOpaquePointer(reflect.TypeOf(v))
	}
	return clone.MakeCloner(a)
}()

// copied is a copy of what is sent.
func copied(msg any) (c any) {
	chance.Aside(func() { c = cloner.CloneSlowly(msg) })
	return c
}
