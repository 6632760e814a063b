// This file makes the compiler accept functions without bodies, which are the framework's (go:linkname).
