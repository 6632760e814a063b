module github.com/rehearse-go/rehearse/cmd/rehearse

go 1.25.0

require (
	github.com/rehearse-go/rehearse v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
)

require (
	github.com/huandu/go-clone v1.7.3 // indirect
	golang.org/x/sys v0.26.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)

replace github.com/rehearse-go/rehearse => ../..
