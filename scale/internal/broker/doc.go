// Package broker starts NATS servers inside this process, and connects to servers that exist.
//
//	server.go   an embedded server with JetStream on loopback
//	cluster.go  several of them that know each other
//	access.go   how other processes of the same user find it: a file in its store folder
//	log.go      what it has to say: errors alone
//	connect.go  connections, also to servers elsewhere
//	secure.go   which connections are safe enough
//	redact.go   secrets do not leave in texts
//
//	assumes:    the store folder is on a local disk whose locks work
//	invariants: I1 an embedded server listens on loopback only, and serves nobody without its token
//	            I2 one process at a time uses a store folder
//	            I3 a connection beyond loopback is encrypted and its server is verified, or there is none
//	            I4 no error and no line of the log holds a token, a password or a seed
//	checked by: server_test.go, connect_test.go, redact_test.go
//
// Decision 0035 (docs/decisions) tells why it is NATS.
package broker
