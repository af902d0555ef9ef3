// Command plugingen writes the plugins for agents' programs into a folder: with one argument
// into the repository's own, in the version of the source.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "plugingen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return errors.New("usage: plugingen FOLDER [VERSION]")
	}
	version := ""
	if len(args) == 2 {
		version = args[1]
	} else if err := sourceVersion(args[0], &version); err != nil {
		return err
	}
	files, err := setup.Plugins(version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(args[0], "plugins")); err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(args[0], filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// sourceVersion reads the version that the source carries.
func sourceVersion(root string, version *string) error {
	text, err := os.ReadFile(filepath.Join(root, "extension", "package.json"))
	if err != nil {
		return err
	}
	manifest := struct {
		Version *string `json:"version"`
	}{version}
	return json.Unmarshal(text, &manifest)
}
