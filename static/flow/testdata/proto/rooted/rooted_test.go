package rooted

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

func TestRooted(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Rooted()) }
func TestCopied(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Copied()) }
func TestSorted(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Sorted()) }
