//go:build !race

package enginetest

const (
	slowness    = 1
	fixtureStep = 1
)
