package swarm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/parallel"
)

// epoch is the time in which a job has one record: another budget makes another one. Its number is in the names of its
// tasks. So an agent gives back a task of a later epoch, until it has read that record, and drops one of an earlier
// epoch. A result of an earlier epoch that comes late does not count: its items are in tasks of the later one.
type epoch struct {
	Since      uint64 `json:"since"`                // results up to this number are of earlier epochs
	Executions int    `json:"executions,omitempty"` // the budget; 0: none
}

// errOtherEpoch says that an agent, or a coordinator, has the record of another epoch than the job.
var errOtherEpoch = errors.New("another coordinator goes on with it, with another budget or other settings")

// checkEpochs says what is wrong with epochs, which came over the network. before are the ones before them, as far as
// they are known.
func checkEpochs(all []epoch, before int) error {
	if len(all) == 0 || before == 0 && all[0].Since != 0 {
		return errors.New("it has no first epoch")
	}
	for i, e := range all {
		if e.Executions < 0 || i > 0 && e.Since < all[i-1].Since {
			return fmt.Errorf("epoch %d begins after %d results, with a budget of %d", before+i+1, e.Since, e.Executions)
		}
	}
	return nil
}

// nameOf names a task of the epoch with the number: its first item is in no other task of the epoch.
func nameOf(t *parallel.Task, epoch int) string {
	name := "t" + strconv.Itoa(t.Parts[0].ID)
	if epoch > 1 {
		name += "-" + strconv.Itoa(epoch)
	}
	return name
}

// epochOf is the number of the epoch of a task, 0 if it has no name of a task.
func epochOf(name string) int {
	item, number, later := strings.Cut(name, "-")
	if id, ok := strings.CutPrefix(item, "t"); !ok || numberOf(id) < 0 {
		return 0
	}
	if !later {
		return 1
	}
	if n := numberOf(number); n > 1 {
		return n
	}
	return 0
}

// numberOf is the number that a text is, -1 if it is none.
func numberOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || text != strconv.Itoa(n) {
		return -1
	}
	return n
}
