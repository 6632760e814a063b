package system

import "testing"

// Programs of GoAkt do the same symbolically and for real, step by step, under all models.
func TestTwinGoAkt(t *testing.T) { twins(t, "goakt", func(d *Driver) bool { return d.GoAkt }) }
