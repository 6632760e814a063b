module example.com/web

go 1.26.0

require (
	github.com/labstack/echo/v4 v4.0.0
	github.com/rehearse-go/rehearse v0.0.0
)

require github.com/huandu/go-clone v1.7.3 // indirect

// What these look like from outside, so that the test needs no network.
replace (
	github.com/labstack/echo/v4 => ./stubs/echo
	github.com/rehearse-go/rehearse => ../../../..
)
