package check_test

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// diagnosed checks a document for the first time.
func diagnosed(t testing.TB, doc check.Document, stores check.Stores) (found []check.Diagnostic, known bool) {
	t.Helper()
	c, err := check.Check(t.Context(), doc, stores, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return nil, false
	}
	return c.Found, true
}

// document is a document whose neighbours on disk are the files of testdata.
func document(file, text string) check.Document {
	return check.Document{File: file, Path: filepath.Join("testdata", path.Base(file)), Text: text}
}

// knownTask knows the other messages of every task.
type knownTask struct {
	check.NoStores
	list []agn.Message
}

func (k knownTask) TaskMessages(string, *agn.Message) []agn.Message { return k.list }

func among(list []agn.Message) check.Stores { return knownTask{list: list} }

// trusting judges every signature alike.
type trusting struct {
	check.NoStores
	trust amp.Trust
}

func (k trusting) Trust(string, *amp.Message) (amp.Trust, bool) { return k.trust, true }

// neighbourhood is a message directory beside signatures that fit.
type neighbourhood struct {
	trusting
	logs fakeLogs
}

func (n neighbourhood) MessageDirectory(string) check.MessageDirectory { return n.logs }

// neighbours is what is known around the documents of these tests.
func neighbours(t testing.TB) check.Stores {
	a, b := built(t, "alice", "hello", 1776999990), built(t, "alice", "again", markNow+100)
	return neighbourhood{
		trusting: trusting{trust: amp.Trust{State: amp.TrustVerified, Reason: "its signature fits"}},
		logs:     fakeLogs{found: []samp.Found{{Record: a, Key: a.ID, Stem: "alice"}, {Record: b, Key: b.ID, Stem: "alice"}}},
	}
}

// fakeLogs is a message directory: bob's, in which alice wrote some messages.
type fakeLogs struct{ found []samp.Found }

func (fakeLogs) Stems() []string { return []string{"Zoe"} }

func (l fakeLogs) HasOriginal(r *samp.Record) bool {
	return slices.ContainsFunc(l.found, func(f samp.Found) bool { return f.Record.Content() == r.Content() })
}

func built(t testing.TB, from, body string, ts int64) samp.Record {
	t.Helper()
	r, err := samp.Build(from, "carol", "t", body, ts, samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
