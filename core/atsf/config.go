package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
)

// Config is a config.json (Project-Level Configuration, rules K1 to K3).
type Config struct {
	// Raw is the whole file. It aliases the input.
	Raw []byte
	// Version is the zero Version where the file has none that can be read.
	Version Version
	// CreatedBy is nil where the file does not say.
	CreatedBy *CreatedBy
	Defaults  Defaults
	// AgentSettings is the raw object, an object of settings by agent, or nil.
	AgentSettings []byte
	Hooks         Hooks
	canon.Findings
}

// CreatedBy is the application that made the directory.
type CreatedBy struct{ Name, Version string }

// Defaults are for new threads. ModelID is not in the text but in real files.
type Defaults struct {
	AgentID, InteractionMode, ModelID string
	// UseWorktree is nil where the file does not say.
	UseWorktree *bool
}

var (
	configShape = shape{
		what: "config.json", rule: "K1", optional: "K2", required: 1,
		names: []string{"specVersion", "createdBy", "defaults", "agentSettings", "worktreeHooks"},
	}
	createdShape  = shape{what: "createdBy", rule: "K1", optional: "K1", required: 2, names: []string{"name", "version"}}
	defaultsShape = shape{
		what: "defaults", rule: "K2", optional: "K2",
		names: []string{"agentId", "interactionMode", "modelId", "useWorktree"},
	}
)

// ParseConfig reads a config.json. It returns a *[canon.Fault] for text that is no
// JSON object (K1) or not UTF-8 (X1), and for a major version that must be
// refused (V2). Every other fault is listed in the Config, those of hooks too;
// [Secrets] looks for what K3 forbids.
func ParseConfig(data []byte) (Config, error) {
	v, bad := root(data, "K1", "config.json")
	if bad != nil {
		return Config{}, bad
	}
	c := Config{Raw: data}
	var refused *canon.Fault
	readObject(&c.Findings, v, &configShape, "", func(m *member) {
		switch m.at {
		case 0:
			var no *canon.Fault
			if c.Version, no = m.version(); no != nil {
				refused = no
			}
		case 1:
			c.createdBy(m.v)
		case 2:
			c.defaults(m.v)
		case 3:
			if m.is(canon.Mapping) {
				c.AgentSettings = m.v.Raw
			}
		case 4:
			c.hooks(m.v)
		}
	})
	if refused != nil {
		return Config{}, refused
	}
	return c, nil
}

func (c *Config) createdBy(v canon.Value) {
	c.CreatedBy = new(CreatedBy)
	readObject(&c.Findings, v, &createdShape, "createdBy.", func(m *member) {
		if m.at == 0 {
			c.CreatedBy.Name = m.text()
		} else {
			c.CreatedBy.Version = m.text()
		}
	})
}

func (c *Config) defaults(v canon.Value) {
	c.Defaults = Defaults{}
	readObject(&c.Findings, v, &defaultsShape, "defaults.", func(m *member) {
		switch m.at {
		case 0:
			c.Defaults.AgentID = m.text()
		case 1:
			c.Defaults.InteractionMode = m.text()
		case 2:
			c.Defaults.ModelID = m.text()
		case 3:
			if m.is(canon.Bool) {
				use := m.flag()
				c.Defaults.UseWorktree = &use
			}
		}
	})
}
