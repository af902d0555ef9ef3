package enginetest

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

// ampNoon is a time at which no fixture of amp/0.1 has expired: 2026-11-22T12:00:00Z.
const ampNoon = 1795348800000

func fixtures(t testing.TB) *conformance.Fixtures {
	t.Helper()
	f, err := conformance.Load(os.DirFS("../../testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return f
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

// lengths lists the lengths of texts, as JSON.
func lengths(texts []string) string {
	list := []string{}
	for _, s := range texts {
		list = append(list, strconv.Itoa(len(s)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func ampFile(t testing.TB, name string) string {
	t.Helper()
	text := fixtures(t).File("amp/" + name)
	if text == "" {
		t.Fatalf("there is no fixture %s", name)
	}
	return text
}

// ampFiles are the messages of the fixtures, by folder and name: "inbox-01-plain".
func ampFiles(t testing.TB) map[string]string {
	t.Helper()
	all := fixtures(t)
	files := map[string]string{}
	for _, name := range slices.Concat(all.Under("amp/sent"), all.Under("amp/inbox")) {
		files[path.Base(path.Dir(name))+"-"+strings.TrimSuffix(path.Base(name), ".json")] = all.File(name)
	}
	if len(files) < 20 {
		t.Fatalf("%d fixtures", len(files))
	}
	return files
}

func ampDrafts() map[string]string { return conformance.Drafts() }

// agentThread is a fixture's two files.
type agentThread struct{ dir, thread, messages string }

func agentThreads(t testing.TB) (list []agentThread) {
	t.Helper()
	all := fixtures(t)
	for _, name := range all.Under("atsf") {
		if path.Base(name) == atsf.ThreadName {
			dir := path.Dir(name)
			list = append(list, agentThread{dir, all.File(name), all.File(dir + "/" + atsf.MessagesName)})
		}
	}
	if len(list) != 8 {
		t.Fatalf("%d threads", len(list))
	}
	return list
}

// sampStore is a directory that the published tool wrote.
const sampStore = "samp/store-spaced"

// sampLogs returns the directory's logs as samp.inbox takes them, in order of their
// names.
func sampLogs(t testing.TB) (logs []mailLog) {
	t.Helper()
	all := fixtures(t)
	for _, name := range all.Under(sampStore) {
		if path.Ext(name) == ".jsonl" {
			logs = append(logs, mailLog{path.Base(name), all.File(name)})
		}
	}
	if len(logs) < 5 {
		t.Fatalf("%d logs", len(logs))
	}
	return logs
}

// mailLog is a log's file name and its text.
type mailLog struct{ name, text string }

func join(logs []mailLog) (list, data string) {
	var parts []string
	for _, l := range logs {
		parts = append(parts, `{"name":"`+l.name+`","length":`+strconv.Itoa(len(l.text))+`}`)
		data += l.text
	}
	return "[" + strings.Join(parts, ",") + "]", data
}

// expected lists the ids of what the published tool shows of the directory, by reader.
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
