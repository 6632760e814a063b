// Package protoreflect stands for that of protocol buffers.
package protoreflect

type Message interface{ IsValid() bool }
