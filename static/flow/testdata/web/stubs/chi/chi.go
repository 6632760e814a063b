// Package chi stands for the router of that name: its signatures are those of v5.1.0.
package chi

import "net/http"

type Router interface {
	http.Handler
	Use(middlewares ...func(http.Handler) http.Handler)
	Route(pattern string, fn func(r Router)) Router
	Mount(pattern string, h http.Handler)
	Method(method, pattern string, h http.Handler)
	MethodFunc(method, pattern string, h http.HandlerFunc)
	Get(pattern string, h http.HandlerFunc)
	Post(pattern string, h http.HandlerFunc)
}

type Mux struct{ handler http.Handler }

func NewRouter() *Mux { return &Mux{} }

func (mx *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request)              {}
func (mx *Mux) Use(middlewares ...func(http.Handler) http.Handler)            {}
func (mx *Mux) Route(pattern string, fn func(r Router)) Router                { return mx }
func (mx *Mux) Mount(pattern string, handler http.Handler)                    {}
func (mx *Mux) Method(method, pattern string, handler http.Handler)           {}
func (mx *Mux) MethodFunc(method, pattern string, handlerFn http.HandlerFunc) {}
func (mx *Mux) Get(pattern string, handlerFn http.HandlerFunc)                {}
func (mx *Mux) Post(pattern string, handlerFn http.HandlerFunc)               {}

func URLParam(r *http.Request, key string) string { return "" }
