//go:build !race

package markup_test

const raceDetector = false
