package actor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// A handler that sets a timer of real time makes no result complete: nothing fires it under control. The place is
// named, although it does not fire while executions run. The clock of actors is under control.
func TestRealTime(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler func(*actor.Context)
		want    string // "": nothing is found
	}{
		{"a message", func(ctx *actor.Context) {}, ""},
		{"Context.After", func(ctx *actor.Context) { ctx.Cancel(ctx.After(time.Hour, "late")) }, ""},
		{"AfterFunc", func(*actor.Context) { time.AfterFunc(time.Hour, func() {}) }, "realtime_test.go:23"},
		{"NewTimer", func(*actor.Context) { time.NewTimer(time.Hour).Stop() }, "realtime_test.go:24"},
		{"a context", func(*actor.Context) {
			_, cancel := context.WithTimeout(context.Background(), time.Hour)
			cancel()
		}, "realtime_test.go:26"},
		{"after a call", func(ctx *actor.Context) {
			ctx.Call(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(1) })), "ask")
			time.AfterFunc(time.Hour, func() {})
		}, "realtime_test.go:31"},
		{"nothing any more", func(ctx *actor.Context) {}, ""},
	} {
		for _, strategy := range []string{"naive", "auto"} {
			sys := actor.New(func(_ *rehearse.T, ctx *actor.Context) {
				ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { tt.handler(ctx) })), "go")
			})
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, sys)
			found := strings.Contains(r.Uncontrolled, "handlers set timers that run in real time, at "+tt.want)
			if err != nil || r.Complete != (tt.want == "") || found != (tt.want != "") {
				t.Errorf("%s, %s: error %v, %s\nwant %q", tt.name, strategy, err, r, tt.want)
			}
		}
	}
}
