module github.com/rehearse-go/rehearse/adapter/hollywood

go 1.25.0

require (
	github.com/anthdm/hollywood v1.0.5
	github.com/rehearse-go/rehearse v0.0.0
)

require (
	github.com/DataDog/gostackparse v0.7.0 // indirect
	github.com/huandu/go-clone v1.7.3 // indirect
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	google.golang.org/protobuf v1.32.0 // indirect
)

replace github.com/rehearse-go/rehearse => ../..
