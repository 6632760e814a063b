package child

import (
	"fmt"
	"os"
	"syscall"
)

// Connect gives the line to whoever started this process. value is that of the variable by which it was told.
func Connect(variable, told string) (*Line, error) {
	if told != value() {
		return nil, fmt.Errorf("variable %s is %q: it is set by a process of Rehearse for those that it starts, and by "+
			"nobody else; unset it", variable, told)
	}
	// A process that this one starts would hold the line, and the starter would wait for its end.
	syscall.CloseOnExec(fdRead)
	syscall.CloseOnExec(fdWrite)
	return NewLine(os.NewFile(fdRead, "from its starter"), os.NewFile(fdWrite, "to its starter")), nil
}
