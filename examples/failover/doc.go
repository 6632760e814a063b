// Package failover is a service with two stores, a primary one and a fallback, each opened by an actor of its own when
// the service starts. A query reaches the service by way of a gateway and is answered from whichever store is open.
package failover
