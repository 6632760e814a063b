// Package tap holds programs of [TAP18] that package subjects does not have, as native actors: figure 11, and the kind
// of program that section 7.2 says feedback is for.
package tap
