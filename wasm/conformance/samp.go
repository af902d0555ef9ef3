package conformance

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

var profiles = []string{"v1", "v1-compact"}

// sampVectors runs the ops over the ids and threads that CPython computed.
func (f *Fixtures) sampVectors() ([]Case, error) {
	var ids struct {
		Vectors []struct{ Record json.RawMessage }
	}
	var randomIDs struct{ Vectors []struct{ Line string } }
	var threads struct {
		Vectors []struct {
			Body, From, Date string
			In               string `json:"body_in"`
		}
	}
	randomThreads := threads
	for name, into := range map[string]any{"ids": &ids, "ids-random": &randomIDs, "threads": &threads, "threads-random": &randomThreads} {
		if err := f.read("samp/"+name+".json", into); err != nil {
			return nil, err
		}
	}
	var lines []string
	for _, v := range ids.Vectors {
		lines = append(lines, string(v.Record))
	}
	for _, v := range randomIDs.Vectors {
		lines = append(lines, v.Line)
	}
	var cases []Case
	for _, profile := range profiles {
		params := object("profile", profile)
		for _, line := range lines {
			for _, op := range []abi.Op{abi.SAMPID, abi.SAMPCanonical, abi.SAMPParse, abi.SAMPCompact} {
				cases = append(cases, Case{op, params, line})
			}
		}
		for _, v := range threads.Vectors {
			cases = append(cases, Case{abi.SAMPThread, object("from", v.From, "date", v.Date, "profile", profile), v.In})
		}
		for _, v := range randomThreads.Vectors {
			cases = append(cases, Case{abi.SAMPThread, object("from", v.From, "date", "2026-04-25", "profile", profile), v.Body})
		}
	}
	return cases, nil
}

// canonVectors runs the ops over texts and their normal forms, as bodies: SAMP
// normalises what it hashes.
func (f *Fixtures) canonVectors() ([]Case, error) {
	var cases []Case
	for _, name := range f.under("canon") {
		var file struct{ Vectors []struct{ In, NFC string } }
		if err := f.read(name, &file); err != nil {
			return nil, err
		}
		for _, v := range file.Vectors {
			for _, text := range []string{v.In, v.NFC} {
				line := object("ts", 1, "from", "a", "to", "b", "thread", "t", "body", text)
				cases = append(cases, Case{abi.SAMPCanonical, object("profile", "v1-compact"), line}, Case{abi.SAMPParse, "", line},
					Case{abi.SAMPBuild, object("from", "a", "to", "b", "thread", "t", "ts", 1), text})
			}
		}
	}
	return cases, nil
}

// everyCharacter puts every Unicode character into bodies and thread names:
// normalising, escaping, folding and splitting depend on the character.
func (f *Fixtures) everyCharacter() ([]Case, error) {
	const (
		at     = 512    // characters in one body
		folded = 0x3000 // beyond it no character folds to one that is allowed in a name
	)
	var cases []Case
	for r := rune(0); r < folded; r++ {
		cases = append(cases, Case{abi.SAMPThread, object("from", "a", "date", "2026-04-25"), "x" + string(r) + "y"})
	}
	for first := rune(0); first <= unicode.MaxRune; first += at {
		var body strings.Builder
		for r := first; r < first+at; r++ {
			if utf8.ValidRune(r) {
				body.WriteRune(r)
			}
		}
		line := object("ts", 1, "from", "a", "to", "b", "thread", "t", "body", body.String())
		for _, profile := range profiles {
			cases = append(cases, Case{abi.SAMPCanonical, object("profile", profile), line})
		}
		cases = append(cases, Case{abi.SAMPBuild, object("from", "a", "to", "b", "thread", "t", "ts", 1), body.String()},
			Case{abi.AMPFlags, "", body.String()}, Case{abi.RenderText, "", body.String()}, Case{abi.RenderHTML, "", body.String()})
	}
	return cases, nil
}

// sampStores reads both stores of the published tool for every reader and in every
// mode, and the stores of the random rounds with each watermark.
func (f *Fixtures) sampStores() ([]Case, error) {
	var cases []Case
	for i, store := range []string{"store-spaced", "store-compact"} {
		logs := map[string]string{}
		for _, name := range f.under("samp/" + store) {
			if path.Ext(name) == ".jsonl" {
				logs[path.Base(name)] = f.files[name]
			}
		}
		var want struct {
			All map[string]json.RawMessage `json:"inbox_all"`
		}
		if err := f.read("samp/"+store+"/expected.json", &want); err != nil {
			return nil, err
		}
		cases = append(cases, directory(logs, slices.Sorted(maps.Keys(want.All)), profiles[i])...)
		for _, name := range slices.Sorted(maps.Keys(logs)) {
			for _, line := range slices.Collect(strings.Lines(logs[name])) {
				cases = append(cases, Case{abi.SAMPInspect, object("log", name), line})
			}
			cases = append(cases, Case{abi.SAMPValidate, object("log", name), logs[name]})
		}
	}
	more, err := f.sampRounds()
	return append(cases, more...), err
}

// directory lists the calls over all logs of a message directory, by file name: for
// each reader in every mode, and each reader's reply.
func directory(logs map[string]string, readers []string, profile string) []Case {
	list, data := joined(logs)
	cases := []Case{{abi.SAMPThreads, object("profile", profile, "logs", list), data}}
	for _, me := range readers {
		for _, mode := range []string{`"default"`, `"all"`, `"raw"`, `2`} {
			cases = append(cases, Case{abi.SAMPInbox, object("me", me, "profile", profile, "mode", json.RawMessage(mode), "now", 1800000000, "logs", list), data})
		}
		cases = append(cases,
			Case{abi.SAMPThreads, object("me", me, "profile", profile, "logs", list), data},
			Case{abi.SAMPReply, object("me", me, "profile", profile, "ts", 1800000000, "body", "[thread:x] re\u0301", "logs", list), data})
	}
	return cases
}

func (f *Fixtures) sampRounds() ([]Case, error) {
	var file struct {
		Cases [][]struct {
			Logs map[string]string
			Mark json.RawMessage
		}
	}
	if err := f.read("samp/inbox-random.json", &file); err != nil {
		return nil, err
	}
	var cases []Case
	for _, rounds := range file.Cases {
		mark := json.RawMessage("null")
		for _, r := range rounds {
			list, data := joined(r.Logs)
			cases = append(cases,
				Case{abi.SAMPInbox, object("me", "bob", "now", 1777075300, "watermark", mark, "logs", list), data},
				Case{abi.SAMPInbox, object("me", "bob", "mode", "raw", "logs", list), data},
				Case{abi.SAMPThreads, object("limit", 3, "logs", list), data})
			mark = r.Mark
		}
	}
	return cases, nil
}

// joined joins logs, and lists their names and lengths, as samp.inbox takes them.
func joined(logs map[string]string) (list json.RawMessage, data string) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		parts = append(parts, object("name", name, "length", len(logs[name])))
		data += logs[name]
	}
	return json.RawMessage("[" + strings.Join(parts, ",") + "]"), data
}
