package remotetest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/cluster/clusterproviders/test"
	"github.com/asynkron/protoactor-go/cluster/identitylookup/disthash"
	"github.com/asynkron/protoactor-go/remote"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// programVar names the program that a child process runs.
const programVar = "REHEARSE_TEST_REMOTE"

type ping struct{}

// programs go over the network; each returns the actor system that did.
var programs = map[string]func(*actor.ActorSystem){
	"remote": func(s *actor.ActorSystem) { remote.NewRemote(s, remote.Configure("127.0.0.1", 0)).Start() },
	"member": func(s *actor.ActorSystem) { newCluster(s).StartMember() },
	"client": func(s *actor.ActorSystem) { newCluster(s).StartClient() },
}

func newCluster(s *actor.ActorSystem) *cluster.Cluster {
	provider := test.NewTestProvider(test.NewInMemAgent())
	return cluster.New(s, cluster.Configure("bank", provider, disthash.New(), remote.Configure("127.0.0.1", 0)))
}

// TestProgram is the user's test of the child process; a process that is no child has nothing to run here.
func TestProgram(t *testing.T) {
	name, where, _ := strings.Cut(os.Getenv(programVar), " in ")
	start := programs[name]
	if start == nil {
		return
	}
	var system *actor.ActorSystem
	defer func() {
		for range 6000 { // a minute, to a test that fails
			c, err := net.Dial("tcp", system.ProcessRegistry.Address)
			if err != nil {
				fmt.Println("nobody listens any more")
				return
			}
			c.Close()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	rehearse.Check(t, rehearse.Config{}, protoactor.System(func(t *rehearse.T) {
		system = actor.NewActorSystem()
		switch where {
		case "set-up":
			t.SetUp(func() { start(system) })
		case "handler":
			props := actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(ping); ok {
					start(system)
				}
			})
			system.Root.Send(system.Root.Spawn(props), ping{})
		default:
			start(system)
		}
	}))
}

// Starting a remote or a cluster ends in an error that names the call and where it is made, at once, and leaves no port
// open.
func TestNetworkIsRefused(t *testing.T) {
	calls := map[string]string{"remote": "remote.(*Remote).Start", "member": "cluster.(*Cluster).StartMember", "client": "cluster.(*Cluster).StartClient"}
	for name, call := range calls {
		for _, where := range []string{"test", "set-up", "handler"} {
			t.Run(name+"-in-"+where, func(t *testing.T) {
				out := child(t, name+" in "+where)
				for _, want := range []string{call + " called at ", "remote_test.go:", "Rehearse does not control", "--- FAIL: TestProgram", "nobody listens any more"} {
					if !strings.Contains(out, want) {
						t.Fatalf("want %q in:\n%s", want, out)
					}
				}
			})
		}
	}
}

// child runs a program in a process of its own and gives what it printed. A child that hangs ends by -test.timeout.
func child(t *testing.T, program string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(exe, "-test.run=^TestProgram$", "-test.timeout=60s")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), programVar+"="+program, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HOME="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if cmd.Run() == nil {
		t.Fatalf("%s was not refused:\n%s", program, out.String())
	}
	return out.String()
}
