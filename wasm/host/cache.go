package host

import (
	"fmt"
	"os"
	"runtime"

	"github.com/tetratelabs/wazero"
)

// openCache opens a directory of compiled code. Whoever can write there can run
// code in this process, so it has to be a real directory that only its owner
// can enter. On Windows the user's profile keeps others out, not a mode.
func openCache(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("host: compilation cache: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("host: compilation cache: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("host: compilation cache: %q is not a directory", dir)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("host: compilation cache: %q has mode %04o, and holds code: make it 0700", dir, info.Mode().Perm())
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, fmt.Errorf("host: compilation cache: %w", err)
	}
	return cache, nil
}
