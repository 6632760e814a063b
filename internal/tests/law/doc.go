// Package law holds the laws of this repository as tests, over all modules of the workspace:
//
//	imports_test.go  who may import whom, as one table (after go/build/deps_test.go)
//	core_test.go     no hidden choice in the core packages: no clock, no global random numbers, no goroutines, no
//	                 printing
//	size_test.go     files and functions that fit in a head
//	docs_test.go     documents that say what is true: commands, the example, settings, references, links
//	prose_test.go    lines and sentences that are short; testdata lists the exceptions, of which there may only be fewer
//	house_test.go    the structure in numbers, as in docs/house.md; graph_test.go: graphs of packages and files
//	windows_test.go  what is for Unix alone has a build tag
//	sentence_test.go finds lines and sentences in documents and comments
//	tree_test.go     reads the repository
//
// Each law is itself tested: on code that breaks it.
package law
