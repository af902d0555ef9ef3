// Command manifest describes the module for a release: next to signalbox.wasm it
// writes signalbox.wasm.sha256, which sha256sum -c reads, and signalbox.wasm.json,
// the manifest. It prints hash and sizes, and fails if the module is over its
// budget.
//
//	manifest [-budget bytes] signalbox.wasm
//
// The same module and toolchain produce the same files on any machine.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// manifest is what signalbox.wasm.json holds. New members may come. Existing ones
// keep their meaning while Format is the same.
type manifest struct {
	// Format is "signalbox-wasm-manifest/1".
	Format string `json:"format"`
	// File is the module's base name.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Size is the module's size in bytes, and Gzip its packed size.
	Size int `json:"size"`
	Gzip int `json:"gzip"`
	// ABI is the version in package wasm/abi.
	ABI version `json:"abi"`
	// Go is the toolchain that built it.
	Go string `json:"go"`
	// MaxInput and MaxMemory are limits in bytes.
	MaxInput  int `json:"maxInput"`
	MaxMemory int `json:"maxMemory"`
	// Imports is the only module whose functions it imports.
	Imports string `json:"imports"`
	Ops     []op   `json:"ops"`
	// Shapes are the objects that the parameters and results of ops name.
	Shapes map[string]string `json:"shapes"`
}

type version struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
}

type op struct {
	Op         abi.Op `json:"op"`
	Name       string `json:"name"`
	Parameters string `json:"parameters"`
	Argument   string `json:"argument"`
	Result     string `json:"result"`
	About      string `json:"about"`
}

func main() {
	budget := flag.Int("budget", 2_000_000, "the most bytes that the packed module may have")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *budget, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "manifest:", err)
		os.Exit(1)
	}
}

// errBudget is the error for a module that is too large. Its files are written.
var errBudget = errors.New(`the module is over its budget: see what it imports with "go list -deps ./wasm/guest"`)

func run(name string, budget int, out io.Writer) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	m, err := describe(filepath.Base(name), module)
	if err != nil {
		return err
	}
	text, err := m.text()
	if err != nil {
		return err
	}
	// Two blanks, as in the output of sha256sum.
	if err := os.WriteFile(name+".sha256", []byte(m.SHA256+"  "+m.File+"\n"), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", text, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, ABI %d.%d with %d ops, %s\nsha256 %s\nraw    %d bytes\ngzip   %d bytes of at most %d\n",
		name, m.ABI.Major, m.ABI.Minor, len(m.Ops), m.Go, m.SHA256, m.Size, m.Gzip, budget)
	if m.Gzip > budget {
		return errBudget
	}
	return nil
}

// describe returns the manifest of a module that this toolchain built.
func describe(file string, module []byte) (manifest, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return manifest{}, err
	}
	_, err = w.Write(module)
	if err := errors.Join(err, w.Close()); err != nil {
		return manifest{}, err
	}
	sum := sha256.Sum256(module)
	m := manifest{
		Format: "signalbox-wasm-manifest/1", File: file, SHA256: hex.EncodeToString(sum[:]), Size: len(module), Gzip: packed.Len(),
		ABI: version{abi.Major, abi.Minor}, Go: runtime.Version(), MaxInput: abi.MaxInput, MaxMemory: abi.MaxMemory, Imports: abi.ImportModule,
		Ops: ops(), Shapes: shapes(),
	}
	return m, nil
}

func (m manifest) text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}
