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
	configShape = canon.Shape{What: "config.json", Fields: []canon.Field{
		{Name: "specVersion", Rule: "K1"},
		{Name: "createdBy", Rule: "K2", Optional: true},
		{Name: "defaults", Rule: "K2", Optional: true},
		{Name: "agentSettings", Rule: "K2", Optional: true},
		{Name: "worktreeHooks", Rule: "K2", Optional: true},
	}}
	createdShape = canon.Shape{What: "createdBy", Fields: []canon.Field{
		{Name: "name", Rule: "K1"},
		{Name: "version", Rule: "K1"},
	}}
	defaultsShape = canon.Shape{What: "defaults", Fields: []canon.Field{
		{Name: "agentId", Rule: "K2", Optional: true},
		{Name: "interactionMode", Rule: "K2", Optional: true},
		{Name: "modelId", Rule: "K2", Optional: true},
		{Name: "useWorktree", Rule: "K2", Optional: true},
	}}
)

// ParseConfig reads a config.json. It returns a *[canon.Fault] for text that is not a
// JSON object (K1) or not UTF-8 (X1), and for a major version that must be refused
// (V2). All other faults are listed in the Config, faults of hooks too. [Secrets] looks
// for what K3 forbids.
func ParseConfig(data []byte) (Config, error) {
	c := Config{Raw: data}
	root, bad := rootOf(data, "K1", "config.json", &c.Findings)
	if bad != nil {
		return Config{}, bad
	}
	var refused *canon.Fault
	root.Object(&configShape, func(m *canon.Member) {
		switch m.Name {
		case "specVersion":
			var no *canon.Fault
			if c.Version, no = versionOf(m); no != nil {
				refused = no
			}
		case "createdBy":
			c.createdBy(m)
		case "defaults":
			c.defaults(m)
		case "agentSettings":
			if m.Is(canon.Mapping) {
				c.AgentSettings = m.Raw
			}
		case "worktreeHooks":
			c.hooks(m)
		}
	})
	if refused != nil {
		return Config{}, refused
	}
	return c, nil
}

func (c *Config) createdBy(m *canon.Member) {
	c.CreatedBy = new(CreatedBy)
	object(m, &createdShape, func(m *canon.Member) {
		if m.Name == "name" {
			c.CreatedBy.Name = m.Text()
		} else {
			c.CreatedBy.Version = m.Text()
		}
	})
}

func (c *Config) defaults(m *canon.Member) {
	c.Defaults = Defaults{}
	object(m, &defaultsShape, func(m *canon.Member) {
		switch m.Name {
		case "agentId":
			c.Defaults.AgentID = m.Text()
		case "interactionMode":
			c.Defaults.InteractionMode = m.Text()
		case "modelId":
			c.Defaults.ModelID = m.Text()
		case "useWorktree":
			if m.Is(canon.Bool) {
				use := m.Flag()
				c.Defaults.UseWorktree = &use
			}
		}
	})
}
