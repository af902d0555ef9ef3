package ops

import "github.com/signalbox-dev/signalbox/core/atsf"

func atsfConfig(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	c, err := atsf.ParseConfig(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.config(&c)
	e.atsfFaults("secrets", atsf.Secrets(b))
	e.findings(c.Findings)
	e.close('}')
	return e.buf, nil
}

// config writes the members of a config.json but what is wrong with it.
func (e *encoder) config(c *atsf.Config) {
	e.version(c.Version)
	if c.CreatedBy == nil {
		e.null("createdBy")
	} else {
		e.key("createdBy")
		e.open('{')
		e.text("name", c.CreatedBy.Name)
		e.text("version", c.CreatedBy.Version)
		e.close('}')
	}
	e.key("defaults")
	e.open('{')
	e.text("agentId", c.Defaults.AgentID)
	e.text("interactionMode", c.Defaults.InteractionMode)
	e.text("modelId", c.Defaults.ModelID)
	if use := c.Defaults.UseWorktree; use == nil {
		e.null("useWorktree")
	} else {
		e.bool("useWorktree", *use)
	}
	e.close('}')
	e.raw("agentSettings", c.AgentSettings)
	e.hooks(&c.Hooks)
}

func (e *encoder) hooks(h *atsf.Hooks) {
	e.key("hooks")
	e.open('{')
	e.key("symlinks")
	e.open('[')
	for i := range h.Symlinks {
		l := &h.Symlinks[i]
		e.item()
		e.open('{')
		e.text("source", l.Source)
		e.text("target", l.Target)
		e.key("fault")
		e.fault(l.Fault)
		e.close('}')
	}
	e.close(']')
	e.key("commands")
	e.open('[')
	for i := range h.Commands {
		e.item()
		e.command(&h.Commands[i])
	}
	e.close(']')
	e.text("initialPrompt", h.InitialPrompt)
	e.close('}')
}

func (e *encoder) command(c *atsf.Command) {
	e.open('{')
	e.text("command", c.Command)
	e.text("label", c.Label)
	e.number("timeout", c.Timeout)
	e.bool("continueOnError", c.ContinueOnError)
	if c.Platforms == nil {
		e.null("platforms")
	} else {
		e.texts("platforms", c.Platforms)
	}
	e.key("fault")
	e.fault(c.Fault)
	e.close('}')
}
