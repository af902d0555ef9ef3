package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// atsf runs the ops over both files of every fixture thread, and over its log in pages.
func (f *Fixtures) atsf() ([]Case, error) {
	var cases []Case
	for _, name := range f.under("atsf") {
		if path.Base(name) != "thread.json" {
			continue
		}
		thread, messages := f.files[name], f.files[path.Dir(name)+"/messages.jsonl"]
		both := thread + messages
		cases = append(cases,
			Case{abi.ATSFThread, object("dir", path.Base(path.Dir(name))), thread},
			Case{abi.ATSFCompare, object("threadLength", len(thread)), both},
			Case{abi.ATSFRepair, object("threadLength", len(thread)), both},
			Case{abi.ATSFCheck, object("threadLength", len(thread), "dir", "other"), both},
			Case{abi.ATSFFork, object("threadLength", len(thread), "id", "fork", "created", 1), both},
		)
		for at := 0; at < len(messages); {
			cases = append(cases, Case{abi.ATSFLog, object("limit", 1), messages[at:]})
			next := strings.IndexByte(messages[at:], '\n')
			if next < 0 {
				break
			}
			at += next + 1
		}
	}
	for _, name := range f.under("atsf") {
		if base := path.Base(name); path.Base(path.Dir(name)) == "assets" {
			cases = append(cases,
				Case{abi.ATSFAsset, object("name", base, "ext", path.Ext(base)[1:]), f.files[name]},
				Case{abi.ATSFAsset, object("name", base), f.files[name] + "x"},
				Case{abi.ATSFAssetName, "", base})
		}
	}
	return cases, nil
}

var agnTypes = []string{"task_dispatch", "task_result", "review_request", "review_verdict", "escalation"}

// agnRecords returns, for each op that makes a record, the op that reads it.
var agnRecords = map[abi.Op]abi.Op{
	abi.AGNBuildAck: abi.AGNAck, abi.AGNBuildResume: abi.AGNResume, abi.AGNBuildRecord: abi.AGNRecord, abi.AGNBuildRejection: abi.AGNRejection,
}

// agn reads every message and payload, checks each against the fixture's task, and
// computes that task's state and alarms just before and after its deadlines.
func (f *Fixtures) agn() ([]Case, error) {
	var chain []string
	for _, name := range f.under("agn/amp-chain") {
		chain = append(chain, f.files[name])
	}
	var cases []Case
	for _, name := range f.under("agn") {
		text := f.files[name]
		cases = append(cases,
			Case{abi.AGNMessage, "", text},
			Case{abi.AGNPayload, object("type", strings.TrimSuffix(path.Base(name), ".json")), text},
			Case{abi.AGNCheck, object("messageLength", len(text), "history", lengths(chain)), text + strings.Join(chain, "")})
	}
	// The fixtures have no records, so the core reads its own.
	for _, build := range slices.Sorted(maps.Keys(agnRecords)) {
		read := agnRecords[build]
		for _, params := range paramsOf(build, 0) {
			if record, ok := Answer(Case{build, params, ""}); ok {
				cases = append(cases, Case{read, "", strings.TrimSuffix(string(record), "\n")}, Case{read, "", string(record[:len(record)/2])})
			}
		}
	}
	for i, text := range chain {
		var m struct {
			ID     string `json:"msg_id"`
			TaskID string `json:"task_id"`
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return nil, fmt.Errorf("conformance: the fixture's task: %w", err)
		}
		var id struct{ Millis int }
		answer, _ := Answer(Case{abi.AGNID, "", m.ID})
		if err := json.Unmarshal(answer, &id); err != nil {
			return nil, fmt.Errorf("conformance: the id %q: %w", m.ID, err)
		}
		for _, later := range []int{0, 60_000, 60_001, 120_000, 120_001, 300_000, 300_001, 600_000, 600_001, 1_800_000} {
			params := object("taskId", m.TaskID, "now", id.Millis+later, "messages", lengths(chain[:i+1]))
			for _, op := range []abi.Op{abi.AGNState, abi.AGNAlarms} {
				cases = append(cases, Case{op, params, strings.Join(chain[:i+1], "")})
			}
		}
	}
	return cases, nil
}

// noon is a time at which no fixture of amp/0.1 has expired: 2026-11-22T12:00:00Z.
const noon = 1795348800000

// amp verifies and judges every fixture with every key, hashes every payload, and
// composes what openssl signed.
func (f *Fixtures) amp() ([]Case, error) {
	keys := append(f.under("amp/keys"), "amp/openssl/ecdsa.public.pem", "amp/openssl/ed25519.public.pem", "amp/openssl/rsa.public.pem")
	var cases []Case
	for _, folder := range []string{"sent", "inbox", "states", "forms"} {
		if folder == "forms" { // all by one sender
			keys = []string{"amp/forms/dora.public.pem"}
		}
		for _, name := range f.under("amp/" + folder) {
			if path.Ext(name) != ".json" {
				continue
			}
			text := f.files[name]
			for _, key := range keys {
				pem := f.files[key]
				cases = append(cases,
					Case{abi.AMPVerify, object("messageLength", len(text)), text + pem},
					Case{abi.AMPJudge, object("now", noon, "messageLength", len(text), "keys", lengths([]string{pem})), text + pem})
			}
			cases = append(cases, Case{abi.AMPSetStatus, object("status", "read", "at", noon), text}, Case{abi.AMPReceive, object("at", noon, "method", "local"), text})
		}
	}
	for _, name := range f.under("amp/payload-bytes") {
		loose := "\n" + strings.Replace(f.files[name], `{"`, "{ \r\n\t\"", 1) + "\n"
		cases = append(cases, Case{abi.AMPPayloadBytes, "", loose}, Case{abi.AMPPayloadHash, "", loose})
	}
	for _, draft := range drafts() {
		cases = append(cases, Case{abi.AMPCompose, draft, ""}, Case{abi.AMPFinish, draft, strings.Repeat("s", 64)})
	}
	return cases, nil
}
