package check

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// agentFileKind is the config.json of an .agent folder, or a thread's thread.json.
var agentFileKind = kind{
	open: []DocumentKind{{
		Pattern:  "**/" + atsf.DirName + "/{" + atsf.ConfigName + "," + atsf.ThreadsName + "/*/" + atsf.ThreadName + "}",
		MaxBytes: atsf.MaxThreadFile, Marks: [][]string{},
	}},
	known: func(doc *Document, _ Stores) bool { return agentFile(doc.File) },
	check: checkAgentFile,
}

// agentFile reports whether a path names a config.json or a thread.json of agents. The
// path has "/" between its names.
func agentFile(file string) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	switch name {
	case atsf.ConfigName:
		return path.Base(dir) == atsf.DirName
	case atsf.ThreadName:
		return inThread(dir)
	}
	return false
}

// checkAgentFile checks a config.json or thread.json against the rules of ATSF. In a
// config.json it also warns of secrets (K3), in a thread.json of figures that differ from
// the messages beside it (T4).
func checkAgentFile(_ context.Context, doc *Document, _ Stores, _ *Checked) (*Checked, error) {
	file, text := doc.File, doc.Text
	config, rule := path.Base(file) == atsf.ConfigName, "T1"
	if config {
		rule = "K1"
	}
	if len(text) > atsf.MaxThreadFile {
		reason := fmt.Sprintf("the file is %d bytes long; at most %d are read", len(text), atsf.MaxThreadFile)
		return &Checked{Found: []Diagnostic{atsfPage.finding(0, 0, Error, rule, reason)}}, nil
	}
	data := []byte(text)
	checked := &Checked{}
	var faults, secrets, notes []canon.Fault
	var err error
	if config {
		var c atsf.Config
		c, err = atsf.ParseConfig(data)
		faults, secrets, notes = c.Faults, atsf.Secrets(data), c.Notes
		for i := range c.Hooks.Symlinks {
			faults = appendFault(faults, c.Hooks.Symlinks[i].Fault)
		}
		for i := range c.Hooks.Commands {
			faults = appendFault(faults, c.Hooks.Commands[i].Fault)
		}
	} else {
		var t atsf.Thread
		t, err = atsf.ParseThread(data)
		faults, notes = t.Faults, t.Notes
		if err == nil {
			faults = appendFault(faults, asFault(t.CheckDir(path.Base(path.Dir(file)))))
			checked.Outside = true
			checked.Found = tallied(doc, &t)
		}
	}
	faults = appendFault(faults, asFault(err))
	list := []Diagnostic{}
	for severity, found := range [][]canon.Fault{Error: faults, Warning: secrets, Information: notes} {
		for i := range found {
			list = append(list, agentDiagnostic(text, &found[i], Severity(severity)))
		}
	}
	checked.Found = append(list, checked.Found...)
	return checked, nil
}

// tallied reports each figure in thread.json that differs from the messages.
// Other readers count the messages themselves, so no rule is broken.
func tallied(doc *Document, t *atsf.Thread) (list []Diagnostic) {
	tally, ok := tallyBeside(doc.Path)
	if !ok || tally.Stats == (atsf.Stats{}) && tally.Bad == 0 && t.Stats != tally.Stats {
		return nil // the log is missing, as in a clone: there is nothing to compare with
	}
	for _, m := range atsf.Compare(t, tally) {
		if v, ok := valueAt(doc.Text, m.Field); ok { // else it has a diagnostic of its own
			list = append(list, atsfPage.finding(v.Offset, v.Offset+len(v.Raw), Information, "T4", m.Reason))
		}
	}
	return list
}

// asFault returns the fault in an error, or nil.
func asFault(err error) *canon.Fault {
	fault, _ := errors.AsType[*canon.Fault](err)
	return fault
}

// appendFault appends a fault unless it is nil or already listed.
func appendFault(list []canon.Fault, f *canon.Fault) []canon.Fault {
	if f == nil {
		return list
	}
	for i := range list {
		if list[i] == *f {
			return list
		}
	}
	return append(list, *f)
}

// agentDiagnostic returns the diagnostic of a fault in an ATSF text.
func agentDiagnostic(text string, f *canon.Fault, severity Severity) Diagnostic {
	start, end := faultSpan(text, f, false)
	return atsfPage.finding(start, end, severity, f.Rule, f.Reason)
}

// inThread reports whether a path names the folder of an ATSF thread.
func inThread(dir string) bool {
	above := path.Dir(dir)
	return path.Base(above) == atsf.ThreadsName && path.Base(path.Dir(above)) == atsf.DirName
}
