//go:build !race

package ssot

// deadlines is how many TestTwoWatchdogs goes through.
const deadlines = 1000
