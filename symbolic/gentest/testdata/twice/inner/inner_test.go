package inner

import "testing"

func TestNothing(*testing.T) {}
