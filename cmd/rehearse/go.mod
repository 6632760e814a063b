module github.com/rehearse-go/rehearse/cmd/rehearse

go 1.26.0

require (
	github.com/rehearse-go/rehearse v0.0.0
	github.com/rehearse-go/rehearse/static v0.0.0
	github.com/rehearse-go/rehearse/symbolic v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	github.com/huandu/go-clone v1.7.3 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace (
	github.com/rehearse-go/rehearse => ../..
	github.com/rehearse-go/rehearse/static => ../../static
	github.com/rehearse-go/rehearse/symbolic => ../../symbolic
)
