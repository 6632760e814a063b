// Package bundle is what travels to the machines that work on a job: the test binary, the files that its test reads,
// and how it is started. A machine runs nothing else.
//
//	manifest.go  what a bundle has, as one line of JSON; its digest names the bundle
//	names.go     which names files may have
//	collect.go   finding the contents on the machine that begins a job; named.go: what users name
//	sources.go   sources of packages, for jobs that read them, and the go command that they need
//	facts.go     facts of the source, and the sources that they are about
//	environ.go   which variables travel, and which a worker adds
//	pack.go      a manifest and its files as one stream: a tar, compressed with gzip
//	unpack.go    the way back, where nothing is believed
//	cache.go     unpacked bundles in folders that their digests name
//	stage.go     a copy to work in, and the command that runs the test there
//	sign.go      who vouches for a job; key.go: the keys
//
//	assumes:    SHA-256 has no collisions that anybody can make; nobody else writes to the cache of a user
//	invariants: I1 equal contents have equal digests, whatever the times, the owners and the order of files
//	            I2 what was not named by a manifest with the wanted digest is neither written nor run
//	            I3 a folder of the cache is whole, or its name says that it is partial: it is renamed after its last file
//	            I4 what is unpacked, and what is read of a stream, is bounded by the sizes that the manifest declares
//	            I5 no error and no text of this package has a seed in it
//	checked by: bundle_test.go (round trips), hostile_test.go (I2, I4), cache_test.go (I3, with processes that are
//	            killed), sign_test.go (I5); FuzzManifest and FuzzUnpack
//
// Folders without a file do not travel, nor do times, owners and the access rights of others.
package bundle
