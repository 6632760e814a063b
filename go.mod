module github.com/rehearse-go/rehearse

go 1.25.0

require github.com/huandu/go-clone v1.7.3
