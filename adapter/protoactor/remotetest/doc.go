// Package remotetest tests that programs that go over a network are refused. It is a module of its own: what
// protoactor-go's remote and cluster packages need is nothing that the adapter's users should get.
package remotetest
