package libraries

import (
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Order is what a generator makes of a message: its methods reach memory in their own way.
type Order struct {
	state uintptr
	Id    string
}

var info [8]byte

func (x *Order) Reset() {
	*x = Order{}
	x.state = uintptr(unsafe.Pointer(&info[0]))
}

func (x *Order) String() string { info[0]++; return x.Id }

func (*Order) ProtoMessage() {}

func (x *Order) ProtoReflect() protoreflect.Message {
	info[1]++
	return (*reflected)(unsafe.Pointer(x))
}

func (x *Order) GetId() string {
	if x != nil {
		return x.Id
	}
	return ""
}

type reflected struct{}

func (*reflected) IsValid() bool { return true }
