package subjects

// Messages that several programs begin with.
type (
	boot  struct{}
	bootN struct{ n int }
	start struct{}
)
