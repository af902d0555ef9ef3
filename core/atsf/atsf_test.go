package atsf_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/canon"
)

const testdata = "../../testdata/atsf"

// fixtures are the files of the given name, by path below testdata.
func fixtures(tb testing.TB, name string) map[string][]byte {
	tb.Helper()
	found := make(map[string][]byte)
	err := filepath.WalkDir(testdata, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name != "" && e.Name() != name {
			return err
		}
		data, err := os.ReadFile(path)
		found[filepath.ToSlash(strings.TrimPrefix(path, testdata+string(filepath.Separator)))] = data
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(found) == 0 {
		tb.Fatalf("no fixture is called %q", name)
	}
	return found
}

func fault(t *testing.T, err error) *canon.Fault {
	t.Helper()
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok {
		t.Fatalf("got error %v, want a Fault", err)
	}
	return f
}

// rules lists "rule field" of each finding.
func rules(list []canon.Fault) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, strings.TrimSpace(f.Rule+" "+f.Field))
	}
	return out
}

// tree is what encoding/json makes of a text, numbers as they are written.
func tree(t *testing.T, data []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}
