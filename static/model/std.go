package model

// pure lists the packages whose functions give nothing that the program made and change nothing that its actors see, unless
// a row says otherwise. What they are given to call, they call.
var pure = []string{
	"bytes", "bufio", "cmp", "crypto/...", "database/sql", "embed", "encoding/...", "errors", "flag", "fmt", "hash/...", "html/...", "io", "io/...", "iter", "log",
	"log/...", "math", "math/...", "mime/...", "net/...", "os", "os/...", "path", "path/...", "regexp", "regexp/...", "runtime", "runtime/...",
	"sort", "strconv", "strings", "sync", "testing", "testing/...", "text/...", "time", "unicode", "unicode/...", "context", "sync/atomic", "reflect",
	ours, ours + "/explore", ours + "/trace", ours + "/adapter/...", ours + "/actor", ours + "/internal/...",
	"github.com/asynkron/protoactor-go/eventstream",
}

// std holds the rows of the standard library that hand on what they are given.
var std = func() map[string]Row {
	all := map[string]Row{}
	for name, row := range passing {
		all[name] = row
	}
	for _, name := range mixing {
		all[name] = Row{Op: Mix}
	}
	for _, name := range unknown {
		all[name] = Row{Op: Unknown}
	}
	return all
}()

var passing = map[string]Row{
	"maps.Keys":               {Op: Keys},
	"maps.Values":             {Op: Vals},
	"maps.All":                {Op: Vals},
	"slices.Values":           {Op: Vals},
	"slices.All":              {Op: Vals},
	"slices.Backward":         {Op: Vals},
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
}

// mixing lists functions that give a container with elements of their arguments, or one of these elements.
var mixing = []string{
	"slices.AppendSeq", "slices.BinarySearch", "slices.BinarySearchFunc", "slices.Chunk", "slices.Clip", "slices.Clone", "slices.Collect", "slices.Compact",
	"slices.CompactFunc", "slices.Compare", "slices.CompareFunc", "slices.Concat", "slices.Contains", "slices.ContainsFunc", "slices.Delete",
	"slices.DeleteFunc", "slices.Equal", "slices.EqualFunc", "slices.Grow", "slices.Index", "slices.IndexFunc", "slices.Insert",
	"slices.IsSorted", "slices.IsSortedFunc", "slices.Max", "slices.MaxFunc", "slices.Min", "slices.MinFunc", "slices.Repeat", "slices.Replace",
	"slices.Reverse", "slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc",
	"maps.Clone", "maps.Collect", "maps.Copy", "maps.DeleteFunc", "maps.Equal", "maps.EqualFunc", "maps.Insert",
	"sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable", "sort.Search",
}

// unknown lists functions of pure packages that are not.
var unknown = []string{
	"errors.As", "errors.Unwrap", "errors.Join", "encoding/json.Unmarshal", "encoding/gob.NewDecoder", "(*encoding/json.Decoder).Decode",
	"(*encoding/gob.Decoder).Decode", "fmt.Sscan", "fmt.Sscanf", "reflect.New", "(reflect.Value).Interface", "(reflect.Value).Call",
}
