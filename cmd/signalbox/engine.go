package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/engine"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/spf13/cobra"
)

// The engines, as --engine names them.
const (
	engineNative = "native"
	engineWASM   = "wasm"
)

// moduleName is the module's file, where nobody names another.
const moduleName = "signalbox.wasm"

// maxModule bounds what is read as a module.
const maxModule = 64 << 20

// anyEngine marks the commands that ask the engine for all that they compute. The
// others refuse every engine but the native one, so that nobody takes what they
// say for the module's word.
const anyEngine = "any engine"

// onAnyEngine marks a command.
func onAnyEngine(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{anyEngine: "yes"}
	return cmd
}

func takesEngine(cmd *cobra.Command) bool { return cmd.Annotations[anyEngine] != "" }

// engineCommands names the commands that take an engine.
func engineCommands(cmd *cobra.Command) []string {
	var names []string
	if takesEngine(cmd) {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		names = append(names, name)
	}
	for _, sub := range cmd.Commands() {
		names = append(names, engineCommands(sub)...)
	}
	slices.Sort(names)
	return names
}

// computesNothing tells the commands of the flag parser itself.
func computesNothing(cmd *cobra.Command) bool {
	for ; cmd.HasParent(); cmd = cmd.Parent() {
		switch cmd.Name() {
		case "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
			return true
		}
	}
	return false
}

// chooseEngine starts the engine that was asked for.
func (o *options) chooseEngine(cmd *cobra.Command) error {
	name, origin := o.engine, "--engine"
	if !cmd.Flags().Changed("engine") {
		name, origin = o.env.Getenv("SIGNALBOX_ENGINE"), "SIGNALBOX_ENGINE"
	}
	switch {
	case name == engineNative, name == "" && origin != "--engine", computesNothing(cmd):
		return nil
	case name != engineWASM:
		return usage(fmt.Errorf("unknown engine %q (%s): an engine is native or wasm", name, origin))
	case !takesEngine(cmd):
		return usage(fmt.Errorf("%q runs natively alone, and %s is wasm; the commands that take it are %s",
			cmd.CommandPath(), origin, strings.Join(engineCommands(cmd.Root()), ", ")))
	case !engine.Built:
		return usage(fmt.Errorf("%w (%s is wasm)", engine.ErrNone, origin))
	}
	return o.openEngine(cmd.Context(), cmd.Flags().Changed("wasm-module"))
}

// openEngine starts the module.
func (o *options) openEngine(ctx context.Context, given bool) error {
	path, origin := o.wasm, "--wasm-module"
	if !given {
		path, origin = o.env.Getenv("SIGNALBOX_WASM"), "SIGNALBOX_WASM"
	}
	if given && path == "" {
		return usage(errors.New("--wasm-module is empty, and must be a file"))
	}
	if path == "" {
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("engine: where this program lies: %w", err)
		}
		path, origin = filepath.Join(filepath.Dir(program), moduleName), "beside the program"
	}
	path = o.env.Expand(path)
	const help = `"make wasm" builds it, and --wasm-module or SIGNALBOX_WASM names it`
	module, err := readModule(path)
	if err != nil {
		return &failure{exitFailed, fmt.Errorf("engine: no module at %q (%s): %w; %s", path, origin, err, help)}
	}
	core, err := o.start(ctx, module)
	if err != nil {
		return &failure{exitFailed, fmt.Errorf("engine: %q (%s): %w; %s", path, origin, err, help)}
	}
	o.core = core
	return nil
}

func readModule(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileCause(err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxModule {
		return nil, fmt.Errorf("it is no file of at most %d MiB", maxModule>>20)
	}
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil, fileCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxModule))
}

// start opens the engine with the user's cache of compiled code, or without any,
// which costs a second, where none can be kept.
func (o *options) start(ctx context.Context, module []byte) (engine.Core, error) {
	cache := o.engineCache()
	core, err := o.program.module(ctx, module, cache)
	if cache == "" || !errors.Is(err, engine.ErrCache) {
		return core, err
	}
	o.warn("engine: compiled code is not kept: %v", err)
	return o.program.module(ctx, module, "")
}

// engineCache is where compiled code is kept: it is nobody's but the user's.
func (o *options) engineCache() string {
	dir := o.env.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "signalbox", "wasm")
}
