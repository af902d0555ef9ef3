//go:build race

package index_test

const raceDetector = true
