// Server is the box office as a process. All of it that is worth testing is in boxoffice.Run.
package main

import (
	"log"
	"net/http"

	"github.com/rehearse-go/rehearse/examples/boxoffice"
)

func main() {
	err := boxoffice.Run(boxoffice.Config{Fixed: true}, func(h http.Handler) error { return http.ListenAndServe("localhost:8080", h) })
	if err != nil {
		log.Fatal(err)
	}
}
