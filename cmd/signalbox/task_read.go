package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// The kinds of files that task check knows.
const (
	kindMessage = "message"
	kindPayload = "payload"
	kindAck     = "ack"
	kindResume  = "resume"
	kindTask    = "task"
)

// checkedFile is one file that is checked, with what it shows by itself.
type checkedFile struct {
	// name is as the user gave it, and folder where it lies, or empty.
	name, folder string
	data         []byte
	kind         string
	// of is the type of a payload, and guessed tells that its members showed it.
	of      string
	guessed bool
	msg     agn.Message
	found   agn.Findings
}

// checkInput collects the files that are checked.
type checkInput struct {
	*jobs
	payload string
	files   []*checkedFile
	// skipped counts files of directories that are no task messages, failed
	// tells that something could not be read.
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
		data, err := readMessage(in.in)
		if err != nil {
			return fmt.Errorf("read stdin: %w", err)
		}
		in.take("-", "", data, false)
		return nil
	}
	path := in.absolute(arg)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return in.walk(ctx, arg, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := readMessage(f)
	if err != nil {
		return err
	}
	in.take(arg, filepath.Dir(path), data, false)
	return nil
}

// readMessage reads as much of a message as shows that it is too long.
func readMessage(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, agn.MaxMessage+1))
}

// walk takes every .json file beneath a directory, and follows no link.
func (in *checkInput) walk(ctx context.Context, arg, path string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			in.failed = true
			in.warn("%s: %v", filepath.Join(arg, filepath.FromSlash(name)), err)
			return nil
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !messageFile(d):
			return nil
		}
		data, err := readBeneath(root, name)
		if err != nil {
			in.failed = true
			in.warn("%s: %v", filepath.Join(arg, filepath.FromSlash(name)), err)
			return nil
		}
		shown := filepath.Join(arg, filepath.FromSlash(name))
		in.take(shown, filepath.Dir(in.absolute(shown)), data, true)
		return nil
	})
}

// messageFile reports whether a directory's entry may hold a message.
func messageFile(d fs.DirEntry) bool {
	return d.Type().IsRegular() && strings.EqualFold(filepath.Ext(d.Name()), ".json")
}

func readBeneath(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readMessage(f)
}

// take recognises what a file holds and checks it by itself. Of a directory's
// files what is none of ours is left out.
func (in *checkInput) take(name, folder string, data []byte, walked bool) {
	f := &checkedFile{name: name, folder: folder, data: data, kind: kindMessage}
	if in.payload != "" {
		f.kind, f.of = kindPayload, in.payload
	} else if known := f.recognise(); !known && walked {
		in.skipped++
		return
	}
	var err error
	switch f.kind {
	case kindPayload:
		_, f.found, err = agn.ParsePayload(f.of, data)
	case kindAck:
		_, err = agn.ParseAck(data)
	case kindResume:
		_, err = agn.ParseResume(data)
	case kindTask:
		_, err = agn.ParseRecord(data)
	default:
		f.msg, err = agn.ParseMessage(data)
		f.found = f.msg.Findings
	}
	if bad, ok := errors.AsType[*agn.Fault](err); ok {
		f.found.Faults = []agn.Fault{*bad}
	}
	in.files = append(in.files, f)
}

// recognise tells by the members of an object what it is. known is false for
// what has none that would show it.
func (f *checkedFile) recognise() (known bool) {
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
		return true // a broken file is told, wherever it lies
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	for prefix, kind := range map[string]string{"signalbox-ack/": kindAck, "signalbox-resume/": kindResume, "signalbox-task/": kindTask} {
		if strings.HasPrefix(format, prefix) && !has("protocol_version") {
			f.kind = kind
			return true
		}
	}
	if slices.ContainsFunc([]string{"msg_id", "protocol_version", "requires_ack"}, has) {
		return true
	}
	if has("type") || has("payload") {
		return false // checked as a message where it was named, but nothing says that it is one
	}
	for _, kind := range messageTypes() {
		own := payloadMembers(kind)
		n := 0
		for _, name := range own {
			if has(name) {
				n++
			}
		}
		// Half of them show which payload was meant, also where some are missing.
		if 2*n >= len(own) {
			f.kind, f.of, f.guessed = kindPayload, kind, true
			return true
		}
	}
	return false
}

// payloadMembers lists members that payloads of one type have and no other
// type's do.
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
