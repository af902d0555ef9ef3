package ops

import "github.com/signalbox-dev/signalbox/core/atsf"

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) version(v *atsf.Version) {
	e.Number("major", int64(v.Major))
	e.Number("minor", int64(v.Minor))
}

func (e *encoder) agentThread(v *atsf.Thread) {
	nested(e, "version", &v.Version, (*encoder).version)
	e.Text("id", v.ID)
	e.Text("title", v.Title)
	e.threadTime("created", v.Created)
	e.threadTime("updated", v.Updated)
	nested(e, "agent", &v.Agent, (*encoder).agent)
	nested(e, "context", &v.Context, (*encoder).threadContext)
	nested(e, "stats", &v.Stats, (*encoder).counts)
	e.Text("parentId", v.ParentID)
	e.Raw("metadata", v.Metadata)
}

func (e *encoder) agent(v *atsf.Agent) {
	e.Text("id", v.ID)
	e.Text("name", v.Name)
	e.Text("version", v.Version)
	e.Text("protocol", v.Protocol)
	e.Number("protocolVersion", v.ProtocolVersion)
}

func (e *encoder) threadContext(v *atsf.Context) {
	e.Text("workingDir", v.WorkingDir)
	e.Text("relativeDir", v.RelativeDir)
	e.Text("gitBranch", v.GitBranch)
	e.Text("gitCommit", v.GitCommit)
	nested(e, "worktree", v.Worktree, (*encoder).worktree)
}

func (e *encoder) worktree(v *atsf.Worktree) {
	e.Text("path", v.Path)
	e.Text("branch", v.Branch)
}

func (e *encoder) counts(v *atsf.Stats) {
	e.Number("messages", v.Messages)
	e.Number("user", v.User)
	e.Number("agent", v.Agent)
	e.Number("toolCalls", v.ToolCalls)
}

func (e *encoder) agentMessage(v *atsf.Message) {
	e.Text("id", v.ID)
	e.Text("role", v.Role)
	e.threadTime("time", v.Time)
	every(e, "content", v.Content, (*encoder).block)
	every(e, "tools", v.Tools, (*encoder).toolCall)
	e.Number("blocks", int64(v.Blocks))
	e.Number("toolCalls", int64(v.ToolCalls))
	e.Text("stopReason", v.StopReason)
	e.Text("model", v.Model)
	nested(e, "tokens", v.Tokens, (*encoder).tokens)
	e.both(v.Findings)
}

func (e *encoder) tokens(v *atsf.Tokens) {
	e.Number("input", v.Input)
	e.Number("output", v.Output)
}

func (e *encoder) block(v *atsf.Block) {
	e.Number("offset", int64(v.Offset))
	e.Number("length", int64(len(v.Raw)))
	e.Text("type", v.Type)
	e.Bool("known", v.Known)
	e.Optional("text", v.Text)
	e.Optional("assetRef", v.AssetRef)
	e.Optional("mimeType", v.MimeType)
	e.Optional("uri", v.URI)
	e.Optional("name", v.Name)
	if v.Size != 0 {
		e.Number("size", v.Size)
	}
	e.Optional("toolCallId", v.ToolCallID)
	if v.Inline != nil {
		e.Bool("inline", true)
	}
	if v.Annotations != nil {
		e.Raw("annotations", v.Annotations)
	}
}

func (e *encoder) toolCall(v *atsf.ToolCall) {
	e.Number("offset", int64(v.Offset))
	e.Number("length", int64(len(v.Raw)))
	e.Text("id", v.ID)
	e.Text("name", v.Name)
	e.Text("status", v.Status)
	e.Optional("state", stateName(v))
	e.Optional("title", v.Title)
	e.Optional("kind", v.Kind)
	if v.HasInput {
		e.Text("input", v.Input)
	}
	if v.HasOutput {
		e.Text("output", v.Output)
	}
	if v.Duration >= 0 {
		e.Number("duration", v.Duration)
	}
	optionally(e, "diff", v.Diff, (*encoder).diff)
	if len(v.Locations) > 0 {
		every(e, "locations", v.Locations, (*encoder).location)
	}
}

func (e *encoder) diff(v *atsf.Diff) {
	e.Text("path", v.Path)
	e.Text("old", v.Old)
	e.Text("new", v.New)
	e.Bool("created", v.Created)
}

func (e *encoder) location(v *atsf.Location) {
	e.Text("path", v.Path)
	e.Number("line", v.Line)
}

func (e *encoder) agentConfig(v *atsf.Config) {
	nested(e, "version", &v.Version, (*encoder).version)
	nested(e, "createdBy", v.CreatedBy, (*encoder).application)
	nested(e, "defaults", &v.Defaults, (*encoder).defaults)
	e.Raw("agentSettings", v.AgentSettings)
	nested(e, "hooks", &v.Hooks, (*encoder).hooks)
}

func (e *encoder) application(v *atsf.CreatedBy) {
	e.Text("name", v.Name)
	e.Text("version", v.Version)
}

func (e *encoder) defaults(v *atsf.Defaults) {
	e.Text("agentId", v.AgentID)
	e.Text("interactionMode", v.InteractionMode)
	e.Text("modelId", v.ModelID)
	e.maybe("useWorktree", v.UseWorktree)
}

func (e *encoder) hooks(v *atsf.Hooks) {
	every(e, "symlinks", v.Symlinks, (*encoder).symlink)
	every(e, "commands", v.Commands, (*encoder).command)
	e.Text("initialPrompt", v.InitialPrompt)
}

func (e *encoder) symlink(v *atsf.Symlink) {
	e.Text("source", v.Source)
	e.Text("target", v.Target)
	e.fault("fault", v.Fault)
}

func (e *encoder) command(v *atsf.Command) {
	e.Text("command", v.Command)
	e.Text("label", v.Label)
	e.Number("timeout", v.Timeout)
	e.Bool("continueOnError", v.ContinueOnError)
	if v.Platforms == nil {
		e.Raw("platforms", nil)
	} else {
		e.Texts("platforms", v.Platforms)
	}
	e.fault("fault", v.Fault)
}

func (e *encoder) figures(v *atsf.Tally) {
	nested(e, "stats", &v.Stats, (*encoder).counts)
	e.threadTime("last", v.Last)
	e.Number("bad", int64(v.Bad))
}

func (e *encoder) mismatch(v *atsf.Mismatch) {
	e.Text("field", v.Field)
	e.Text("cached", v.Cached)
	e.Text("derived", v.Derived)
	e.Text("reason", v.Reason)
}
