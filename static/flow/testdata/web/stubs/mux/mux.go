// Package mux stands for the router of that name: its signatures are those of v1.8.1.
package mux

import "net/http"

type Router struct {
	NotFoundHandler http.Handler
	routes          []*Route
}

func NewRouter() *Router { return &Router{} }

func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {}
func (r *Router) Handle(path string, handler http.Handler) *Route    { return nil }
func (r *Router) HandleFunc(path string, f func(http.ResponseWriter, *http.Request)) *Route {
	return nil
}
func (r *Router) PathPrefix(tpl string) *Route { return nil }

type Route struct{ handler http.Handler }

func (r *Route) Methods(methods ...string) *Route                              { return r }
func (r *Route) HandlerFunc(f func(http.ResponseWriter, *http.Request)) *Route { return r }
func (r *Route) Subrouter() *Router                                            { return nil }

func Vars(r *http.Request) map[string]string { return nil }
