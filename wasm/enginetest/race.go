//go:build race

package enginetest

// slowness divides how often a call is tried under the race detector, which checks
// only the host: the module's code is the same without it.
const slowness = 10

// fixtureStep picks one of so many fixtures in the same way.
const fixtureStep = 11
