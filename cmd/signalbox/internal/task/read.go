package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
)

// The kinds of files that "task check" recognises.
const (
	kindMessage = "message"
	kindPayload = "payload"
	kindAck     = "ack"
	kindResume  = "resume"
	kindTask    = "task"
)

// checkedFile is one file that is checked, with the findings that do not depend on other files.
type checkedFile struct {
	// name is the file as the user gave it. folder is its folder, or empty.
	name, folder string
	data         []byte
	kind         string
	// of is the type of a payload. guessed is set if the type was recognised by the members.
	of      string
	guessed bool
	msg     agn.Message
	ack     agn.Ack
	resume  agn.Resume
	found   canon.Findings
}

// checkInput collects the files that are checked.
type checkInput struct {
	*Commands
	payload string
	files   []*checkedFile
	// skipped counts files in directories that aren't task messages. failed is set if a
	// file could not be read.
	skipped int
	failed  bool
	stdin   bool
}

func (in *checkInput) add(ctx context.Context, arg string) error {
	if arg == "-" {
		if in.stdin {
			return errors.New("stdin was given twice")
		}
		in.stdin = true
		data, err := in.ReadInput(arg, agn.MaxMessage)
		if err != nil {
			return fmt.Errorf("read stdin: %w", err)
		}
		return in.take("-", "", data)
	}
	path := in.Absolute(arg)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return in.walk(ctx, arg, path)
	}
	data, err := in.ReadInput(path, agn.MaxMessage)
	if err != nil {
		return err
	}
	return in.take(arg, filepath.Dir(path), data)
}

// walk adds every file below a directory that would be read as a task message, or is a
// payload or one of our own records.
func (in *checkInput) walk(ctx context.Context, arg, path string) error {
	return agnsource.Walk(ctx, path, func(name, kind string, data []byte, err error) error {
		f := &checkedFile{name: filepath.Join(arg, filepath.FromSlash(name)), data: data, kind: kind}
		if err != nil {
			in.failed = true
			in.Warn("%s: %v", f.name, err)
			return nil
		}
		f.folder = filepath.Dir(in.Absolute(f.name))
		if in.payload == "" && kind == "" {
			if f.recognise(); f.kind == kindMessage {
				in.skipped++
				return nil
			}
		}
		return in.examine(f)
	})
}

// take finds out what a file holds and checks it on its own.
func (in *checkInput) take(name, folder string, data []byte) error {
	f := &checkedFile{name: name, folder: folder, data: data}
	if in.payload == "" {
		f.recognise()
	}
	return in.examine(f)
}

// examine checks a file on its own.
func (in *checkInput) examine(f *checkedFile) error {
	if in.payload != "" {
		f.kind, f.of = kindPayload, in.payload
	}
	data := f.data
	var err error
	switch f.kind {
	case kindPayload:
		_, f.found, err = agn.ParsePayload(f.of, data)
	case kindAck:
		f.ack, err = agn.ParseAck(data)
	case kindResume:
		f.resume, err = agn.ParseResume(data)
	case kindTask:
		_, err = agn.ParseRecord(data)
	default:
		f.msg, err = agn.ParseMessage(data)
		f.found = f.msg.Findings
	}
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		f.found.Faults = []canon.Fault{*bad}
	} else if err != nil {
		return err
	}
	in.files = append(in.files, f)
	return nil
}

// recognise sets the kind of a file by the members of its object. Anything unknown is
// checked as a message.
func (f *checkedFile) recognise() {
	f.kind = kindMessage
	var names []string
	format := ""
	err := canon.Object(f.data, func(key []byte, v canon.Value) error {
		names = append(names, string(key))
		if string(key) == "format" && v.Kind == canon.String {
			format, _ = canon.Unquote(v.Raw)
		}
		return nil
	})
	if err != nil {
		return
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	for prefix, kind := range map[string]string{"signalbox-ack/": kindAck, "signalbox-resume/": kindResume, "signalbox-task/": kindTask} {
		if strings.HasPrefix(format, prefix) && !has("protocol_version") {
			f.kind = kind
			return
		}
	}
	if slices.ContainsFunc([]string{"msg_id", "protocol_version", "requires_ack", "type", "payload"}, has) {
		return
	}
	for _, kind := range messageTypes() {
		own := payloadMembers(kind)
		n := 0
		for _, name := range own {
			if has(name) {
				n++
			}
		}
		// Half of the members are enough, since some may be missing.
		if 2*n >= len(own) {
			f.kind, f.of, f.guessed = kindPayload, kind, true
			return
		}
	}
}

// payloadMembers lists members that only payloads of this type have.
func payloadMembers(kind string) []string {
	switch kind {
	case agn.TypeDispatch:
		return []string{"branch", "subtasks", "acceptance_criteria", "risk_level"}
	case agn.TypeResult:
		return []string{"completion_status", "diff_summary", "self_assessment", "work_log"}
	case agn.TypeRequest:
		return []string{"original_dispatch_ref", "task_result_ref", "review_scope", "diff_url"}
	case agn.TypeVerdict:
		return []string{"decision", "criteria_results", "confidence"}
	}
	return []string{"escalation_type", "triggered_by", "system_state_snapshot", "auto_suspended"}
}
