// Package gin stands for the router of that name: its signatures are those of v1.10.0.
package gin

import "net/http"

type Context struct{ Request *http.Request }

func (c *Context) Param(key string) string      { return "" }
func (c *Context) Query(key string) string      { return "" }
func (c *Context) JSON(code int, obj any)       {}
func (c *Context) Status(code int)              {}
func (c *Context) ShouldBindJSON(obj any) error { return nil }
func (c *Context) Next()                        {}

type (
	H           map[string]any
	HandlerFunc func(*Context)
	OptionFunc  func(*Engine)
)

type IRoutes interface {
	Use(...HandlerFunc) IRoutes
	Handle(string, string, ...HandlerFunc) IRoutes
	Any(string, ...HandlerFunc) IRoutes
	GET(string, ...HandlerFunc) IRoutes
	POST(string, ...HandlerFunc) IRoutes
	PUT(string, ...HandlerFunc) IRoutes
}

type RouterGroup struct{ handlers []HandlerFunc }

func (g *RouterGroup) Group(relativePath string, handlers ...HandlerFunc) *RouterGroup { return g }

func (g *RouterGroup) Use(middleware ...HandlerFunc) IRoutes                       { return g }
func (g *RouterGroup) Handle(method, path string, handlers ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) Any(relativePath string, handlers ...HandlerFunc) IRoutes    { return g }
func (g *RouterGroup) GET(relativePath string, handlers ...HandlerFunc) IRoutes    { return g }
func (g *RouterGroup) POST(relativePath string, handlers ...HandlerFunc) IRoutes   { return g }
func (g *RouterGroup) PUT(relativePath string, handlers ...HandlerFunc) IRoutes    { return g }

type Engine struct{ RouterGroup }

func New(opts ...OptionFunc) *Engine { return &Engine{} }

func (engine *Engine) Use(middleware ...HandlerFunc) IRoutes              { return engine }
func (engine *Engine) Run(addr ...string) error                           { return nil }
func (engine *Engine) ServeHTTP(w http.ResponseWriter, req *http.Request) {}

func Recovery() HandlerFunc            { return nil }
func WrapH(h http.Handler) HandlerFunc { return nil }
