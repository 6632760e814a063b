package model

import "go/types"

// pure lists the packages whose functions give nothing that the program made and change nothing that its actors see, unless
// a row says otherwise. What they are given to call, they call.
var pure = []string{
	"bytes", "bufio", "cmp", "crypto/...", "database/sql", "embed", "encoding/...", "errors", "flag", "fmt", "hash/...", "html/...", "io", "io/...", "iter", "log",
	"log/...", "math", "math/...", "mime/...", "net/...", "os", "os/...", "path", "path/...", "regexp", "regexp/...", "runtime", "runtime/...",
	"sort", "strconv", "strings", "sync", "testing", "testing/...", "text/...", "time", "unicode", "unicode/...", "context", "sync/atomic", "reflect",
	ours, ours + "/explore", ours + "/trace", ours + "/adapter/...", ours + "/actor", ours + "/internal/...",
	"github.com/asynkron/protoactor-go/eventstream",

	// Routers of requests: the handlers that they are given they call. What they fill in has names that fills knows.
	"github.com/labstack/echo/...", "github.com/gin-gonic/gin", "github.com/go-chi/chi/...", "github.com/gorilla/mux",
}

// serving lists the trees of packages to which values are handed that handle requests by a method ServeHTTP.
var serving = []string{"net/http", "net/http/httptest", "github.com/labstack/echo/...", "github.com/gin-gonic/gin", "github.com/go-chi/chi/...", "github.com/gorilla/mux"}

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

	"(*sync/atomic.Pointer[T]).Load":           {Op: Load},
	"(*sync/atomic.Pointer[T]).Store":          {Op: Store, Msg: 1},
	"(*sync/atomic.Pointer[T]).Swap":           {Op: Store, Msg: 1},
	"(*sync/atomic.Pointer[T]).CompareAndSwap": {Op: Store, Msg: 2},
	"(*sync/atomic.Value).Load":                {Op: Load},
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
}
