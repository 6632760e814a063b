package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"slices"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

const swarmLong = `Swarm builds the test of PACKAGE and shares its exploration among processes: on this machine, and on
every machine where rehearse worker runs with the same server. Without -nats it starts a NATS server in
this process, which serves this machine alone. The job is kept there: after everything was killed, the
same command goes on with it.

  rehearse swarm ./account                   all cores of this machine
  rehearse swarm -nats tls://nats.example.org -creds me.creds -sign seed ./account
  rehearse swarm target ./account -- -panics search for the targets of rehearse target, whose flags follow --
  rehearse swarm status [JOB]                how far jobs are; a machine that was killed counts for 15 s
  rehearse swarm stop [-discard] JOB         end a job; -discard keeps nothing of it
  rehearse swarm key FILE                    make a key pair: the seed goes to FILE, the public key is printed

The test binary travels, with testdata, facts and what -file names. Of the environment only the settings
of Rehearse travel, and what -env names. Workers beyond this machine run what a key has signed that they
trust (-sign). Strategies: those whose parts need not wait for each other, as naive and reverse, and those
that sample. What follows -- goes to go test -c as it is, and what follows -args there to the test binary.
`

// theirs are the settings that mean something for a swarm.
var theirs = []string{"budget", "strategy", "seed", "model", "timers", "faults", "choices", "facts", "keep-going",
	"save", "coverprofile", "progress"}

// swarmRun is one rehearse swarm.
type swarmRun struct {
	request.Swarm
	settings command.Values
	run      string
	short    bool
	plain    bool
	discard  bool
	named    []string
	env      []string
	limits   bundle.Limits

	caller command.Caller
	fs     *flag.FlagSet
	do     Actions
}

func swarmCommand(caller command.Caller, do Actions) command.Command {
	return command.Command{Name: "swarm", Args: "[flags] PACKAGE [-- flags of go test]",
		Short: "share one exploration among the machines of a job", Long: swarmLong,
		Setup: func(fs *flag.FlagSet) func(command.Streams, command.Arguments) int {
			r := &swarmRun{caller: caller, fs: fs, do: do}
			r.declare()
			return r.start
		}}
}

func (r *swarmRun) declare() {
	fs := r.fs
	command.DeclareSettings(fs, &r.settings, theirs...)
	declareServer(fs, &r.Server, "without -nats: keep jobs in this `folder`; default: one in the user's cache")
	declareWorkers(fs, &r.Workers, &r.Longest)
	declareLimit(fs, &r.limits)
	fs.StringVar(&r.Job, "job", "", "`name` of the job; default: one that is made of the test and what travels")
	fs.IntVar(&r.Replicas, "replicas", 1, "keep what the server keeps on this `number` of servers of its cluster")
	size(fs, "max-bytes", "the server keeps tasks, results and large data of the job up to this `size` each, such as "+
		"2GiB; default: what it allows", &r.MaxBytes)
	fs.BoolVar(&r.First, "first", false, "end with the first finding")
	fs.BoolVar(&r.Sync, "sync", false, "without -nats: write each message to the disk before going on, so that nothing "+
		"is lost when the power fails")
	fs.StringVar(&r.Sign, "sign", "", "sign the job with the seed in this `file`, which rehearse swarm key has made")
	list(fs, "file", "`path` of a file or folder that the test reads, beside testdata, relative to the package's folder; "+
		"PATH=PLACE for one from outside of the module, which the test then finds at PLACE, relative to the same folder; "+
		"may be repeated", &r.named,
		func(s string) error { _, err := bundle.ParseNamed(s); return err })
	list(fs, "env", "`name` of a variable that travels; may be repeated", &r.env, func(string) error { return nil })
	fs.StringVar(&r.run, "run", ".", "explore the test that this `regexp` matches (go test); default: all")
	fs.BoolVar(&r.short, "short", false, "tell the test to be short (go test)")
	fs.BoolVar(&r.plain, "no-overlay", false, "build the test as go test does: see rehearse help test")
	fs.BoolVar(&r.discard, "discard", false, "of swarm stop: keep nothing of the job")
	fs.BoolVar(&r.JSON, "json", false, "write progress and results as lines of JSON")
}

