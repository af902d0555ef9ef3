package task

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/panel/source/agn"
)

// The kinds of files that task check knows.
const (
	kindMessage = "message"
	kindPayload = "payload"
	kindAck     = "ack"
	kindResume  = "resume"
	kindTask    = "task"
)

// checkedFile is one file that is checked, with what was found in it.
type checkedFile struct {
	name string // as the user named it
	data []byte
	kind string
	// of is the type of a payload. guessed is set if it was found by its members.
	of      string
	guessed bool
	msg     agn.Message
	ack     agn.Ack
	resume  agn.Resume
	found   canon.Findings
}

// checkInput holds the files that are checked, and what they are compared with.
type checkInput struct {
	*Commands
	payload string
	files   []*checkedFile
	// tasks has the sound messages, by task, and known their ids. stored is the task
	// directory, or nil.
	tasks  map[string][]agn.Message
	known  map[string]bool
	stored *agnsource.Box
	// skipped counts files in directories that are no task messages. failed is set if
	// something could not be read, lacking if a message was not found.
	skipped         int
	failed, lacking bool
}

func (in *checkInput) add(ctx context.Context, arg string) error {
	if info, err := os.Stat(in.Absolute(arg)); arg != "-" && err == nil && info.IsDir() {
		return in.walk(ctx, arg)
	}
	data, err := in.ReadInput(arg, agn.MaxMessage)
	if err != nil {
		return err
	}
	f := &checkedFile{name: arg, data: data}
	f.recognise()
	return in.examine(f)
}

// walk takes every file below a directory that would be read as a task message, or is
// a payload or one of our own records.
func (in *checkInput) walk(ctx context.Context, arg string) error {
	return agnsource.Walk(ctx, in.Absolute(arg), func(name, kind string, data []byte, err error) error {
		f := &checkedFile{name: filepath.Join(arg, filepath.FromSlash(name)), data: data, kind: kind}
		if err != nil {
			in.failed = true
			in.Warn("%s: %v", f.name, err)
			return nil
		}
		if in.payload == "" && kind == "" {
			if f.recognise(); f.kind == kindMessage {
				in.skipped++
				return nil
			}
		}
		return in.examine(f)
	})
}

// examine checks a file by itself.
func (in *checkInput) examine(f *checkedFile) error {
	if in.payload != "" {
		f.kind, f.of, f.guessed = kindPayload, in.payload, false
	}
	var err error
	switch f.kind {
	case kindPayload:
		_, f.found, err = agn.ParsePayload(f.of, f.data)
	case kindAck:
		f.ack, err = agn.ParseAck(f.data)
	case kindResume:
		f.resume, err = agn.ParseResume(f.data)
	case kindTask:
		_, err = agn.ParseRecord(f.data)
	default:
		f.msg, err = agn.ParseMessage(f.data)
		f.found = f.msg.Findings
	}
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		f.found.Faults = []canon.Fault{*bad}
	} else if err != nil {
		return err
	}
	// A refused message does not take its id from another one.
	if f.kind == kindMessage && len(f.found.Faults) == 0 {
		in.tasks[f.msg.TaskID] = append(in.tasks[f.msg.TaskID], f.msg)
		in.known[f.msg.ID] = true
	}
	in.files = append(in.files, f)
	return nil
}

// recognise finds out from the members of an object what it is: of a payload most are
// known. Anything unknown is checked as a message.
func (f *checkedFile) recognise() {
	f.kind = kindMessage
	var names []string
	format := ""
	_ = canon.Object(f.data, func(key []byte, v canon.Value) error {
		names = append(names, string(key))
		if string(key) == "format" && v.Kind == canon.String {
			format, _ = canon.Unquote(v.Raw)
		}
		return nil
	})
	has := func(name string) bool { return slices.Contains(names, name) }
	for prefix, kind := range map[string]string{"signalbox-ack/": kindAck, "signalbox-resume/": kindResume, "signalbox-task/": kindTask} {
		if strings.HasPrefix(format, prefix) && !has("protocol_version") {
			f.kind = kind
			return
		}
	}
	if len(names) < 3 || slices.ContainsFunc([]string{"msg_id", "protocol_version", "requires_ack", "type", "payload"}, has) {
		return
	}
	fewest := (len(names) + 1) / 2
	for _, kind := range messageTypes() {
		_, found, err := agn.ParsePayload(kind, f.data)
		unknown := 0
		for _, n := range found.Notes {
			if n.Rule == "C17" && has(n.Field) {
				unknown++
			}
		}
		if err == nil && unknown < fewest {
			f.kind, f.of, f.guessed, fewest = kindPayload, kind, true, unknown
		}
	}
}
