module github.com/rehearse-go/rehearse

go 1.25.0
