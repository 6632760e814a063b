// Package gatling is the result log of a load generator, after the bug that [Bita13] reports in Gatling: actions run
// and log their results to a writer. When the last one is done, a terminator flushes the writer.
package gatling
