// Command transcript writes the native core's results for every vector and fixture and
// for seeded random inputs, so that a host of the WebAssembly module in any language
// can make the same calls and compare the results.
//
//	transcript [-testdata folder] [-random n] file
//
// The file is a line "signalbox-transcript/1", and then for each call five 32-bit
// numbers, least significant byte first: the op, the lengths of its two arguments, 1
// for a result or 0 for an error, and its length; and then the bytes of the arguments
// and of the result or error.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

func main() {
	testdata := flag.String("testdata", "testdata", "the folder of the fixtures")
	random := flag.Int("random", 2000, "random calls of each format")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*testdata, *random, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(testdata string, random int, name string) (err error) {
	fixtures, err := conformance.Load(os.DirFS(testdata))
	if err != nil {
		return err
	}
	cases, err := fixtures.Cases()
	if err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	t := transcript{w: bufio.NewWriterSize(file, 1<<20)}
	fmt.Fprintln(t.w, "signalbox-transcript/1")
	for _, c := range cases {
		t.add(c)
	}
	counts := fmt.Sprintf("%d calls over the fixtures", t.calls)
	for _, format := range conformance.Formats() {
		for c := range fixtures.Random(format, random) {
			t.add(c)
		}
		counts += fmt.Sprintf(", %d random ones of %s", random, format.Name)
	}
	fmt.Fprintln(os.Stderr, "transcript:", counts)
	return t.w.Flush() // returns the first error of any write
}

type transcript struct {
	w     *bufio.Writer
	calls int
}

func (t *transcript) add(c conformance.Case) {
	result, ok := conformance.Answer(c)
	good := uint32(0)
	if ok {
		good = 1
	}
	var head []byte
	for _, n := range []uint32{uint32(c.Op), uint32(len(c.Params)), uint32(len(c.Input)), good, uint32(len(result))} {
		head = binary.LittleEndian.AppendUint32(head, n)
	}
	for _, part := range [][]byte{head, []byte(c.Params), []byte(c.Input), result} {
		_, _ = t.w.Write(part) // Flush returns the error
	}
	t.calls++
}
