package routed

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

func TestPool(t *testing.T)    { rehearse.Check(t, rehearse.Config{}, Pool()) }
func TestGroup(t *testing.T)   { rehearse.Check(t, rehearse.Config{}, Group()) }
func TestHash(t *testing.T)    { rehearse.Check(t, rehearse.Config{}, Hash()) }
func TestRemoved(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Removed()) }
