package ops_test

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// The tests on fixtures compare what the ops say, run natively, with the core and
// with what other programs made. Package conformance repeats the calls in the
// engines, which must answer the same bytes.

func fixtures(t testing.TB) *conformance.Fixtures {
	t.Helper()
	f, err := conformance.Load(os.DirFS("../../../testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// called runs ops.
type called struct{}

// call runs an op, and checks that it does not change its input.
func (called) call(t testing.TB, op abi.Op, params, input string) (result string, ok bool) {
	t.Helper()
	a, b := []byte(params), []byte(input)
	out, ok := ops.Call(nil, op, a, b)
	if string(a) != params || string(b) != input {
		t.Fatalf("%v changed its input %.500q %.500q", op, params, input)
	}
	return string(out), ok
}

// must runs an op that must not fail.
func (c called) must(t testing.TB, op abi.Op, params, input string) string {
	t.Helper()
	result, ok := c.call(t, op, params, input)
	if !ok {
		t.Fatalf("%v of %.500q and %.500q: %s", op, params, input, result)
	}
	return result
}

// parse decodes a result.
func parse[T any](t *testing.T, result string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(result), &value); err != nil {
		t.Fatalf("%s: %v", result, err)
	}
	return value
}

// agnFiles are all fixtures of AMP/1.0, by path.
func agnFiles(t testing.TB) map[string]string {
	t.Helper()
	all := fixtures(t)
	files := map[string]string{}
	for _, name := range all.Under("agn") {
		files[strings.TrimPrefix(name, "agn/")] = all.File(name)
	}
	if len(files) < 55 {
		t.Fatalf("%d fixtures", len(files))
	}
	return files
}

// agnChain returns the texts of the fixture's task, in order.
func agnChain(t testing.TB) (list []string) {
	t.Helper()
	all := fixtures(t)
	for _, name := range all.Under("agn/amp-chain") {
		list = append(list, all.File(name))
	}
	return list
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

type store struct{ name, profile string }

// mailLog is a log's file name and its text.
type mailLog struct{ name, text string }

var stores = []store{{"store-spaced", "v1"}, {"store-compact", "v1-compact"}}

// logs returns the directory's logs as samp.inbox takes them, in order of their
// names.
func (s store) logs(t testing.TB) (logs []mailLog) {
	t.Helper()
	all := fixtures(t)
	for _, name := range all.Under("samp/" + s.name) {
		if path.Ext(name) == ".jsonl" {
			logs = append(logs, mailLog{path.Base(name), all.File(name)})
		}
	}
	if len(logs) < 5 {
		t.Fatalf("%d logs", len(logs))
	}
	return logs
}
