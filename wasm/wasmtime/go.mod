module github.com/signalbox-dev/signalbox/wasm/wasmtime

go 1.26.0

replace github.com/signalbox-dev/signalbox => ../..

require (
	github.com/bytecodealliance/wasmtime-go/v44 v44.0.0
	github.com/signalbox-dev/signalbox v0.0.0-00010101000000-000000000000
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/tetratelabs/wazero v1.11.0 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