func (r *swarmRun) start(s command.Streams, a command.Arguments) int {
	return act(s, "swarm", func(ctx context.Context) (int, error) {
		if len(a.Operands) == 0 {
			return 0, usage("no package given: name one, such as ./account")
		}
		if do := r.sub(a.Operands[0]); do != nil {
			return do(ctx, s, a)
		}
		if r.discard {
			return 0, usage("-discard is about swarm stop")
		}
		if err := r.check(a); err != nil {
			return 0, err
		}
		if err := r.reach(ctx, s); err != nil {
			return 0, err
		}
		remove, err := r.prepare(ctx, s, a)
		if err != nil && ctx.Err() != nil {
			return 0, errors.New("interrupted") // the build has failed by that
		}
		if err != nil {
			return 0, err
		}
		defer remove()
		return r.do.Swarm(ctx, s, &r.Swarm)
	})
}

// reach says what is wrong with the server, which takes a moment. A build may take minutes.
func (r *swarmRun) reach(ctx context.Context, s command.Streams) error {
	if r.do.Reach == nil {
		return nil
	}
	return r.do.Reach(ctx, s, &r.Server)
}

// check refuses what cannot be right.
func (r *swarmRun) check(a command.Arguments) error {
	if len(a.Operands) != 1 {
		return usage("got %d packages: want one", len(a.Operands))
	}
	for _, name := range []string{"REHEARSE_WORKERS", "REHEARSE_RESUME", "REHEARSE_REPLAY"} {
		if os.Getenv(name) != "" {
			return usage("the variable %s means nothing for a swarm, which goes on by itself: unset it", name)
		}
	}
	return r.checkShared()
}

// checkShared refuses what cannot be right for any job.
func (r *swarmRun) checkShared() error {
	if r.Job != "" {
		if err := streams.CheckJob(r.Job); err != nil { // before the test is built
			return usage("-job: %w", err)
		}
	}
	if err := checkServer(r.fs, &r.Server); err != nil {
		return err
	}
	if err := checkWorkers(r.Workers, 0, r.Longest); err != nil {
		return err
	}
	switch {
	case r.URL == "" && r.Replicas > 1:
		return usage("-replicas %d: a server in this process is one: use -nats and a cluster", r.Replicas)
	case !slices.Contains([]int{1, 3, 5}, r.Replicas):
		return usage("-replicas %d: want 1, 3 or 5", r.Replicas)
	case r.URL == "" && r.Workers == 0:
		return usage("-workers 0 without -nats: nobody would work on the job")
	case r.URL != "" && r.Sync:
		return usage("-sync is about a server in this process: how another one writes, its configuration says")
	case r.Beyond && r.Sign == "":
		return usage("-nats is beyond this machine, where workers run only what a key has signed: make one with " +
			"`rehearse swarm key FILE`, and sign with -sign FILE")
	}
	for _, goOn := range []string{r.settings.Value["keep-going"], os.Getenv(command.Variable("keep-going"))} {
		if r.First && slices.Contains([]string{"1", "on", "true"}, goOn) {
			return usage("-first ends with the first finding, and keep-going %s goes on after it: give one of them", goOn)
		}
	}
	if r.Sign == "" {
		return nil
	}
	seed, err := bundle.ReadSeed(r.Sign) // before the test is built
	if err != nil {
		return usage("-sign: %w", err)
	}
	seed.Wipe()
	return nil
}

// only refuses flags that mean nothing for a part of the command.
func (r *swarmRun) only(name string, flags ...string) error {
	for _, f := range given(r.fs) {
		if !slices.Contains(flags, f) {
			return usage("-%s means nothing for swarm %s", f, name)
		}
	}
	return nil
}
