//go:build unix

package programs

import (
	"os"
	"syscall"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

func init() { programs["hangs"] = program{"reverse", "unlimited", hangs} }

// hangs stops its process once, as a machine that hangs does: the file says whether it did.
func hangs() rehearse.System {
	n := 0
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		if n++; n == 50 && os.Getenv("REHEARSE_TEST_HANG") != "" {
			if f, err := os.OpenFile(os.Getenv("REHEARSE_TEST_HANG"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				f.Close()
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
		for range 7 {
			a := ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) {}))
			ctx.Send(a, 1)
			ctx.Send(a, 2)
		}
	})
}
