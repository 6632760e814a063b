// Package main has actors behind handlers of requests, which are registered in several ways.
package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v4"
	"github.com/panjf2000/ants/v2"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type (
	byFunction struct{}
	byMethod   struct{}
	byValue    struct{ name string }
	byWrapped  struct{}
	byServer   struct{}
	byTest     struct{}
	byEcho     struct{ id string }
	byEchoUse  struct{}
	byPool     struct{}
	byPost     struct{ id string }
	never      struct{}
)

type store struct{}

func (store) Receive(ctx *actor.Context, msg any) {}

type api struct {
	ctx *actor.Context
	to  actor.Ref
}

func (a *api) list(w http.ResponseWriter, r *http.Request) { a.ctx.Send(a.to, byMethod{}) }

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.ctx.Send(a.to, byValue{r.URL.Path})
	w.WriteHeader(http.StatusAccepted)
}

func (a *api) unused(w http.ResponseWriter, r *http.Request) { a.ctx.Send(a.to, never{}) }

func (a *api) get(c echo.Context) error {
	a.ctx.Send(a.to, byEcho{c.Param("id")})
	return c.JSON(200, nil)
}

type sending struct{ send func() }

func (s sending) ServeHTTP(http.ResponseWriter, *http.Request) { s.send() }

func serve(ctx *actor.Context) {
	a := &api{ctx, ctx.Spawn(store{})}
	http.HandleFunc("/f", func(http.ResponseWriter, *http.Request) { ctx.Send(a.to, byFunction{}) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /m", a.list)
	mux.Handle("/v", a)
	mux.Handle("/w", http.StripPrefix("/w", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ctx.Send(a.to, byWrapped{}) })))
	server := &http.Server{Addr: ":8080", Handler: sending{func() { ctx.Send(a.to, byServer{}) }}}
	go server.ListenAndServe()
	httptest.NewServer(sending{func() { ctx.Send(a.to, byTest{}) }})

	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx.Send(a.to, byEchoUse{})
			return next(c)
		}
	})
	e.GET("/orders/:id", a.get)
	e.POST("/orders", func(c echo.Context) error {
		var p byPost
		if err := c.Bind(&p); err != nil {
			return err
		}
		ctx.Send(a.to, p)
		return nil
	})
	_ = e.Start(":8081")

	if pool, err := ants.NewPool(8); err == nil {
		_ = pool.Submit(func() { ctx.Send(a.to, byPool{}) })
	}
}

func main() { actor.New(func(t *explore.T, ctx *actor.Context) { serve(ctx) }) }
