package model

import "go/types"

// pure lists the packages whose functions give nothing that the program made and change nothing that its actors see,
// unless a row says otherwise. What they are given to call, they call.
var pure = []string{
	"bytes", "bufio", "cmp", "crypto/...", "database/sql", "embed", "encoding/...", "errors", "flag", "fmt", "hash/...", "html/...", "io", "io/...", "iter", "log",
	"log/...", "math", "math/...", "mime/...", "net/...", "os", "os/...", "path", "path/...", "regexp", "regexp/...",
	"runtime", "runtime/...",
	"sort", "strconv", "strings", "sync", "testing", "testing/...", "text/...", "time", "unicode", "unicode/...",
	"context", "sync/atomic", "reflect",
	ours, ours + "/explore", ours + "/trace", ours + "/actor", ours + "/internal/...",
	ours + "/adapter", ours + "/adapter/protoactor/...", hollywoodAdapter, hollywoodAdapter + "/steptest",
	goaktAdapter, goaktAdapter + "/steptest",
	"github.com/asynkron/protoactor-go/eventstream",

	// Pools of goroutines: what they are given to run, they run.
	"github.com/panjf2000/ants/...", "golang.org/x/sync/errgroup",

	// Routers of requests: the handlers that they are given they call. What they fill in has names that fills knows.
	"github.com/labstack/echo/...", "github.com/gin-gonic/gin", "github.com/go-chi/chi/...", "github.com/gorilla/mux",
}

// serving lists the trees of packages to which values are handed that handle requests by a method ServeHTTP.
var serving = []string{"net/http", "net/http/httptest", "github.com/labstack/echo/...", "github.com/gin-gonic/gin",
	"github.com/go-chi/chi/...", "github.com/gorilla/mux"}

// Serves reports whether a function has values handle requests that it is given: at once, or later.
func Serves(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && among(serving, fn.Pkg().Path())
}

// std holds the rows of the standard library that need to know more of values than the table of libraries says.
var std = map[string]Row{
	"sync.OnceFunc":           {Op: Same},
	"sync.OnceValue":          {Op: Same},
	"sync.OnceValues":         {Op: Same},
	"context.WithCancel":      {Op: Same},
	"context.WithTimeout":     {Op: Same},
	"context.WithDeadline":    {Op: Same},
	"context.WithValue":       {Op: Unknown},
	"(context.Context).Value": {Op: Unknown},

	"(*sync/atomic.Pointer[T]).Store":          {Op: Store, Msg: 1},
	"(*sync/atomic.Pointer[T]).Swap":           {Op: Store, Msg: 1},
	"(*sync/atomic.Pointer[T]).CompareAndSwap": {Op: Store, Msg: 2},
	"(*sync/atomic.Value).Store":               {Op: Store, Msg: 1},
	"(*sync.Map).Load":                         {Op: Load},
	"(*sync.Map).Store":                        {Op: Store, Msg: 2},
	"(*sync.Map).LoadOrStore":                  {Op: Store, Msg: 2},
	"(*sync.Map).LoadAndDelete":                {Op: Load},
	"(*sync.Pool).Get":                         {Op: Load},
	"(*sync.Pool).Put":                         {Op: Store, Msg: 1},

	"(*encoding/json.Decoder).Decode": {Op: Unknown},
	"encoding/gob.NewDecoder":         {Op: Unknown},
	"(*encoding/gob.Decoder).Decode":  {Op: Unknown},
	"reflect.New":                     {Op: Unknown},
	"(reflect.Value).Interface":       {Op: Unknown},
	"(reflect.Value).Call":            {Op: Unknown},
	"(reflect.Value).CallSlice":       {Op: Unknown},
	"(reflect.Value).Clear":           {Op: Unknown},
	"(reflect.Value).Grow":            {Op: Unknown},
	"(reflect.Value).Set":             {Op: Unknown},
	"(reflect.Value).SetBool":         {Op: Unknown},
	"(reflect.Value).SetBytes":        {Op: Unknown},
	"(reflect.Value).SetCap":          {Op: Unknown},
	"(reflect.Value).SetComplex":      {Op: Unknown},
	"(reflect.Value).SetFloat":        {Op: Unknown},
	"(reflect.Value).SetInt":          {Op: Unknown},
	"(reflect.Value).SetIterKey":      {Op: Unknown},
	"(reflect.Value).SetIterValue":    {Op: Unknown},
	"(reflect.Value).SetLen":          {Op: Unknown},
	"(reflect.Value).SetMapIndex":     {Op: Unknown},
	"(reflect.Value).SetPointer":      {Op: Unknown},
	"(reflect.Value).SetString":       {Op: Unknown},
	"(reflect.Value).SetUint":         {Op: Unknown},
	"(reflect.Value).SetZero":         {Op: Unknown},
	"reflect.Copy":                    {Op: Unknown},
	"reflect.Swapper":                 {Op: Unknown},
}

// ending lists the functions of the standard library that never return: they end the program or the goroutine, or
// panic.
var ending = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true, "syscall.ExitProcess": true, "testing.Main": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true, "log.Panicln": true,
	"(*log.Logger).Fatal": true, "(*log.Logger).Fatalf": true, "(*log.Logger).Fatalln": true,
	"(*log.Logger).Panic": true, "(*log.Logger).Panicf": true, "(*log.Logger).Panicln": true,
	"(*testing.common).FailNow": true, "(*testing.common).Fatal": true, "(*testing.common).Fatalf": true,
	"(*testing.common).Skip": true, "(*testing.common).Skipf": true, "(*testing.common).SkipNow": true,
}

// NeverReturns reports whether a function of the standard library never returns.
func NeverReturns(f *types.Func) bool { return ending[f.FullName()] }

// made lists the functions of the standard library that give no nil.
var made = map[string]bool{
	"errors.New": true, "fmt.Errorf": true, "context.Background": true, "context.TODO": true, "time.NewTimer": true, "time.NewTicker": true,
	"time.After": true, "time.AfterFunc": true, "strings.NewReader": true, "bytes.NewBuffer": true,
	"bytes.NewReader":               true,
	"net/http/httptest.NewRecorder": true, "net/http/httptest.NewRequest": true,
}

// NeverNil reports whether the one result of a function of the standard library is never nil.
func NeverNil(f *types.Func) bool { return made[f.FullName()] }
