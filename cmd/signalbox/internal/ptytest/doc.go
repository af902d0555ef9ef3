// Package ptytest opens pseudo-terminals for tests of programs on a terminal. Start with
// Open. It works only on Linux.
package ptytest
