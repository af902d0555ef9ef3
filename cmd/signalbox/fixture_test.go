package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// inProcess runs the command without a process of its own.
func inProcess(t *testing.T, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, errs bytes.Buffer
	p := &cli.Program{
		Env: environ.Env{Getenv: func(name string) string { return env[name] }, Home: t.TempDir(), Work: t.TempDir()},
		Now: func() time.Time { return time.Date(2026, 4, 25, 12, 0, 0, 0, time.UTC) },
		In:  in, Stdout: &out, Stderr: &errs,
	}
	code = run(p, append([]string{"signalbox"}, args...))
	return out.String(), errs.String(), code
}

// TestFixtures reads both stores that the published tool's two forms wrote,
// as every reader (rules N3, S1, I1, I3).
func TestFixtures(t *testing.T) {
	type message struct {
		ID     string `json:"id"`
		TS     int64  `json:"ts"`
		From   string `json:"from"`
		Thread string `json:"thread"`
	}
	for _, name := range []string{"store-spaced", "store-compact"} {
		dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "samp", name))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		var expected struct {
			All map[string][]message `json:"inbox_all"`
		}
		if err := json.Unmarshal(data, &expected); err != nil {
			t.Fatal(err)
		}
		if len(expected.All) == 0 {
			t.Fatalf("%s expects nothing", name)
		}
		for reader, want := range expected.All {
			t.Run(name+"/"+reader, func(t *testing.T) {
				out, errs, code := inProcess(t, nil, "--dir", dir, "--as", reader, "--json", "inbox", "all")
				if code != 0 {
					t.Fatalf("exit code %d: %s", code, errs)
				}
				got := []message{}
				for dec := json.NewDecoder(bytes.NewReader([]byte(out))); dec.More(); {
					var m message
					if err := dec.Decode(&m); err != nil {
						t.Fatal(err)
					}
					got = append(got, m)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("inbox all (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestVectors sends every vector through samp id and samp thread (rules I1,
// I2, T1, T2).
func TestVectors(t *testing.T) {
	var ids struct {
		Vectors []struct {
			Record  json.RawMessage `json:"record"`
			Spaced  string          `json:"id_spaced"`
			Compact string          `json:"id_compact"`
		} `json:"vectors"`
	}
	readJSON(t, "ids.json", &ids)
	var lines, spaced, compact bytes.Buffer
	for _, v := range ids.Vectors {
		if err := json.Compact(&lines, v.Record); err != nil {
			t.Fatal(err)
		}
		lines.WriteByte('\n')
		spaced.WriteString(v.Spaced + "\n")
		compact.WriteString(v.Compact + "\n")
	}
	if len(ids.Vectors) == 0 {
		t.Fatal("no vectors")
	}
	for profile, want := range map[string]string{"v1": spaced.String(), "auto": spaced.String(), "v1-compact": compact.String()} {
		if got := withStdin(t, lines.String(), "samp", "id", "--profile", profile); got != want {
			t.Errorf("samp id --profile %s:\n%s", profile, cmp.Diff(want, got))
		}
	}
	var threads struct {
		Vectors []struct {
			Body   string `json:"body_in"`
			From   string `json:"from"`
			Date   string `json:"date"`
			Thread string `json:"thread"`
			Stored string `json:"body_stored"`
		} `json:"vectors"`
	}
	readJSON(t, "threads.json", &threads)
	if len(threads.Vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range threads.Vectors {
		var got struct{ Thread, Body string }
		out := withStdin(t, v.Body, "samp", "thread", "--from", v.From, "--date", v.Date)
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if got.Thread != v.Thread || got.Body != v.Stored {
			t.Errorf("%q: got %q, want %q and %q", v.Body, got, v.Thread, v.Stored)
		}
	}
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "samp", name))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withStdin runs a command that must succeed with a text on stdin.
func withStdin(t *testing.T, text string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, errs bytes.Buffer
	p := &cli.Program{Env: environ.Env{Getenv: func(string) string { return "" }}, Now: time.Now, In: in, Stdout: &out, Stderr: &errs}
	if code := run(p, append([]string{"signalbox"}, args...)); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return out.String()
}
