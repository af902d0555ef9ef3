// Command guest is the protocol core as a WebAssembly module: a reactor with
// the exports that wasm/abi describes. exports_wasip1.go holds them, [scratch]
// the buffers behind them, and package ops what they do.
//
// Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w'
//
// Natively it compiles to a program that does nothing, so that its tests run.
package main

func main() {}
