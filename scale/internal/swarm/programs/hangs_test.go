//go:build unix

package programs

import (
	"os"
	"strconv"
	"syscall"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

func init() {
	programs["hangs"] = program{"reverse", "unlimited", hangs}
	programs["fells"] = program{"reverse", "unlimited", fells}
}

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

// fells takes its machine down in one of 120 orders: its process, and the worker that has started that. The file has a
// byte for each time, and after so many it is harmless.
func fells() rehearse.System {
	file := os.Getenv("REHEARSE_TEST_FELLS")
	most, _ := strconv.Atoi(os.Getenv("REHEARSE_TEST_FELLS_MOST"))
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		order := ""
		a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) {
			if order += msg.(string); order != "dbeac" || file == "" {
				return
			}
			if before, _ := os.ReadFile(file); len(before) < most {
				_ = os.WriteFile(file, append(before, '.'), 0o600)
				_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}))
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			from := ctx.SpawnNamed("from", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(a, msg) }))
			ctx.Send(from, name)
		}
	})
}
