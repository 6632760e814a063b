// Package echo stands for the router of that name: its signatures are those of v4.12.0.
package echo

type Context interface {
	Bind(i any) error
	JSON(code int, i any) error
	Param(name string) string
}

type HandlerFunc func(Context) error

type MiddlewareFunc func(next HandlerFunc) HandlerFunc

type Route struct{ Path string }

type Echo struct{ handlers []HandlerFunc }

func New() *Echo { return &Echo{} }

func (e *Echo) Use(middleware ...MiddlewareFunc)                            {}
func (e *Echo) GET(path string, h HandlerFunc, m ...MiddlewareFunc) *Route  { return nil }
func (e *Echo) POST(path string, h HandlerFunc, m ...MiddlewareFunc) *Route { return nil }
func (e *Echo) Start(address string) error                                  { return nil }
