package panel

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// agentFile reports whether a file, by its path with "/" between the names, is an
// agents' config.json or thread.json.
func agentFile(file string) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	switch name {
	case atsf.ConfigName:
		return path.Base(dir) == atsf.DirName
	case atsf.ThreadName:
		above := path.Dir(dir)
		return path.Base(above) == atsf.ThreadsName && path.Base(path.Dir(above)) == atsf.DirName
	}
	return false
}

// diagnoseAgent holds the text of such a file against the rules of ATSF: what
// breaks one, and in a config.json what looks like a secret (K3).
func diagnoseAgent(file, text string) []Diagnostic {
	config, rule := path.Base(file) == atsf.ConfigName, "T1"
	if config {
		rule = "K1"
	}
	if len(text) > threads.MaxThreadFile {
		return []Diagnostic{{Rule: rule, About: pages + "atsf.md", Message: fmt.Sprintf("the file is %d bytes long, and at most %d are read", len(text), threads.MaxThreadFile)}}
	}
	data := []byte(text)
	var faults, secrets, notes []atsf.Fault
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
		}
	}
	faults = appendFault(faults, asFault(err))
	var list []Diagnostic
	for severity, found := range [][]atsf.Fault{Broken: faults, Guess: secrets, Remark: notes} {
		for i := range found {
			list = append(list, agentDiagnostic(text, &found[i], Severity(severity)))
		}
	}
	return list
}

// asFault gives the fault that an error is, or nil.
func asFault(err error) *atsf.Fault {
	fault, _ := errors.AsType[*atsf.Fault](err)
	return fault
}

func appendFault(list []atsf.Fault, f *atsf.Fault) []atsf.Fault {
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

func agentDiagnostic(text string, f *atsf.Fault, severity Severity) Diagnostic {
	start := max(0, min(f.Offset, len(text)))
	return Diagnostic{
		Start: start, End: start + valueLength(text[start:]),
		Severity: severity, Rule: f.Rule, Message: safe(f.Reason), About: pages + "atsf.md",
	}
}
