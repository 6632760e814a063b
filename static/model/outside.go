package model

import (
	"go/types"
	"strings"
)

// Outside is a way in which a function reaches beyond its actor.
type Outside uint8

const (
	Goroutine Outside = iota
	Lock
	Clock
	Random
	IO
	Channel
	Waiting // for an answer, without a timeout
	Outsides
)

// reaching has the functions of the standard library that reach outside: names as types.Func.FullName gives them. "*"
// at the end of a name stands for anything; what comes first counts.
var reaching = []struct {
	prefix string
	kind   Outside
}{
	{"time.AfterFunc", Goroutine},
	{"(*sync.WaitGroup).Go", Goroutine},
	{"time.Now", Clock}, {"time.Since", Clock}, {"time.Until", Clock}, {"time.Sleep", Clock}, {"time.After", Clock},
	{"time.Tick", Clock},
	{"time.NewTimer", Clock}, {"time.NewTicker", Clock}, {"context.WithTimeout*", Clock}, {"context.WithDeadline*", Clock},
	{"google.golang.org/protobuf/types/known/timestamppb.Now", Clock},

	{"(*sync.Mutex).Lock", Lock}, {"(*sync.Mutex).TryLock", Lock}, {"(*sync.RWMutex).Lock",
		Lock}, {"(*sync.RWMutex).RLock", Lock},
	{"(*sync.RWMutex).TryLock", Lock}, {"(*sync.RWMutex).TryRLock", Lock}, {"(sync.Locker).Lock", Lock},
	{"(*sync.Cond).Wait", Lock}, {"(*sync.WaitGroup).Wait", Lock},

	{"math/rand.New*", Outsides}, {"math/rand/v2.New*", Outsides}, {"math/rand.*", Random}, {"math/rand/v2.*",
		Random}, {"crypto/rand.*", Random},

	{"os.ReadFile", IO}, {"os.WriteFile", IO}, {"os.Open*", IO}, {"os.Create*", IO}, {"os.Remove*", IO}, {"os.Rename",
		IO}, {"os.Mkdir*", IO},
	{"os.ReadDir", IO}, {"os.Stat", IO}, {"os.Lstat", IO}, {"os.Truncate", IO}, {"os.Link", IO}, {"os.Symlink", IO},
	{"os.Chmod", IO}, {"os.StartProcess", IO},
	{"(*os.File).*", IO}, {"(*os.Root).*", IO}, {"path/filepath.Walk*", IO}, {"path/filepath.Glob", IO},
	{"(*os/exec.Cmd).Run", IO}, {"(*os/exec.Cmd).Start", IO}, {"(*os/exec.Cmd).Output", IO},
	{"(*os/exec.Cmd).CombinedOutput", IO}, {"(*os/exec.Cmd).Wait", IO},
	{"net.Dial*", IO}, {"net.Listen*", IO}, {"net.Lookup*", IO}, {"net.Resolve*", IO}, {"(*net.Dialer).Dial*", IO},
	{"(*net.Resolver).Lookup*", IO},
	{"(net.Conn).*", IO}, {"(net.Listener).*", IO}, {"(net.PacketConn).*", IO}, {"(*net.TCPConn).*", IO},
	{"(*net.UDPConn).*", IO},
	{"net/http.Get", IO}, {"net/http.Head", IO}, {"net/http.Post*", IO}, {"net/http.ListenAndServe*", IO},
	{"net/http.Serve", IO}, {"net/http.ServeTLS", IO},
	{"(*net/http.Client).Do", IO}, {"(*net/http.Client).Get", IO}, {"(*net/http.Client).Head", IO},
	{"(*net/http.Client).Post*", IO},
	{"(net/http.RoundTripper).RoundTrip", IO}, {"(*net/http.Server).*", IO}, {"net/smtp.*", IO},
	{"(*net/rpc.Client).*", IO},
	// Not of the standard library, but common: what it does to reach the network would be told instead.
	{"google.golang.org/grpc.Dial*", IO}, {"google.golang.org/grpc.NewClient",
		IO}, {"(*google.golang.org/grpc.ClientConn).*", IO}, {"(google.golang.org/grpc.ClientStream).*", IO},
	{"database/sql.Open*", IO}, {"(*database/sql.DB).*", IO}, {"(*database/sql.Tx).*", IO}, {"(*database/sql.Stmt).*", IO},
	{"(*database/sql.Conn).*", IO}, {"(*database/sql.Rows).Next*", IO},
}

// Reaches tells how a function of a library reaches outside, and whether it does.
func Reaches(f *types.Func) (Outside, bool) {
	name := f.FullName()
	for _, row := range reaching {
		prefix, any := strings.CutSuffix(row.prefix, "*")
		if name == row.prefix || any && strings.HasPrefix(name, prefix) {
			return row.kind, row.kind != Outsides
		}
	}
	return 0, false
}
