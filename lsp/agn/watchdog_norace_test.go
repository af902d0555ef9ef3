//go:build !race

package agn

// deadlines is how many TestTwoWatchdogs goes through.
const deadlines = 1000
