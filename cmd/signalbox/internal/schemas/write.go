package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The table of commands stands between these lines of docs/json.md.
const (
	tableBegin = "<!-- commands -->\n"
	tableEnd   = "<!-- end of commands -->"
)

// Write writes the schemas and the table of commands into the repository. A schema that
// nothing prints any more is removed.
func Write(root string) error {
	dir := filepath.Join(root, "docs", "json")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	comments := Read(root)
	var faults []error
	for _, v := range Values() {
		data, err := comments.File(v)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, Name(v)+".schema.json"), data, 0o644)
		}
		faults = append(faults, err)
	}
	return errors.Join(append(faults, writeTable(filepath.Join(root, "docs", "json.md")))...)
}

func writeTable(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no %q and %q", name, tableBegin, tableEnd)
	}
	var b strings.Builder
	b.WriteString(before + tableBegin + "\n| command | each line is one of |\n|---|---|\n")
	commands := Commands()
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		var links []string
		for _, v := range commands[command] {
			links = append(links, fmt.Sprintf("[%s](json/%[1]s.schema.json)", Name(v)))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", command, cmp.Or(strings.Join(links, ", "), "(it prints nothing)"))
	}
	return os.WriteFile(name, []byte(b.String()+"\n"+tableEnd+after), 0o644)
}
