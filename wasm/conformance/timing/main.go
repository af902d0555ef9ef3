// Command timing measures how long calls take in the native core, so that a host in
// another language can compare itself.
//
//	timing < calls
//
// Standard input has calls as command transcript writes them, without its first
// line; their results are ignored. For each call it prints how many nanoseconds the
// call takes. An op that fails ends the program.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

func main() {
	if err := run(bufio.NewReaderSize(os.Stdin, 1<<20), os.Stdout, time.Second); err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		os.Exit(1)
	}
}

// run measures the calls of in, and repeats each of them for some time.
func run(in io.Reader, out io.Writer, each time.Duration) error {
	for {
		var head struct{ Op, Params, Input, OK, Result uint32 }
		if err := binary.Read(in, binary.LittleEndian, &head); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		parts := make([]byte, head.Params+head.Input+head.Result)
		if _, err := io.ReadFull(in, parts); err != nil {
			return err
		}
		params, input := parts[:head.Params], parts[head.Params:head.Params+head.Input]
		nanos, err := measure(abi.Op(head.Op), params, input, each)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%.1f\n", nanos); err != nil {
			return err
		}
	}
}

// measure repeats a call, first for a while that only warms up.
func measure(op abi.Op, params, input []byte, each time.Duration) (nanos float64, err error) {
	var dst []byte
	for _, limit := range []time.Duration{each / 4, each} {
		calls, start := 0, time.Now()
		for time.Since(start) < limit {
			result, ok := ops.Call(dst[:0], op, params, input)
			if !ok {
				return 0, fmt.Errorf("%v: %s", op, result)
			}
			dst = result
			calls++
		}
		nanos = float64(time.Since(start).Nanoseconds()) / float64(calls)
	}
	return nanos, nil
}
