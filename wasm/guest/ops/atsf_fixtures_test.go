package ops_test

import (
	"bytes"
	"encoding/json"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// params returns the parameters of an op over both files.
func (a agentThread) params(rest string) string {
	return `{"threadLength":` + strconv.Itoa(len(a.thread)) + rest + `}`
}

func (a agentThread) both() string { return a.thread + a.messages }

// These types have what the tests read of the answers.
type (
	agentThreadAnswer struct {
		ID, Title string
		Updated   atsf.Time
		Stats     atsf.Stats
		Metadata  json.RawMessage
		Odd       *canon.Fault
		canon.Findings
	}
	contentAnswer  struct{ Content json.RawMessage }
	agentLogAnswer struct {
		Entries []struct {
			Number, Offset, Length int
			Message                *contentAnswer
		}
		Next int
		Torn bool
	}
	assetNameAnswer struct {
		Hex, Ext string
		Fault    *canon.Fault
	}
)

// TestATSFThreads runs the ops over every fixture thread, and compares what they say
// with core/atsf.
func TestATSFThreads(t *testing.T) {
	engines := called{}
	for _, f := range agentThreads(t) {
		t.Run("ATSF T1 M1 T4/"+f.dir, func(t *testing.T) {
			want, err := atsf.ParseThread([]byte(f.thread))
			result, ok := engines.call(t, abi.ATSFThread, `{"dir":`+strconv.Quote(path.Base(f.dir))+`}`, f.thread)
			if ok != (err == nil) {
				t.Fatalf("ATSF V2: %s, and natively %v", result, err)
			}
			engines.readLog(t, f)
			if !ok {
				for _, op := range []abi.Op{abi.ATSFCompare, abi.ATSFRepair} {
					if result, ok := engines.call(t, op, f.params(""), f.both()); ok || !strings.Contains(result, `"V2"`) {
						t.Errorf("ATSF V2: %v answers %s", op, result)
					}
				}
				return
			}
			got := parse[agentThreadAnswer](t, result)
			if got.ID != want.ID || got.Title != want.Title || got.Updated.Millis != want.Updated.Millis || got.Stats.Messages != want.Stats.Messages ||
				string(got.Metadata) != string(want.Metadata) || len(got.Faults) != len(want.Faults) || len(got.Notes) != len(want.Notes) || got.Odd != nil {
				t.Errorf("ATSF T1 T5: %s, want %+v", result, want)
			}
			engines.write(t, f)
		})
	}
}

// readLog reads a fixture's messages whole, in pages and line by line.
func (e called) readLog(t *testing.T, f agentThread) {
	t.Helper()
	want := atsf.ReadLog([]byte(f.messages), 0)
	log := parse[agentLogAnswer](t, e.must(t, abi.ATSFLog, "", f.messages))
	if len(log.Entries) != len(want.Entries) || log.Next != want.Next || log.Torn != want.Torn {
		t.Errorf("ATSF M1 M5: %+v, want %+v", log, want)
	}
	for i, entry := range log.Entries {
		line := f.messages[entry.Offset : entry.Offset+entry.Length]
		message, ok := e.call(t, abi.ATSFMessage, "", line)
		if ok != (entry.Message != nil) || ok != (want.Entries[i].Fault == nil) {
			t.Errorf("ATSF M1: line %d is %s", entry.Number, message)
		}
		if ok && !bytes.Equal(parse[contentAnswer](t, message).Content, entry.Message.Content) {
			t.Errorf("ATSF B1: line %d differs by itself: %s", entry.Number, message)
		}
		e.call(t, abi.ATSFTakeInline, "", line)
	}
	paged := 0
	for at := 0; ; {
		page := parse[agentLogAnswer](t, e.must(t, abi.ATSFLog, `{"limit":1}`, f.messages[at:]))
		paged += len(page.Entries)
		if page.Next == 0 || page.Torn {
			break
		}
		at += page.Next
	}
	if paged != len(log.Entries) {
		t.Errorf("ATSF M1: %d entries in pages, %d at once", paged, len(log.Entries))
	}
	tally, _ := atsf.Count([]byte(f.messages))
	if got := parse[struct{ Stats atsf.Stats }](t, e.must(t, abi.ATSFCount, "", f.messages)); got.Stats != tally.Stats {
		t.Errorf("ATSF T4: %+v, want %+v", got, tally)
	}
	e.must(t, abi.ATSFCheck, f.params(`,"dir":"other"`), f.both())
}

// write runs the ops that make new bytes, and reads them again.
func (e called) write(t *testing.T, f agentThread) {
	t.Helper()
	e.must(t, abi.ATSFCompare, f.params(""), f.both())
	_, repaired, _ := strings.Cut(e.must(t, abi.ATSFRepair, f.params(""), f.both()), "\n")
	fixed := agentThread{f.dir, repaired, f.messages}
	if again := e.must(t, abi.ATSFRepair, fixed.params(""), fixed.both()); !strings.HasPrefix(again, `{"changed":false,"mismatches":[],`) {
		t.Errorf("ATSF T4: repaired twice: %.200s", again)
	}
	edited := e.must(t, abi.ATSFEdit, `{"changes":[{"path":["title"],"value":"New"}]}`, f.thread)
	if got := parse[agentThreadAnswer](t, e.must(t, abi.ATSFThread, "", edited)); got.Title != "New" {
		t.Errorf("ATSF T5: %s", edited)
	}
	head, rest, _ := strings.Cut(e.must(t, abi.ATSFFork, f.params(`,"id":"fork","created":1`), f.both()), "\n")
	lengths := parse[struct{ ThreadLength, MessagesLength int }](t, head)
	whole := f.messages[:strings.LastIndex(f.messages, "\n")+1]
	if lengths.ThreadLength+lengths.MessagesLength != len(rest) || rest[lengths.ThreadLength:] != whole {
		t.Errorf("ATSF Z7: the fork is %s", rest)
	}
}

// TestATSFAssets names every asset of the fixtures as its file is named.
func TestATSFAssets(t *testing.T) {
	engines := called{}
	checked := 0
	all := fixtures(t)
	for _, name := range all.Under("atsf") {
		content := all.File(name)
		if path.Base(path.Dir(name)) != atsf.AssetsName {
			continue
		}
		checked++
		base := path.Base(name)
		got := parse[struct {
			Name, ImageType string
			Fault           *canon.Fault
		}](t, engines.must(t, abi.ATSFAsset, `{"name":"`+base+`","ext":"`+path.Ext(base)[1:]+`"}`, content))
		if got.Name != base || got.Fault != nil || (got.ImageType == "image/png") != (path.Ext(base) == ".png") {
			t.Errorf("ATSF L4: %s is %+v", name, got)
		}
		if ref := parse[assetNameAnswer](t, engines.must(t, abi.ATSFAssetName, "", base)); ref.Fault != nil || "sha256-"+ref.Hex+"."+ref.Ext != base {
			t.Errorf("ATSF L4: %s is %+v", base, ref)
		}
		if bad := engines.must(t, abi.ATSFAsset, `{"name":"`+base+`"}`, content+"x"); !strings.Contains(bad, `"rule":"L4"`) {
			t.Errorf("ATSF L4: other content under %s is %s", base, bad)
		}
	}
	if checked != 7 {
		t.Errorf("%d assets", checked)
	}
	for _, ref := range []string{"", "../../../secret.txt", "sha256-a1b2c3d4e5f6g7h8.png", "sha256-0000000000000000.png/", "\xff"} {
		if got := parse[assetNameAnswer](t, engines.must(t, abi.ATSFAssetName, "", ref)); got.Fault == nil || got.Fault.Rule != "L4" {
			t.Errorf("ATSF L4: %q is %+v", ref, got)
		}
	}
}
