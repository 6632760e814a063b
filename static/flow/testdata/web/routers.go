package main

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type (
	ginMethod  struct{ id string }
	ginBody    struct{ ID string }
	ginGroup   struct{}
	ginUse     struct{}
	ginHandle  struct{}
	ginWrapped struct{}
	chiMethod  struct{ id string }
	chiRoute   struct{}
	chiMounted struct{}
	chiValue   struct{}
	chiUse     struct{}
	muxMethod  struct{ id string }
	muxPrefix  struct{}
	muxSub     struct{ ID string }
	muxValue   struct{}
	muxMissing struct{}
)

// routed sends what each way of registering is for.
type routed struct {
	ctx *actor.Context
	to  actor.Ref
}

func (a *routed) byGin(c *gin.Context) {
	a.ctx.Send(a.to, ginMethod{c.Param("id")})
	c.JSON(http.StatusOK, gin.H{"id": c.Query("id")})
}

func (a *routed) byChi(w http.ResponseWriter, r *http.Request) {
	a.ctx.Send(a.to, chiMethod{chi.URLParam(r, "id")})
}

func (a *routed) byMux(w http.ResponseWriter, r *http.Request) {
	a.ctx.Send(a.to, muxMethod{mux.Vars(r)["id"]})
}

func (a *routed) sending(msg any) sending { return sending{func() { a.ctx.Send(a.to, msg) }} }

func (a *routed) gin() *gin.Engine {
	r := gin.New()
	r.Use(gin.Recovery(), func(c *gin.Context) {
		a.ctx.Send(a.to, ginUse{})
		c.Next()
	})
	r.GET("/a/:id", a.byGin)
	r.POST("/a", func(c *gin.Context) {
		var m ginBody
		if err := c.ShouldBindJSON(&m); err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		a.ctx.Send(a.to, m)
	})
	g := r.Group("/b")
	g.PUT("/c", func(*gin.Context) { a.ctx.Send(a.to, ginGroup{}) })
	r.Handle("DELETE", "/d", func(*gin.Context) { a.ctx.Send(a.to, ginHandle{}) })
	r.Any("/e", gin.WrapH(a.sending(ginWrapped{})))
	return r
}

func (a *routed) chi() http.Handler {
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a.ctx.Send(a.to, chiUse{})
			next.ServeHTTP(w, r)
		})
	})
	r.Get("/a/{id}", a.byChi)
	r.Route("/b", func(r chi.Router) {
		r.Post("/", func(http.ResponseWriter, *http.Request) { a.ctx.Send(a.to, chiRoute{}) })
	})
	below := chi.NewRouter()
	below.MethodFunc("PUT", "/", func(http.ResponseWriter, *http.Request) { a.ctx.Send(a.to, chiMounted{}) })
	r.Mount("/c", below)
	r.Method("GET", "/d", a.sending(chiValue{}))
	return r
}

func (a *routed) mux() http.Handler {
	r := mux.NewRouter()
	r.HandleFunc("/a/{id}", a.byMux).Methods("GET")
	r.PathPrefix("/b").HandlerFunc(func(http.ResponseWriter, *http.Request) { a.ctx.Send(a.to, muxPrefix{}) })
	below := r.PathPrefix("/c").Subrouter()
	below.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		var m muxSub
		if json.NewDecoder(r.Body).Decode(&m) == nil {
			a.ctx.Send(a.to, m)
		}
	})
	r.Handle("/d", a.sending(muxValue{}))
	r.NotFoundHandler = a.sending(muxMissing{}) // which is not followed
	return r
}

func route(ctx *actor.Context) {
	a := &routed{ctx, ctx.Spawn(store{})}
	go http.ListenAndServe(":8082", a.chi())
	go http.ListenAndServe(":8083", a.mux())
	go a.gin().Run(":8084")
}

func init() { actor.New(func(t *explore.T, ctx *actor.Context) { route(ctx) }) }
