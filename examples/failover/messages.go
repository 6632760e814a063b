package failover

// Open asks an opener to open its store.
type Open struct{}

// Opened tells the service that a store is open.
type Opened struct{ Store string }

// Query asks for something; the gateway hands it on.
type Query struct{ Key string }
