//go:build !linux

package main

// terminalMain is never run: TestTerminal is for Linux.
func terminalMain() {}
