package enginetest

import (
	"encoding/json"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

// sampStore is a directory that the published tool wrote.
const sampStore = "samp/store-spaced"

func fixtures(t testing.TB) *conformance.Fixtures {
	t.Helper()
	f, err := conformance.Load(os.DirFS("../../testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fixture returns a file by its path in testdata.
func fixture(t testing.TB, name string) string {
	t.Helper()
	text := fixtures(t).File(name)
	if text == "" {
		t.Fatalf("there is no fixture %s", name)
	}
	return text
}

// agnChain returns the texts of the fixture's task, in order.
func agnChain(t testing.TB) (list []string) {
	t.Helper()
	all := fixtures(t)
	for _, name := range all.Under("agn/amp-chain") {
		list = append(list, all.File(name))
	}
	if len(list) < 6 {
		t.Fatalf("%d messages", len(list))
	}
	return list
}

// lengths returns the lengths of texts as JSON.
func lengths(texts []string) string {
	list := []string{}
	for _, s := range texts {
		list = append(list, strconv.Itoa(len(s)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// sampLogs returns the logs of sampStore as samp.inbox takes them.
func sampLogs(t testing.TB) (list, data string) {
	t.Helper()
	all := fixtures(t)
	var parts []string
	for _, name := range all.Under(sampStore) {
		if path.Ext(name) == ".jsonl" {
			parts = append(parts, `{"name":"`+path.Base(name)+`","length":`+strconv.Itoa(len(all.File(name)))+`}`)
			data += all.File(name)
		}
	}
	if len(parts) < 5 {
		t.Fatalf("%d logs", len(parts))
	}
	return "[" + strings.Join(parts, ",") + "]", data
}

// expected returns the ids of the messages of sampStore that the published tool shows, by reader.
func expected(t testing.TB) map[string][]string {
	t.Helper()
	var file struct {
		All map[string][]struct{ ID string } `json:"inbox_all"`
	}
	if err := json.Unmarshal([]byte(fixtures(t).File(sampStore+"/expected.json")), &file); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for reader, messages := range file.All {
		for _, m := range messages {
			want[reader] = append(want[reader], m.ID)
		}
	}
	if len(file.All) < 5 || len(want["bob"]) < 20 {
		t.Fatalf("%d readers", len(file.All))
	}
	return want
}
