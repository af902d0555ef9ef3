//go:build race

package main

// shadow is how many times the memory a process takes under the race detector,
// which keeps a shadow of it.
const shadow = 4
