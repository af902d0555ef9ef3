package task

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// draft is a payload in the making: the text of a JSON object, to which members
// are added at its end, so that what the user wrote keeps its place.
type draft struct {
	kind string
	// source names the file, or is empty where flags gave everything.
	source string
	data   []byte
	names  map[string]bool
}

// clone returns a copy that can be changed by itself.
func (d *draft) clone() *draft {
	c := *d
	c.data, c.names = slices.Clone(d.data), maps.Clone(d.names)
	return &c
}

// newDraft begins a payload from a JSON or YAML file, or empty.
func (j *Commands) newDraft(kind, path string) (*draft, error) {
	d := &draft{kind: kind, source: path, data: []byte("{}"), names: map[string]bool{}}
	if path == "" {
		return d, nil
	}
	data, err := j.ReadInput(path, agn.MaxMessage)
	if err != nil {
		return nil, err
	}
	if len(data) > agn.MaxMessage {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, agn.MaxMessage)
	}
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".yaml", ext == ".yml", ext != ".json" && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		if data, err = yamlToJSON(data); err != nil {
			return nil, fmt.Errorf("%s is no payload in YAML: %w", path, err)
		}
	}
	if err := canon.Object(data, func(key []byte, _ canon.Value) error { d.names[string(key)] = true; return nil }); err != nil {
		return nil, fmt.Errorf("%s is no payload in JSON: %w", path, err)
	}
	d.data = bytes.TrimSpace(data)
	return d, nil
}

// set adds a member that a flag gives. The member must not exist yet.
func (d *draft) set(name string, value any) error {
	if d.names[name] {
		return cli.Usage(fmt.Errorf("%s has %q already, which a flag gives, too", d.source, name))
	}
	d.fill(name, value)
	return nil
}

// fill adds a member unless it is there.
func (d *draft) fill(name string, value any) {
	if d.names[name] {
		return
	}
	d.names[name] = true
	text := string(d.data[:len(d.data)-1])
	if strings.TrimSpace(text) != "{" {
		text = strings.TrimRight(text, " \t\r\n") + ","
	}
	d.data = fmt.Appendf(nil, "%s%s:%s}", text, mustJSON(name), mustJSON(value))
}

// message builds the message around the payload. A payload that breaks a rule is
// built, too, so that the rules refuse it and the log keeps it. Unknown members are
// refused, because they would be lost.
func (d *draft) message(h agn.Head, from string) ([]byte, error) {
	p, found, err := agn.ParsePayload(d.kind, d.data)
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
		return nil, cli.Usage(fmt.Errorf("%s has members that a %s does not have and that would be lost: %q", d.source, d.kind, unknown))
	}
	if len(found.Faults) > 0 {
		return d.unchecked(h, from), nil
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
	case p.Escalation != nil:
		return agn.BuildEscalation(h, from, *p.Escalation)
	}
	return nil, errors.New("the payload is none")
}

// unchecked builds the message around a payload that may break rules.
func (d *draft) unchecked(h agn.Head, from string) []byte {
	sender, to, _ := agn.Route(d.kind)
	envelope := &draft{data: []byte("{}"), names: map[string]bool{}}
	envelope.fill("msg_id", h.ID(d.kind))
	envelope.fill("protocol_version", agn.Version)
	envelope.fill("type", d.kind)
	envelope.fill("from", cmp.Or(sender, from))
	envelope.fill("to", to)
	envelope.fill("task_id", h.TaskID)
	envelope.fill("timestamp", agn.FormatTime(h.Millis))
	envelope.fill("requires_ack", d.kind != agn.TypeEscalation)
	if len(h.ContextRef) > 0 {
		envelope.fill("context_ref", h.ContextRef)
	}
	return fmt.Appendf(nil, "%s,\"payload\":%s}\n", envelope.data[:len(envelope.data)-1], d.data)
}
