module example.com/libraries

go 1.26.0

require (
	github.com/google/uuid v0.0.0
	github.com/rehearse-go/rehearse v0.0.0
	github.com/rs/zerolog v0.0.0
	go.uber.org/zap v0.0.0
	google.golang.org/protobuf v0.0.0
)

require github.com/huandu/go-clone v1.7.3 // indirect

// What these look like from outside, so that the test needs no network.
replace (
	github.com/google/uuid => ./stubs/uuid
	github.com/rehearse-go/rehearse => ../../../..
	github.com/rs/zerolog => ./stubs/zerolog
	go.uber.org/zap => ./stubs/zap
	google.golang.org/protobuf => ./stubs/protobuf
)
