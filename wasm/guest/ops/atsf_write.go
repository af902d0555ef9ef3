package ops

import (
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// unwritten says why a file was not changed: because of the file itself
// (Malformed) or because of the change (Refused).
func unwritten(err error) error {
	if f := asFault(err); f != nil {
		switch f.Rule {
		case "T1", "X1", "V1", "V2":
			return malformed(err)
		}
	}
	return refused(err)
}

func atsfEdit(dst, a, b []byte) ([]byte, error) {
	var changes []atsf.Change
	if err := read(a, needed(list("changes", func(v canon.Value) error {
		var c atsf.Change
		set := needed(value("value", &c.Value))
		set.null = true // a member can be set to null
		err := read(v.Raw, needed(texts("path", &c.Path)), set)
		changes = append(changes, c)
		return err
	}))); err != nil {
		return nil, err
	}
	out, err := atsf.Edit(b, changes...)
	if err != nil {
		return nil, unwritten(err)
	}
	return append(dst, out...), nil
}

func atsfRepair(dst, a, b []byte) ([]byte, error) {
	thread, messages, err := bothFiles(a, b)
	if err != nil {
		return nil, err
	}
	tally, _ := atsf.Count(messages)
	out, err := atsf.Repair(thread, tally)
	if err != nil {
		return nil, unwritten(err)
	}
	t, err := atsf.ParseThread(thread)
	if err != nil {
		return nil, unwritten(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.bool("changed", string(out) != string(thread))
	e.mismatches(atsf.Compare(&t, tally))
	e.number("length", int64(len(out)))
	e.close('}')
	return append(append(e.buf, '\n'), out...), nil
}

func atsfFork(dst, a, b []byte) ([]byte, error) {
	var p atsf.ForkPlan
	thread, messages, err := bothFiles(
		a, b, needed(text("id", &p.ID)), text("title", &p.Title), needed(integer("created", &p.Created, nil)), text("through", &p.Through),
	)
	if err != nil {
		return nil, err
	}
	made, log, err := atsf.Fork(thread, messages, p)
	if f := asFault(err); f != nil && f.Rule == "M2" {
		return nil, &failure{code: abi.NotFound, message: f.Reason}
	}
	if err != nil {
		return nil, unwritten(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.number("threadLength", int64(len(made)))
	e.number("messagesLength", int64(len(log)))
	e.close('}')
	return append(append(append(e.buf, '\n'), made...), log...), nil
}

func atsfBuildThread(dst, a, b []byte) ([]byte, error) {
	if err := none(b); err != nil {
		return nil, err
	}
	var t atsf.Thread
	var tree atsf.Worktree
	agent, context, stats := &t.Agent, &t.Context, &t.Stats
	if err := read(a,
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
		return nil, err
	}
	out, err := atsf.BuildThread(t)
	if err != nil {
		return nil, refused(err)
	}
	return append(dst, out...), nil
}

func atsfBuildConfig(dst, a, b []byte) ([]byte, error) {
	if err := none(b); err != nil {
		return nil, err
	}
	var by atsf.CreatedBy
	if err := read(a, needed(text("name", &by.Name)), needed(text("version", &by.Version))); err != nil {
		return nil, err
	}
	out, err := atsf.BuildConfig(by)
	if err != nil {
		return nil, refused(err)
	}
	return append(dst, out...), nil
}

func atsfBuildMessage(dst, a, b []byte) ([]byte, error) {
	if err := none(b); err != nil {
		return nil, err
	}
	var m atsf.Message
	var tokens atsf.Tokens
	if err := read(a,
		text("id", &m.ID), text("role", &m.Role), needed(at("time", &m.Time)),
		needed(list("content", func(v canon.Value) error {
			block, err := readBlock(v.Raw)
			m.Content = append(m.Content, block)
			return err
		})),
		list("tools", func(v canon.Value) error {
			call, err := readTool(v.Raw)
			m.Tools = append(m.Tools, call)
			return err
		}),
		text("stopReason", &m.StopReason), text("model", &m.Model),
		object("tokens", func() { m.Tokens = &tokens }, integer("input", &tokens.Input, nil), integer("output", &tokens.Output, nil)),
	); err != nil {
		return nil, err
	}
	line, err := atsf.BuildMessage(m)
	if err != nil {
		return nil, refused(err)
	}
	return append(dst, line...), nil
}

func readBlock(raw []byte) (b atsf.Block, err error) {
	err = read(raw, value("raw", &b.Raw),
		text("type", &b.Type), text("text", &b.Text), text("assetRef", &b.AssetRef), text("mimeType", &b.MimeType),
		text("uri", &b.URI), text("name", &b.Name), integer("size", &b.Size, nil), text("toolCallId", &b.ToolCallID),
		value("annotations", &b.Annotations),
	)
	return b, err
}

func readTool(raw []byte) (c atsf.ToolCall, err error) {
	c.Duration = -1
	var d atsf.Diff
	err = read(raw, value("raw", &c.Raw),
		text("id", &c.ID), text("name", &c.Name), text("status", &c.Status), text("title", &c.Title), text("kind", &c.Kind),
		given(text("input", &c.Input), &c.HasInput), given(text("output", &c.Output), &c.HasOutput),
		integer("duration", &c.Duration, nil),
		object("diff", func() { c.Diff = &d }, text("path", &d.Path), text("old", &d.Old), text("new", &d.New)),
		list("locations", func(v canon.Value) error {
			var l atsf.Location
			err := read(v.Raw, text("path", &l.Path), integer("line", &l.Line, nil))
			c.Locations = append(c.Locations, l)
			return err
		}),
	)
	return c, err
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
