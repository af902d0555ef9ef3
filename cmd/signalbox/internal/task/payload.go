package task

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// payload returns the JSON of the payload from --file and --set.
func (s *sending) payload() ([]byte, error) {
	data := []byte("{}")
	var err error
	if s.file != "" {
		if data, err = s.readPayload(); err != nil {
			return nil, err
		}
	}
	for _, text := range s.set {
		path, value, ok := strings.Cut(text, "=")
		way := parsePath(path)
		if !ok || way == nil {
			return nil, cli.Usage(fmt.Errorf("--set is %q, and must be PATH=VALUE, as branch=fix/login or subtasks[0].estimated_lines=40", text))
		}
		raw := []byte(value)
		if canon.Valid(raw) != nil {
			raw = mustJSON(value)
		}
		if data, err = put(data, way, raw, true); err != nil {
			return nil, cli.Usage(fmt.Errorf("--set %s: %w", path, err))
		}
	}
	return data, nil
}

// readPayload reads the JSON or YAML file of a payload.
func (s *sending) readPayload() ([]byte, error) {
	data, err := s.ReadInput(s.file, agn.MaxMessage)
	if err != nil {
		return nil, err
	}
	if len(data) > agn.MaxMessage {
		return nil, fmt.Errorf("%s is longer than %d bytes", s.file, agn.MaxMessage)
	}
	switch ext := strings.ToLower(filepath.Ext(s.file)); {
	case ext == ".yaml", ext == ".yml", ext != ".json" && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		if data, err = yamlToJSON(data); err != nil {
			return nil, fmt.Errorf("%s is no payload in YAML: %w", s.file, err)
		}
	}
	if err := canon.Object(data, func([]byte, canon.Value) error { return nil }); err != nil {
		return nil, fmt.Errorf("%s is no payload in JSON: %w", s.file, err)
	}
	return bytes.TrimSpace(data), nil
}

// step is one level of the path to a value: a member's name, or the index of an element.
type step struct {
	name  string
	index int
}

// parsePath parses a path such as "subtasks[0].description". It returns nil if the path is invalid.
func parsePath(path string) (way []step) {
	for part := range strings.SplitSeq(path, ".") {
		name, rest, open := strings.Cut(part, "[")
		if name == "" || open && rest == "" {
			return nil
		}
		way = append(way, step{name: name})
		for rest != "" {
			digits, more, ok := strings.Cut(rest, "]")
			n, err := strconv.ParseUint(digits, 10, 16)
			if !ok || err != nil || more == "[" || more != "" && more[0] != '[' {
				return nil
			}
			way = append(way, step{index: int(n)})
			rest = strings.TrimPrefix(more, "[")
		}
	}
	return way
}

// put returns the JSON in with value at path. It adds missing members and elements on the
// path, and replaces an existing value only if replace is set. Every other byte stays as
// it was, so that the rules check the file as written.
func put(in []byte, way []step, value []byte, replace bool) ([]byte, error) {
	if len(way) == 0 {
		return value, nil
	}
	at, list := way[0], way[0].name == ""
	var there *canon.Value
	n := 0
	each := func(v canon.Value) {
		if !list || n == at.index {
			there = &v
		}
		n++
	}
	var err error
	if list {
		err = canon.Elements(in, func(v canon.Value) error { each(v); return nil })
	} else {
		err = canon.Object(in, func(key []byte, v canon.Value) error {
			if string(key) == at.name {
				each(v)
			}
			return nil
		})
	}
	switch {
	case err != nil && list:
		return nil, errors.New("it leads through what is no list")
	case err != nil:
		return nil, fmt.Errorf("%q is a member of what is no object", at.name)
	case there != nil && len(way) == 1 && !replace:
		return in, nil
	case there != nil:
		inner, err := put(there.Raw, way[1:], value, replace)
		return canon.Splice(in, there.Offset, there.Offset+len(there.Raw), inner), err
	case list && at.index > n:
		return nil, fmt.Errorf("there are %d elements: the next one is [%d]", n, n)
	}
	empty := []byte("{}")
	if len(way) > 1 && way[1].name == "" {
		empty = []byte("[]")
	}
	inner, err := put(empty, way[1:], value, replace)
	if !list {
		inner = fmt.Appendf(nil, "%s:%s", mustJSON(at.name), inner)
	}
	end := len(in) - 1
	if body := bytes.TrimSpace(in[1:end]); len(body) > 0 {
		inner = append([]byte(","), inner...)
	}
	return canon.Splice(in, end, end, inner), err
}

// message builds the message around a payload. It also builds one whose payload breaks a
// rule, so that the rules refuse it and it is logged. It refuses unknown members, because
// they would be lost.
func (s *sending) message(h agn.Head, kind, from string, payload []byte) ([]byte, error) {
	p, found, err := agn.ParsePayload(kind, payload)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for i := range found.Notes {
		if n := &found.Notes[i]; n.Rule == "C17" {
			unknown = append(unknown, n.Field)
		}
	}
	if len(unknown) > 0 {
		return nil, cli.Usage(fmt.Errorf("the payload has members that a %s does not have and that would be lost: %q", kind, unknown))
	}
	if len(found.Faults) > 0 {
		return unchecked(h, kind, from, payload), nil
	}
	switch {
	case p.Dispatch != nil:
		return agn.BuildDispatch(h, *p.Dispatch)
	case p.Result != nil:
		return agn.BuildResult(h, *p.Result)
	case p.Request != nil:
		return agn.BuildRequest(h, *p.Request)
	case p.Verdict != nil:
		return agn.BuildVerdict(h, *p.Verdict)
	}
	return agn.BuildEscalation(h, from, *p.Escalation)
}

// unchecked builds the message around a payload that may break rules, without checks.
func unchecked(h agn.Head, kind, from string, payload []byte) []byte {
	_, to, _ := agn.Route(kind)
	out := fmt.Appendf(nil, `{"msg_id":%s,"protocol_version":%s,"type":%s,"from":%s,"to":%s,"task_id":%s,"timestamp":%s,"requires_ack":%t`,
		mustJSON(h.ID(kind)), mustJSON(agn.Version), mustJSON(kind), mustJSON(from), mustJSON(to), mustJSON(h.TaskID), mustJSON(agn.FormatTime(h.Millis)), kind != agn.TypeEscalation)
	if len(h.ContextRef) > 0 {
		out = fmt.Appendf(out, `,"context_ref":%s`, mustJSON(h.ContextRef))
	}
	return fmt.Appendf(out, ",\"payload\":%s}\n", payload)
}
