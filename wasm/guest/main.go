// Command guest is the protocol core as a WebAssembly module: a reactor with the exports that
// wasm/abi describes. The exports are in exports_wasip1.go; [scratch] holds their buffers, [heap]
// collects garbage, and package ops runs the ops.
//
// Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w'
//
// Natively it compiles to a program that does nothing, so that its tests run.
package main

func main() {}
