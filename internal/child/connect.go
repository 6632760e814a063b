package child

import (
	"fmt"
	"os"
)

// Connect gives the line to whoever started this process. value is that of the variable by which it was told.
func Connect(variable, told string) (*Line, error) {
	if told != value() {
		return nil, fmt.Errorf("variable %s is %q: it is set by a process of Rehearse for those that it starts, and by "+
			"nobody else; unset it", variable, told)
	}
	r, w := os.NewFile(fdRead, "from its starter"), os.NewFile(fdWrite, "to its starter")
	if r == nil || w == nil {
		return nil, fmt.Errorf("variable %s is set, but nobody has started this process: unset it", variable)
	}
	return NewLine(r, w), nil
}
