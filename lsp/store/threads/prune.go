package threads

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prune removes what the cache knows of repositories that nobody opened for
// long, and what interrupted writes left. Threads that were archived stay. keep
// names the repositories that are open.
func prune(stateDir string, keep map[string]bool, now time.Time) error {
	top := filepath.Join(stateDir, cacheDir)
	repositories, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	for _, r := range repositories {
		if !r.IsDir() {
			continue
		}
		dir := filepath.Join(top, r.Name())
		files, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			age := now.Sub(info.ModTime())
			archived := exists(filepath.Join(dir, strings.TrimSuffix(f.Name(), ".json")))
			left := strings.HasPrefix(f.Name(), newPrefix) && age > 24*time.Hour
			if left || !keep[r.Name()] && !archived && age > forgetAfter {
				if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
					return err
				}
			}
		}
		// It fails unless nothing is left, which is what is wanted.
		_ = os.Remove(dir)
	}
	return nil
}
