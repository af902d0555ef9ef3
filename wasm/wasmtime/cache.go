package wasmtime

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// engineVersion is the version of the wasmtime library in the bindings.
const engineVersion = "44.0.0"

// load compiles a module, or takes its code from the cache. The cached file's name identifies the
// module, the version of wasmtime, the system and whether calls have a timeout. wasmtime refuses
// code for another processor or other settings.
func load(e *wasmtime.Engine, module []byte, o Options) (*wasmtime.Module, error) {
	if o.CacheDir == "" {
		return compileModule(e, module)
	}
	if err := engine.PrivateDir(o.CacheDir); err != nil {
		return nil, err
	}
	path := filepath.Join(o.CacheDir, cacheName(module, o))
	info, err := os.Lstat(path)
	switch {
	case err == nil && ours(info):
		if compiled, err := wasmtime.NewModuleDeserializeFile(e, path); err == nil {
			return compiled, nil
		}
		// What wasmtime refuses is compiled again and replaced.
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("host: compilation cache: %w", err)
	}
	compiled, err := compileModule(e, module)
	if err != nil {
		return nil, err
	}
	if err := keep(compiled, path); err != nil {
		compiled.Close()
		return nil, fmt.Errorf("host: compilation cache: %w", err)
	}
	return compiled, nil
}

func compileModule(e *wasmtime.Engine, module []byte) (*wasmtime.Module, error) {
	compiled, err := wasmtime.NewModule(e, module)
	if err != nil {
		return nil, engine.NotCompiled(err)
	}
	return compiled, nil
}

func cacheName(module []byte, o Options) string {
	digest := sha256.Sum256(module)
	name := hex.EncodeToString(digest[:]) + "-wasmtime-" + engineVersion + "-" + runtime.GOOS + "-" + runtime.GOARCH
	if o.Timeout > 0 {
		name += "-epochs"
	}
	return name + ".cwasm"
}

// ours reports whether [keep] wrote a file. The directory is private, so this protects
// only against mistakes.
func ours(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0)
}

// keep writes compiled code to a temporary file and renames it: the file is mapped into
// the memory of every process that uses it, and must never change.
func keep(compiled *wasmtime.Module, path string) error {
	code, err := compiled.Serialize()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(code)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		if err = os.Rename(f.Name(), path); err == nil {
			return nil
		}
		if _, there := os.Lstat(path); there == nil {
			err = nil // Windows does not replace a file that another process has mapped
		}
	}
	return errors.Join(err, os.Remove(f.Name()))
}
