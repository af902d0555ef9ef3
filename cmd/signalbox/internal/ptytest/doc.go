// Package ptytest opens pseudo-terminals for tests of what a program does on a terminal.
// Start with Open. Only Linux has it.
package ptytest
