// Package boxoffice sells the seats of a theatre over HTTP. One actor, the hall, knows who has which seat; the HTTP
// handlers ask it and wait for its answer.
package boxoffice
