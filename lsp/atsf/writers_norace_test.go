//go:build !race

package atsf

// manyWriters is the number of processes of TestManyProcesses.
const manyWriters = 64
