// Command profile tells which functions of the core's module run for which format,
// for package linked to divide the module by.
//
//	profile module-with-names folder-of-testdata > wasm/guest/parts.txt
//
// It makes the calls of package conformance over every fixture, and an inbox large
// enough for the collector to run. Part 0 is what runs when the module starts, in
// the calls of SAMP, or in those of two other formats; the parts behind it are
// what runs for one format alone.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("give a module whose functions have names, and the folder of the fixtures")
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	fixtures, err := conformance.Load(os.DirFS(args[1]))
	if err != nil {
		return err
	}
	parts, err := record(module, fixtures)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return errors.New("no function has a name: link the module with -ldflags=-w")
	}
	return write(out, parts)
}

// recorder is the set of functions that ran since it was cleared, by their names.
type recorder map[string]bool

// NewFunctionListener is what the engine asks for each function that it compiles.
func (r recorder) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	name := f.Name()
	return experimental.FunctionListenerFunc(func(context.Context, api.Module, api.FunctionDefinition, []uint64, experimental.StackIterator) {
		if name != "" {
			r[name] = true
		}
	})
}

// record gives the part of each function that runs.
func record(module []byte, fixtures *conformance.Fixtures) (map[string]int, error) {
	cases, err := fixtures.Cases()
	if err != nil {
		return nil, err
	}
	running := recorder{}
	ctx := experimental.WithFunctionListenerFactory(context.Background(), running)
	m, err := host.Open(ctx, module, host.Options{Instances: 1})
	if err != nil {
		return nil, err
	}
	parts := map[string]int{}
	for part, format := range conformance.Formats() {
		for _, c := range cases {
			if c.Op < format.First || c.Op > format.Last {
				continue
			}
			// What refuses runs, too.
			if _, err := m.Call(ctx, c.Op, []byte(c.Params), []byte(c.Input)); err != nil && !isRefusal(err) {
				return nil, errors.Join(err, m.Close())
			}
		}
		if part == 0 {
			if err := manyRecords(ctx, m); err != nil {
				return nil, errors.Join(err, m.Close())
			}
		}
		for name := range running {
			if _, known := parts[name]; known {
				parts[name] = 0
			} else {
				parts[name] = part
			}
		}
		clear(running)
	}
	return parts, m.Close()
}

func isRefusal(err error) bool {
	e, ok := errors.AsType[*host.Error](err)
	return ok && e.Code != abi.Trap
}

// manyRecords asks for an inbox that leaves much garbage.
func manyRecords(ctx context.Context, m *host.Module) error {
	var log strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&log, `{"id":"%016x","ts":%d,"from":"alice","to":"bob","thread":"t%d","body":"say \"hello\" \u00e9"}`+"\n", i, 1777075200+i*7919%100_003, i%97)
	}
	_, err := m.SAMP().Inbox(ctx, host.InboxQuery{Me: "bob", Mode: host.All(), Logs: []host.Log{{Name: "log-alice.jsonl", Data: []byte(log.String())}}})
	return err
}

func write(out io.Writer, parts map[string]int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, `# Which functions of the module run when it starts and for SAMP (0), and for one`)
	fmt.Fprintln(w, `# other format alone: the parts that a host may load when they are first called.`)
	fmt.Fprintln(w, `# Written by "make wasm-profile", read by wasm/linked.`)
	names := slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
		if parts[a] != parts[b] {
			return parts[a] - parts[b]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		fmt.Fprintln(w, parts[name], name)
	}
	return w.Flush()
}
