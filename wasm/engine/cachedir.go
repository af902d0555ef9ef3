package engine

import (
	"fmt"
	"os"
	"runtime"
)

// PrivateDir makes a directory for compiled code, or checks an existing one. Anyone who
// can write in it can run code in this process, so only its owner may enter it. On
// Windows the user's profile keeps others out, not the mode.
func PrivateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("host: compilation cache: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("host: compilation cache: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("host: compilation cache: %q is not a directory", dir)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("host: compilation cache: %q has mode %04o, and holds code: make it 0700", dir, info.Mode().Perm())
	}
	return nil
}
