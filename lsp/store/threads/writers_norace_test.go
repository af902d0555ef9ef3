//go:build !race

package threads

// manyWriters is the number of processes of TestManyProcesses.
const manyWriters = 64
