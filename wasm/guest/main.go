// Command guest is the protocol core as a WebAssembly module: a reactor with
// the exports that wasm/abi describes. exports_wasip1.go holds them, [scratch]
// the buffers behind them, [heap] what is done about garbage, and package ops what they do.
//
// Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags=-w
//
// and finish it with wasm/linked.
//
// Natively it compiles to a program that does nothing, so that its tests run.
package main

func main() {}
