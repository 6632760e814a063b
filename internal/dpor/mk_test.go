package dpor
import "github.com/rehearse-go/rehearse/explore"
func mkReverse() explore.Strategy { return nil }
