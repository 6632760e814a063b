package protoactor_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// protoactorDriver is a test function that does as told and nothing else.
func protoactorDriver(f func()) rehearse.System {
	return protoactor.System(func(*rehearse.T) { f() })
}

// protoactorSetUp does as told in set-up.
func protoactorSetUp(f func()) rehearse.System {
	return protoactor.System(func(t *rehearse.T) { t.SetUp(f) })
}
