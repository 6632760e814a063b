module github.com/rs/zerolog

go 1.25.0
