//go:build race

package agn

// deadlines is less here: the race detector makes each process slow, and sees
// nothing of what happens between two.
const deadlines = 200
