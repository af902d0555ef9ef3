//go:build !race

package main

// shadow is how many times the memory a process takes under the race detector.
const shadow = 1
