//go:build !unix

package savina_test

import "os"

// mostMB is the most memory that a process had, which is not known here.
func mostMB(*os.ProcessState) int64 { return 0 }
