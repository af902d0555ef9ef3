//go:build race

package atsf

// manyWriters is fewer here: the race detector makes each process large and
// slow, and sees nothing of what happens between two.
const manyWriters = 16
