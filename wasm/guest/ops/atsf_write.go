package ops

import (
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// unwritten returns why a file was not changed: because of the file itself (Malformed)
// or because of the change (Refused).
func unwritten(err error) error {
	if f := asFault(err); f != nil {
		switch f.Rule {
		case "T1", "X1", "V1", "V2":
			return malformed(err)
		}
	}
	return refused(err)
}

func atsfEdit(c *call) error {
	var changes []atsf.Change
	if err := c.read(needed(items("changes", &changes, func(raw []byte, change *atsf.Change) error {
		set := needed(value("value", &change.Value))
		set.null = true // a member can be set to null
		return read(raw, needed(texts("path", &change.Path)), set)
	}))); err != nil {
		return err
	}
	out, err := atsf.Edit(c.b, changes...)
	if err != nil {
		return unwritten(err)
	}
	return c.bytes(out)
}

func atsfRepair(c *call) error {
	thread, messages, err := c.bothFiles()
	if err != nil {
		return err
	}
	tally, _ := atsf.Count(messages)
	out, err := atsf.Repair(thread, tally)
	if err != nil {
		return unwritten(err)
	}
	t, err := atsf.ParseThread(thread)
	if err != nil {
		return unwritten(err)
	}
	c.Bool("changed", string(out) != string(thread))
	every(&c.encoder, "mismatches", atsf.Compare(&t, tally), (*encoder).mismatch)
	c.Number("length", int64(len(out)))
	return c.rest(out)
}

func atsfFork(c *call) error {
	var p atsf.ForkPlan
	thread, messages, err := c.bothFiles(
		needed(text("id", &p.ID)), text("title", &p.Title), needed(integer("created", &p.Created, nil)), text("through", &p.Through),
	)
	if err != nil {
		return err
	}
	made, log, err := atsf.Fork(thread, messages, p)
	if f := asFault(err); f != nil && f.Rule == "M2" {
		return &failure{code: abi.NotFound, message: f.Reason}
	}
	if err != nil {
		return unwritten(err)
	}
	c.Number("threadLength", int64(len(made)))
	c.Number("messagesLength", int64(len(log)))
	return c.rest(made, log)
}

func atsfBuildThread(c *call) error {
	var t atsf.Thread
	var tree atsf.Worktree
	agent, context, stats := &t.Agent, &t.Context, &t.Stats
	if err := c.read(
		text("id", &t.ID), text("title", &t.Title), needed(at("created", &t.Created)), at("updated", &t.Updated),
		object("agent", nil, text("id", &agent.ID), text("name", &agent.Name), text("version", &agent.Version),
			text("protocol", &agent.Protocol), integer("protocolVersion", &agent.ProtocolVersion, nil)),
		object("context", nil, text("workingDir", &context.WorkingDir), text("relativeDir", &context.RelativeDir),
			text("gitBranch", &context.GitBranch), text("gitCommit", &context.GitCommit),
			object("worktree", func() { context.Worktree = &tree }, text("path", &tree.Path), text("branch", &tree.Branch))),
		object("stats", nil, integer("messages", &stats.Messages, nil), integer("user", &stats.User, nil),
			integer("agent", &stats.Agent, nil), integer("toolCalls", &stats.ToolCalls, nil)),
		text("parentId", &t.ParentID), value("metadata", &t.Metadata),
	); err != nil {
		return err
	}
	out, err := atsf.BuildThread(t)
	if err != nil {
		return refused(err)
	}
	return c.bytes(out)
}

func atsfBuildConfig(c *call) error {
	var by atsf.CreatedBy
	if err := c.read(needed(text("name", &by.Name)), needed(text("version", &by.Version))); err != nil {
		return err
	}
	out, err := atsf.BuildConfig(by)
	if err != nil {
		return refused(err)
	}
	return c.bytes(out)
}

func atsfBuildMessage(c *call) error {
	var m atsf.Message
	var tokens atsf.Tokens
	if err := c.read(
		text("id", &m.ID), text("role", &m.Role), needed(at("time", &m.Time)),
		needed(items("content", &m.Content, readBlock)), items("tools", &m.Tools, readTool),
		text("stopReason", &m.StopReason), text("model", &m.Model),
		object("tokens", func() { m.Tokens = &tokens }, integer("input", &tokens.Input, nil), integer("output", &tokens.Output, nil)),
	); err != nil {
		return err
	}
	line, err := atsf.BuildMessage(m)
	if err != nil {
		return refused(err)
	}
	return c.bytes(line)
}

func readBlock(raw []byte, b *atsf.Block) error {
	return read(raw, value("raw", &b.Raw),
		text("type", &b.Type), text("text", &b.Text), text("assetRef", &b.AssetRef), text("mimeType", &b.MimeType),
		text("uri", &b.URI), text("name", &b.Name), integer("size", &b.Size, nil), text("toolCallId", &b.ToolCallID),
		value("annotations", &b.Annotations),
	)
}

func readTool(raw []byte, c *atsf.ToolCall) error {
	c.Duration = -1
	var d atsf.Diff
	return read(raw, value("raw", &c.Raw),
		text("id", &c.ID), text("name", &c.Name), text("status", &c.Status), text("title", &c.Title), text("kind", &c.Kind),
		given(text("input", &c.Input), &c.HasInput), given(text("output", &c.Output), &c.HasOutput),
		integer("duration", &c.Duration, nil),
		object("diff", func() { c.Diff = &d }, text("path", &d.Path), text("old", &d.Old), text("new", &d.New)),
		items("locations", &c.Locations, func(raw []byte, l *atsf.Location) error {
			return read(raw, text("path", &l.Path), integer("line", &l.Line, nil))
		}),
	)
}

// at reads a time in Unix milliseconds.
func at(name string, into *atsf.Time) param {
	return param{name: name, read: func(v canon.Value) error {
		var millis int64
		if err := integer(name, &millis, nil).read(v); err != nil {
			return err
		}
		*into = atsf.At(millis)
		return nil
	}}
}
