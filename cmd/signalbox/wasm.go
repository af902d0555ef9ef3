//go:build !nowasm

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/task"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/detect"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/engine"
	"github.com/signalbox-dev/signalbox/wasm/host"
	"github.com/spf13/cobra"
)

const (
	// maxVerified is the largest module or file, in bytes, that is read. Larger files
	// are reported and skipped.
	maxVerified = 64 << 20
	// shownDifferences is how many differing calls are printed.
	shownDifferences = 20
)

func wasmCommands(o *cli.Options) []*cobra.Command {
	cmd := &cobra.Command{Use: "wasm", Annotations: cli.Uses("dir"), Example: `  signalbox wasm verify bin/signalbox.wasm`, Short: "Check the WebAssembly module of the protocol core", Args: cobra.NoArgs}
	c := &moduleCheck{Options: o}
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
			if err := c.verify(cmd.Context(), o.Absolute(args[0]), args[1:]); err != nil {
				return fmt.Errorf("wasm verify: %w", err)
			}
			return nil
		}),
	}
	check.Flags().DurationVar(&c.limit, "timeout", time.Minute, "how long a call may take")
	cmd.AddCommand(check)
	return []*cobra.Command{cmd}
}

// moduleCheck compares a module, which may be anyone's program, with the native core over files.
type moduleCheck struct {
	*cli.Options
	limit                   time.Duration
	module                  *host.Module
	files, calls, differing int
}

func (c *moduleCheck) verify(ctx context.Context, file string, folders []string) error {
	code, err := c.ReadInput(file, maxVerified)
	if err == nil && len(code) > maxVerified {
		err = errTooLarge
	}
	if err != nil {
		return err
	}
	c.module, err = host.Open(ctx, code, host.Options{Instances: 1, MaxInput: maxVerified, Timeout: c.limit})
	if err != nil {
		return fmt.Errorf("%q: %w", file, err)
	}
	defer c.module.Close()
	if len(folders) == 0 {
		folders = c.places()
	}
	for _, dir := range folders {
		if err := c.folder(ctx, c.Absolute(dir)); errors.Is(err, engine.ErrTimeout) {
			return fmt.Errorf("%q: a call did not end within %v", file, c.limit)
		} else if err != nil {
			return err
		}
	}
	switch {
	case c.files == 0:
		return errors.New(`no logs, threads, tasks or mail were found from here; "signalbox doctor" says where they are looked for`)
	case c.differing > 0:
		return fmt.Errorf("%d of %d answers differ, over %s", c.differing, c.calls, cli.Plural(c.files, "file"))
	}
	_, err = fmt.Fprintf(c.Stdout, "%d answers over %s are the same\n", c.calls, cli.Plural(c.files, "file"))
	return err
}

// places lists the folders that hold mail, tasks, signed mail and threads, each once.
func (c *moduleCheck) places() []string {
	list := []string{
		c.Locate().Value, (&ampsource.Access{Env: c.Env}).Locate().Value,
		filepath.Join(who.Tree(c.Env.Work), atsf.DirName),
	}
	if tasks, err := (&task.Commands{Options: c.Options}).Place(); err == nil {
		list = append(list, tasks.Value)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// folder compares the answers for every file of a known format in a folder and its subfolders.
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
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = c.file(ctx, root, name)
		}
		if errors.Is(err, engine.ErrTimeout) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			c.Warn("%s: %v: not compared", filepath.Join(dir, filepath.FromSlash(name)), cli.FileCause(err))
		}
		return ctx.Err()
	})
}

var errTooLarge = fmt.Errorf("larger than %d MiB", maxVerified>>20)

// file makes every call that reads a file of its format, and prints the calls whose answers differ.
func (c *moduleCheck) file(ctx context.Context, root *os.Root, name string) error {
	if info, err := root.Stat(name); err != nil || info.Size() > maxVerified {
		return cmp.Or(err, errTooLarge)
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
	lines := found.Kind == detect.Log || found.Kind == detect.Messages || found.Kind == detect.Rejections
	for call := range conformance.Of(string(found.Protocol), path.Base(name), string(data), lines) {
		d, same, err := conformance.Compare(ctx, c.module, call)
		if err != nil {
			return err
		}
		c.calls++
		if same {
			continue
		}
		if c.differing++; c.differing <= shownDifferences {
			c.Warn("%s: op %v with %.200q differs: module %.200q (%v), this program %.200q", filepath.Join(root.Name(), filepath.FromSlash(name)), call.Op, call.Params, d.Module, d.Trap, d.Native)
		}
	}
	return ctx.Err()
}
