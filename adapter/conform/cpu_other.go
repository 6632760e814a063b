//go:build !unix

package conform

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
