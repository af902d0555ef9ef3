package ops

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// asFault gives the fault that an error of core/atsf is, or nil.
func asFault(err error) *atsf.Fault {
	f, _ := errors.AsType[*atsf.Fault](err)
	return f
}

func itoa(n int) string { return strconv.Itoa(n) }

// fault writes a fault after its key or item, null for none.
func (e *encoder) fault(f *atsf.Fault) {
	if f == nil {
		e.buf = append(e.buf, "null"...)
		return
	}
	e.open('{')
	e.text("rule", f.Rule)
	e.text("field", f.Field)
	e.number("offset", int64(f.Offset))
	e.text("reason", f.Reason)
	e.close('}')
}

func (e *encoder) atsfFaults(name string, list []atsf.Fault) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.fault(&list[i])
	}
	e.close(']')
}

func (e *encoder) findings(f atsf.Findings) {
	e.atsfFaults("faults", f.Faults)
	e.atsfFaults("notes", f.Notes)
}

func (e *encoder) version(v atsf.Version) {
	e.key("version")
	e.open('{')
	e.number("major", int64(v.Major))
	e.number("minor", int64(v.Minor))
	e.close('}')
}

func (e *encoder) time(name string, t atsf.Time) {
	e.key(name)
	e.open('{')
	e.text("text", t.Text)
	e.number("millis", t.Millis)
	e.bool("ok", t.OK)
	e.bool("utc", t.UTC)
	e.close('}')
}

// thread writes the members of a thread but its findings.
func (e *encoder) thread(t *atsf.Thread) {
	e.version(t.Version)
	e.text("id", t.ID)
	e.text("title", t.Title)
	e.time("created", t.Created)
	e.time("updated", t.Updated)
	e.key("agent")
	e.open('{')
	e.text("id", t.Agent.ID)
	e.text("name", t.Agent.Name)
	e.text("version", t.Agent.Version)
	e.text("protocol", t.Agent.Protocol)
	e.number("protocolVersion", t.Agent.ProtocolVersion)
	e.close('}')
	e.key("context")
	e.open('{')
	e.text("workingDir", t.Context.WorkingDir)
	e.text("relativeDir", t.Context.RelativeDir)
	e.text("gitBranch", t.Context.GitBranch)
	e.text("gitCommit", t.Context.GitCommit)
	if tree := t.Context.Worktree; tree == nil {
		e.null("worktree")
	} else {
		e.key("worktree")
		e.open('{')
		e.text("path", tree.Path)
		e.text("branch", tree.Branch)
		e.close('}')
	}
	e.close('}')
	e.stats(t.Stats)
	e.text("parentId", t.ParentID)
	e.raw("metadata", t.Metadata)
}

func (e *encoder) stats(s atsf.Stats) {
	e.key("stats")
	e.open('{')
	e.number("messages", s.Messages)
	e.number("user", s.User)
	e.number("agent", s.Agent)
	e.number("toolCalls", s.ToolCalls)
	e.close('}')
}

// tally writes what messages.jsonl says about itself.
func (e *encoder) tally(t atsf.Tally) {
	e.stats(t.Stats)
	e.time("last", t.Last)
	e.number("bad", int64(t.Bad))
}

func (e *encoder) mismatches(list []atsf.Mismatch) {
	e.key("mismatches")
	e.open('[')
	for i := range list {
		e.item()
		e.open('{')
		e.text("field", list[i].Field)
		e.text("cached", list[i].Cached)
		e.text("derived", list[i].Derived)
		e.text("reason", list[i].Reason)
		e.close('}')
	}
	e.close(']')
}

// turn writes a message after its key or item.
func (e *encoder) turn(m *atsf.Message) {
	e.open('{')
	e.text("id", m.ID)
	e.text("role", m.Role)
	e.time("time", m.Time)
	e.key("content")
	e.open('[')
	for i := range m.Content {
		e.item()
		e.block(&m.Content[i])
	}
	e.close(']')
	e.key("tools")
	e.open('[')
	for i := range m.Tools {
		e.item()
		e.tool(&m.Tools[i])
	}
	e.close(']')
	e.number("blocks", int64(m.Blocks))
	e.number("toolCalls", int64(m.ToolCalls))
	e.text("stopReason", m.StopReason)
	e.text("model", m.Model)
	if m.Tokens == nil {
		e.null("tokens")
	} else {
		e.key("tokens")
		e.open('{')
		e.number("input", m.Tokens.Input)
		e.number("output", m.Tokens.Output)
		e.close('}')
	}
	e.findings(m.Findings)
	e.close('}')
}

// block writes a content block. Its bytes are told by their place in the line,
// which the host has; inline data is not repeated.
func (e *encoder) block(b *atsf.Block) {
	e.open('{')
	e.number("offset", int64(b.Offset))
	e.number("length", int64(len(b.Raw)))
	e.text("type", b.Type)
	e.bool("known", b.Known)
	e.optional("text", b.Text)
	e.optional("assetRef", b.AssetRef)
	e.optional("mimeType", b.MimeType)
	e.optional("uri", b.URI)
	e.optional("name", b.Name)
	if b.Size != 0 {
		e.number("size", b.Size)
	}
	e.optional("toolCallId", b.ToolCallID)
	if b.Inline != nil {
		e.bool("inline", true)
	}
	if b.Annotations != nil {
		e.raw("annotations", b.Annotations)
	}
	e.close('}')
}

func (e *encoder) tool(c *atsf.ToolCall) {
	e.open('{')
	e.number("offset", int64(c.Offset))
	e.number("length", int64(len(c.Raw)))
	e.text("id", c.ID)
	e.text("name", c.Name)
	e.text("status", c.Status)
	if s := c.State(); s != atsf.StateUnknown {
		e.text("state", s.String())
	}
	e.optional("title", c.Title)
	e.optional("kind", c.Kind)
	if c.HasInput {
		e.text("input", c.Input)
	}
	if c.HasOutput {
		e.text("output", c.Output)
	}
	if c.Duration >= 0 {
		e.number("duration", c.Duration)
	}
	if d := c.Diff; d != nil {
		e.key("diff")
		e.open('{')
		e.text("path", d.Path)
		e.text("old", d.Old)
		e.text("new", d.New)
		e.bool("created", d.Created)
		e.close('}')
	}
	e.locations(c.Locations)
	e.close('}')
}

func (e *encoder) locations(list []atsf.Location) {
	if len(list) == 0 {
		return
	}
	e.key("locations")
	e.open('[')
	for _, l := range list {
		e.item()
		e.open('{')
		e.text("path", l.Path)
		e.number("line", l.Line)
		e.close('}')
	}
	e.close(']')
}
