package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
	"github.com/rehearse-go/rehearse/scale/internal/swarm"
)

// shareTargets has the targets of a program searched for by all machines. This one reads the program from the bundle,
// too: so all have the same targets.
func shareTargets(ctx context.Context, s command.Streams, r *request.Swarm, nc *nats.Conn) (int, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return 0, err
	}
	from, to := io.Pipe()
	go func() { to.CloseWithError(r.Contents.Pack(to)) }()
	b, err := bundle.Unpack(from, filepath.Join(cache, "rehearse", "bundles"), r.Contents.Manifest.Digest(),
		bundle.Limits{Total: r.Contents.Manifest.Total()})
	if err != nil {
		return 0, err
	}
	stage, err := b.Stage()
	if err != nil {
		return 0, err
	}
	defer stage.Remove()
	var more []string
	if r.JSON {
		more = []string{"-json"}
	}
	cmd := stage.Command(ctx, more, nil)
	run := &swarm.Run{Manifest: b.Manifest, Pack: r.Contents.Pack, Binary: cmd.Path, Args: cmd.Args[1:], Dir: cmd.Dir,
		Env: cmd.Env, Sign: r.Sign, Job: r.Job, Streams: keptAs(r), Out: s.Out, Err: s.Err,
		Progress: &swarm.Progress{W: s.Err, Every: progressEvery(r.Environ, s)}}
	return run.ShareTargets(ctx, nc)
}
