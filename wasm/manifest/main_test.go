package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/enginetest"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// TestManifest builds the module, describes it, and compares the manifest with what
// the module says about itself.
func TestManifest(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	dir := t.TempDir()
	module, err := enginetest.BuildGuest("../guest", dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "guest.wasm") // as BuildGuest calls it
	const much = 1 << 30
	if err := run(name, much, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(module)
	digest := hex.EncodeToString(sum[:])
	if m.SHA256 != digest || m.Size != len(module) || m.Gzip < m.Size/10 || m.Gzip > m.Size || m.Go != runtime.Version() || m.File != "guest.wasm" {
		t.Errorf("%+v", m)
	}
	if line, err := os.ReadFile(name + ".sha256"); err != nil || string(line) != digest+"  guest.wasm\n" {
		t.Errorf("%q, %v", line, err)
	}
	said := info(t, module)
	if said.ABI != m.ABI || said.MaxInput != m.MaxInput {
		t.Errorf("the module says %+v", said)
	}
	var listed []listedOp
	for _, o := range m.Ops {
		listed = append(listed, listedOp{o.Op, o.Name})
		if o.Result == "" || o.About == "" {
			t.Errorf("%s is not documented", o.Name)
		}
	}
	if diff := cmp.Diff(said.Ops, listed); diff != "" {
		t.Errorf("(-module +manifest) %s", diff)
	}

	if err := run(name, much, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(name + ".json"); err != nil || !bytes.Equal(again, text) {
		t.Errorf("a second manifest differs: %v", err)
	}
}

type listedOp struct {
	Op   abi.Op
	Name string
}

type said struct {
	ABI      version
	MaxInput int
	Ops      []listedOp
}

func info(t *testing.T, module []byte) (s said) {
	t.Helper()
	m, err := host.Open(context.Background(), module, host.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	result, err := m.Call(context.Background(), abi.Info, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(result, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBudget(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.wasm")
	if err := run(name, 1, &bytes.Buffer{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a module: %v", err)
	}
	if err := os.WriteFile(name, []byte("module"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(name, 1, &bytes.Buffer{}); !errors.Is(err, errBudget) {
		t.Errorf("over the budget: %v", err)
	}
	if _, err := os.Stat(name + ".json"); err != nil {
		t.Error(err)
	}
}
