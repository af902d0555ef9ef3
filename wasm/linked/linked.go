// Package linked rewrites a WebAssembly module that Go has linked, so that it is
// smaller and opens faster.
//
// When the module is built, [Finish] does to it what Go's linker leaves: it joins the
// segments of its memory ([Join]), and puts a list of which part each function belongs
// to in the place of their names. The command below it, finish, does that to a file. When a host opens the module, [Split] takes it apart by that list: into
// the part that every call needs and others that are loaded when they are first
// called. For hosts that do not ask, the module stays one, and the list is a custom
// section that they pass over.
//
// The package imports the standard library alone.
package linked
