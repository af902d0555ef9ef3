//go:build !nowasm

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/task"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/detect"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	signed "github.com/signalbox-dev/signalbox/lsp/panel/source/amp"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/engine"
	"github.com/signalbox-dev/signalbox/wasm/host"
	"github.com/spf13/cobra"
)

const (
	// maxModule bounds the module that is read, in bytes.
	maxModule = 64 << 20
	// maxVerified bounds one call's input: larger files are named and left out.
	maxVerified = 64 << 20
	// maxCall is how long one call may take. The module is a stranger's program.
	maxCall = time.Minute
	// shownDifferences is how many differing calls are printed.
	shownDifferences = 20
)

func wasmCommands(o *cli.Options) []*cobra.Command {
	cmd := &cobra.Command{Use: "wasm", Annotations: cli.Uses("dir"), Example: `  signalbox wasm verify bin/signalbox.wasm`, Short: "Check the WebAssembly module of the protocol core", Args: cobra.NoArgs}
	var limit time.Duration
	check := &cobra.Command{
		Use:   "verify <module> [folder...]",
		Short: "Run a module over your own files and compare it with this program",
		Long: `Run a module (signalbox.wasm) over the logs, threads, tasks and signed mail in the
folders, and compare each answer with this program's own. By default these are
your mail, tasks and signed mail, and the threads of the project you are in. It
is for people who embed the module. Nothing is written. Exit code 1 if an answer
differs, if a call does not end in time, or if no file was found to compare.`,
		Example: "  signalbox wasm verify bin/signalbox.wasm",
		Args:    cobra.MinimumNArgs(1),
		RunE: o.Working("comparing", func(cmd *cobra.Command, args []string) error {
			return verifyModule(cmd.Context(), o, o.Absolute(args[0]), args[1:], limit)
		}),
	}
	check.Flags().DurationVar(&limit, "timeout", maxCall, "how long a call may take")
	cmd.AddCommand(check)
	return []*cobra.Command{cmd}
}

func verifyModule(ctx context.Context, o *cli.Options, file string, folders []string, limit time.Duration) error {
	code, err := o.ReadInput(file, maxModule)
	if err == nil && len(code) > maxModule {
		err = fmt.Errorf("larger than %d MiB", maxModule>>20)
	}
	if err != nil {
		return fmt.Errorf("wasm verify: %w", err)
	}
	m, err := host.Open(ctx, code, host.Options{Instances: 1, MaxInput: maxVerified, Timeout: limit})
	if err != nil {
		return fmt.Errorf("wasm verify: %q: %w", file, err)
	}
	defer m.Close()
	c := &moduleCheck{Options: o, module: m}
	if len(folders) == 0 {
		folders = c.places()
	}
	for _, dir := range folders {
		if err := c.folder(ctx, o.Absolute(dir)); errors.Is(err, engine.ErrTimeout) {
			return fmt.Errorf("wasm verify: %q: a call did not end within %v", file, limit)
		} else if err != nil {
			return err
		}
	}
	switch {
	case c.files == 0:
		return errors.New(`wasm verify: no logs, threads, tasks or mail were found from here; "signalbox doctor" says where they are looked for`)
	case c.differing > 0:
		return fmt.Errorf("wasm verify: %d of %d answers differ, over %s", c.differing, c.calls, cli.Plural(c.files, "file"))
	}
	w := o.Writer()
	fmt.Fprintf(w, "%d answers over %s are the same\n", c.calls, cli.Plural(c.files, "file"))
	return w.Flush()
}

// moduleCheck compares a module with the native core over folders of files.
type moduleCheck struct {
	*cli.Options
	module                  *host.Module
	files, calls, differing int
}

// places lists the folders that hold mail, tasks, signed mail and threads, each once.
func (c *moduleCheck) places() []string {
	list := []string{
		c.Locate().Value, (&signed.Access{Env: c.Env}).Locate().Value,
		filepath.Join(who.Tree(c.Env.Work), atsf.DirName),
	}
	if tasks, err := (&task.Commands{Options: c.Options}).Place(); err == nil {
		list = append(list, tasks.Value)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// folder compares the answers for every file of a known format in a folder and below.
func (c *moduleCheck) folder(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		c.Warn("%s: %v: not compared", dir, cli.FileCause(err))
		return nil
	}
	defer root.Close()
	logs := map[string]string{}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = c.file(ctx, root, name, logs)
		}
		if errors.Is(err, engine.ErrTimeout) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			c.Warn("%s: %v: not compared", filepath.Join(dir, filepath.FromSlash(name)), cli.FileCause(err))
		}
		return ctx.Err()
	})
	if err != nil || len(logs) == 0 {
		return err
	}
	return c.directory(ctx, dir, logs)
}

var errTooLarge = fmt.Errorf("larger than a call's %d MiB", maxVerified>>20)

// file compares the answers for one file, and keeps the logs of mail for
// [moduleCheck.directory].
func (c *moduleCheck) file(ctx context.Context, root *os.Root, name string, logs map[string]string) error {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	if info.Size() > maxVerified {
		return errTooLarge
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return err
	}
	found := detect.File(name, data)
	if found.Protocol == "" {
		return nil
	}
	c.files++
	if found.Protocol == mail.SAMP && found.Kind == detect.Log {
		logs[path.Base(name)] = string(data)
	}
	lines := found.Kind == detect.Log || found.Kind == detect.Messages || found.Kind == detect.Rejections
	where := filepath.Join(root.Name(), filepath.FromSlash(name))
	return c.compare(ctx, where, conformance.Of(string(found.Protocol), path.Base(name), string(data), lines))
}

// directory compares the answers for all logs of a message directory at once, with
// each log's owner as the reader.
func (c *moduleCheck) directory(ctx context.Context, dir string, logs map[string]string) error {
	size := 0
	var readers []string
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		size += len(logs[name])
		if stem, ok := samp.LogStem(name); ok && samp.ValidAlias(stem) {
			readers = append(readers, stem)
		}
	}
	if size > maxVerified {
		c.Warn("%s: its logs together are %v: compared one by one alone", dir, errTooLarge)
		return nil
	}
	for _, profile := range []samp.Profile{samp.V1, samp.V1Compact} {
		if err := c.compare(ctx, dir, slices.Values(conformance.Directory(logs, readers, profile.String()))); err != nil {
			return err
		}
	}
	return nil
}

// compare makes calls, and prints those whose answers differ, with both answers.
func (c *moduleCheck) compare(ctx context.Context, where string, calls iter.Seq[conformance.Case]) error {
	for call := range calls {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, same, err := conformance.Compare(ctx, c.module, call)
		if err != nil {
			return err
		}
		c.calls++
		if same {
			continue
		}
		if c.differing++; c.differing > shownDifferences {
			continue
		}
		module := fmt.Sprintf("%.200q", d.Module)
		if d.Trap != nil {
			module = d.Trap.Error()
		}
		c.Warn("%s: op %v with %.200q differs: module %s, this program %.200q", where, call.Op, call.Params, module, d.Native)
	}
	return nil
}
