package hotline

// Call is a call that waits.
type Call struct{ From string }

// Bell tells the clerk to look.
type Bell struct{}
