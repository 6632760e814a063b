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
	// Whoever waits for a word parks then. In a system call it would keep the only P of a process with GOMAXPROCS=1 for
	// more than ten milliseconds, before anybody got what it has just received.
	if err := syscall.SetNonblock(fdRead, true); err != nil {
		return nil, fmt.Errorf("the line to whoever started this process: %w", err)
	}
	return NewLine(os.NewFile(fdRead, "from its starter"), os.NewFile(fdWrite, "to its starter")), nil
}
