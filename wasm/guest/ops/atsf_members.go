package ops

import "github.com/signalbox-dev/signalbox/core/atsf"

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) version(v *atsf.Version) {
	e.number("major", int64(v.Major))
	e.number("minor", int64(v.Minor))
}

func (e *encoder) agentThread(v *atsf.Thread) {
	nested(e, "version", &v.Version, (*encoder).version)
	e.text("id", v.ID)
	e.text("title", v.Title)
	e.threadTime("created", v.Created)
	e.threadTime("updated", v.Updated)
	nested(e, "agent", &v.Agent, (*encoder).agent)
	nested(e, "context", &v.Context, (*encoder).threadContext)
	nested(e, "stats", &v.Stats, (*encoder).counts)
	e.text("parentId", v.ParentID)
	e.raw("metadata", v.Metadata)
}

func (e *encoder) agent(v *atsf.Agent) {
	e.text("id", v.ID)
	e.text("name", v.Name)
	e.text("version", v.Version)
	e.text("protocol", v.Protocol)
	e.number("protocolVersion", v.ProtocolVersion)
}

func (e *encoder) threadContext(v *atsf.Context) {
	e.text("workingDir", v.WorkingDir)
	e.text("relativeDir", v.RelativeDir)
	e.text("gitBranch", v.GitBranch)
	e.text("gitCommit", v.GitCommit)
	nested(e, "worktree", v.Worktree, (*encoder).worktree)
}

func (e *encoder) worktree(v *atsf.Worktree) {
	e.text("path", v.Path)
	e.text("branch", v.Branch)
}

func (e *encoder) counts(v *atsf.Stats) {
	e.number("messages", v.Messages)
	e.number("user", v.User)
	e.number("agent", v.Agent)
	e.number("toolCalls", v.ToolCalls)
}

func (e *encoder) agentMessage(v *atsf.Message) {
	e.text("id", v.ID)
	e.text("role", v.Role)
	e.threadTime("time", v.Time)
	every(e, "content", v.Content, (*encoder).block)
	every(e, "tools", v.Tools, (*encoder).toolCall)
	e.number("blocks", int64(v.Blocks))
	e.number("toolCalls", int64(v.ToolCalls))
	e.text("stopReason", v.StopReason)
	e.text("model", v.Model)
	nested(e, "tokens", v.Tokens, (*encoder).tokens)
	e.both(v.Findings)
}

func (e *encoder) tokens(v *atsf.Tokens) {
	e.number("input", v.Input)
	e.number("output", v.Output)
}

func (e *encoder) block(v *atsf.Block) {
	e.number("offset", int64(v.Offset))
	e.number("length", int64(len(v.Raw)))
	e.text("type", v.Type)
	e.bool("known", v.Known)
	e.optional("text", v.Text)
	e.optional("assetRef", v.AssetRef)
	e.optional("mimeType", v.MimeType)
	e.optional("uri", v.URI)
	e.optional("name", v.Name)
	if v.Size != 0 {
		e.number("size", v.Size)
	}
	e.optional("toolCallId", v.ToolCallID)
	if v.Inline != nil {
		e.bool("inline", true)
	}
	if v.Annotations != nil {
		e.raw("annotations", v.Annotations)
	}
}

func (e *encoder) toolCall(v *atsf.ToolCall) {
	e.number("offset", int64(v.Offset))
	e.number("length", int64(len(v.Raw)))
	e.text("id", v.ID)
	e.text("name", v.Name)
	e.text("status", v.Status)
	e.optional("state", stateName(v))
	e.optional("title", v.Title)
	e.optional("kind", v.Kind)
	if v.HasInput {
		e.text("input", v.Input)
	}
	if v.HasOutput {
		e.text("output", v.Output)
	}
	if v.Duration >= 0 {
		e.number("duration", v.Duration)
	}
	optionally(e, "diff", v.Diff, (*encoder).diff)
	if len(v.Locations) > 0 {
		every(e, "locations", v.Locations, (*encoder).location)
	}
}

func (e *encoder) diff(v *atsf.Diff) {
	e.text("path", v.Path)
	e.text("old", v.Old)
	e.text("new", v.New)
	e.bool("created", v.Created)
}

func (e *encoder) location(v *atsf.Location) {
	e.text("path", v.Path)
	e.number("line", v.Line)
}

func (e *encoder) agentConfig(v *atsf.Config) {
	nested(e, "version", &v.Version, (*encoder).version)
	nested(e, "createdBy", v.CreatedBy, (*encoder).application)
	nested(e, "defaults", &v.Defaults, (*encoder).defaults)
	e.raw("agentSettings", v.AgentSettings)
	nested(e, "hooks", &v.Hooks, (*encoder).hooks)
}

func (e *encoder) application(v *atsf.CreatedBy) {
	e.text("name", v.Name)
	e.text("version", v.Version)
}

func (e *encoder) defaults(v *atsf.Defaults) {
	e.text("agentId", v.AgentID)
	e.text("interactionMode", v.InteractionMode)
	e.text("modelId", v.ModelID)
	e.maybe("useWorktree", v.UseWorktree)
}

func (e *encoder) hooks(v *atsf.Hooks) {
	every(e, "symlinks", v.Symlinks, (*encoder).symlink)
	every(e, "commands", v.Commands, (*encoder).command)
	e.text("initialPrompt", v.InitialPrompt)
}

func (e *encoder) symlink(v *atsf.Symlink) {
	e.text("source", v.Source)
	e.text("target", v.Target)
	e.fault("fault", v.Fault)
}

func (e *encoder) command(v *atsf.Command) {
	e.text("command", v.Command)
	e.text("label", v.Label)
	e.number("timeout", v.Timeout)
	e.bool("continueOnError", v.ContinueOnError)
	if v.Platforms == nil {
		e.null("platforms")
	} else {
		e.texts("platforms", v.Platforms)
	}
	e.fault("fault", v.Fault)
}

func (e *encoder) figures(v *atsf.Tally) {
	nested(e, "stats", &v.Stats, (*encoder).counts)
	e.threadTime("last", v.Last)
	e.number("bad", int64(v.Bad))
}

func (e *encoder) mismatch(v *atsf.Mismatch) {
	e.text("field", v.Field)
	e.text("cached", v.Cached)
	e.text("derived", v.Derived)
	e.text("reason", v.Reason)
}
