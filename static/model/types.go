package model

import "go/types"

// This file says of types of libraries whose values hold pointers what those lead to.

// leading is what the pointers of a type lead to.
type leading uint8

const (
	harmless leading = 1 << iota // memory that actors may share without harm
	fixed                        // no memory that handlers write
)

// libraryTypes is the table, by name with the path of the package.
var libraryTypes = map[string]leading{
	"time.Time": harmless | fixed, "time.Location": harmless | fixed, "regexp.Regexp": harmless | fixed,
	"log.Logger": harmless | fixed, "log/slog.Logger": harmless | fixed,
	"go.uber.org/zap.Logger": harmless | fixed, "go.uber.org/zap.SugaredLogger": harmless | fixed,
	"github.com/rs/zerolog.Logger": harmless | fixed,

	"os.File": fixed, // a position in a file is shared, and is no memory of the program

	"reflect.Type": harmless, "context.Context": harmless,
	"github.com/sirupsen/logrus.Logger": harmless, "github.com/sirupsen/logrus.Entry": harmless,
	"github.com/go-logr/logr.Logger": harmless,
}

// Harmless reports whether actors may share values of a library's type without harm, though these hold pointers.
func Harmless(t *types.TypeName) bool { return leads(t)&harmless != 0 }

// Fixed reports whether values of a library's type lead to no memory that handlers write.
func Fixed(t *types.TypeName) bool { return leads(t)&fixed != 0 }

func leads(t *types.TypeName) leading {
	if t == nil || t.Pkg() == nil {
		return 0
	}
	return libraryTypes[t.Pkg().Path()+"."+t.Name()]
}
