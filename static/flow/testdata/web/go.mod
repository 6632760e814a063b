module example.com/web

go 1.26.0

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/go-chi/chi/v5 v5.1.0
	github.com/gorilla/mux v1.8.1
	github.com/labstack/echo/v4 v4.0.0
	github.com/panjf2000/ants/v2 v2.10.0
	github.com/rehearse-go/rehearse v0.0.0
)

require github.com/huandu/go-clone v1.7.3 // indirect

// What these look like from outside, so that the test needs no network.
replace (
	github.com/gin-gonic/gin => ./stubs/gin
	github.com/go-chi/chi/v5 => ./stubs/chi
	github.com/gorilla/mux => ./stubs/mux
	github.com/labstack/echo/v4 => ./stubs/echo
	github.com/panjf2000/ants/v2 => ./stubs/ants
	github.com/rehearse-go/rehearse => ../../../..
)
