package samp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

const testdata = "../../testdata/samp"

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// TestIDVectors holds I1 and I2 against ids that CPython computed.
func TestIDVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			Record  json.RawMessage
			Spaced  string `json:"id_spaced"`
			Compact string `json:"id_compact"`
		}
	}
	readJSON(t, "ids.json", &file)
	if len(file.Vectors) < 30 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	for i, v := range file.Vectors {
		t.Run("I1 I2/"+strconv.Itoa(i), func(t *testing.T) {
			r, err := samp.Parse(v.Record)
			if err != nil {
				t.Fatal(err)
			}
			if got := samp.ID(&r, samp.V1); got != v.Spaced {
				t.Errorf("spaced id of %+v is %s, want %s", r, got, v.Spaced)
			}
			if got := samp.ID(&r, samp.V1Compact); got != v.Compact {
				t.Errorf("compact id of %+v is %s, want %s", r, got, v.Compact)
			}
		})
	}
}

// TestThreadVectors holds T1 and T2 against names the published tool derived.
func TestThreadVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			In     string `json:"body_in"`
			From   string
			Date   string
			Thread string
			Stored string `json:"body_stored"`
		}
	}
	readJSON(t, "threads.json", &file)
	if len(file.Vectors) < 20 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run("T1 T2/"+v.In, func(t *testing.T) {
			thread, stored := samp.DeriveThread(v.In, v.From, v.Date, samp.V1)
			if thread != v.Thread || stored != v.Stored {
				t.Errorf("got %q and body %q, want %q and %q", thread, stored, v.Thread, v.Stored)
			}
		})
	}
}

type listed struct {
	ID     string `json:"id"`
	TS     int64  `json:"ts"`
	From   string `json:"from"`
	Thread string `json:"thread"`
}

// TestFixtureStores reads both stores of the published tool as every reader.
func TestFixtureStores(t *testing.T) {
	for _, store := range []struct {
		name    string
		profile samp.Profile
	}{{"store-spaced", samp.V1}, {"store-compact", samp.V1Compact}} {
		var want struct {
			All map[string][]listed `json:"inbox_all"`
		}
		readJSON(t, store.name+"/expected.json", &want)
		logs, err := filepath.Glob(filepath.Join(testdata, store.name, "log-*.jsonl"))
		if err != nil || len(logs) == 0 {
			t.Fatal(err, logs)
		}
		slices.Sort(logs)
		for me, messages := range want.All {
			t.Run(store.name+"/N3/"+me, func(t *testing.T) {
				box := samp.Gather(findAll(t, logs, me, store.profile))
				got := []listed{}
				for _, m := range box.Messages {
					got = append(got, listed{m.Key, m.TS, m.From, m.Thread})
				}
				if diff := cmp.Diff(messages, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func findAll(t *testing.T, logs []string, me string, p samp.Profile) []samp.Found {
	t.Helper()
	var found []samp.Found
	for rank, path := range logs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stem, _ := samp.LogStem(filepath.Base(path))
		more, _ := samp.Find(data, stem, rank, &me, p)
		found = append(found, more...)
	}
	return found
}
