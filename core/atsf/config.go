package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
)

// Config is a config.json (Project-Level Configuration, rules K1 to K3).
type Config struct {
	// Raw is the whole file. It aliases the input.
	Raw []byte
	// Version is the zero Version if the file has none that can be read.
	Version Version
	// CreatedBy is nil if the file does not have it.
	CreatedBy *CreatedBy
	Defaults  Defaults
	// AgentSettings is the raw object, an object of settings by agent, or nil.
	AgentSettings []byte
	Hooks         Hooks
	canon.Findings
}

// CreatedBy is the application that made the directory.
type CreatedBy struct{ Name, Version string }

// Defaults apply to new threads. ModelID is not in the spec, but occurs in real files.
type Defaults struct {
	AgentID, InteractionMode, ModelID string
	// UseWorktree is nil if the file does not have it.
	UseWorktree *bool
}

var (
	configShape = canon.Shape[*configReader]{What: "config.json", Fields: []canon.Field[*configReader]{
		{Name: "specVersion", Rule: "K1", Set: func(c *configReader, m *canon.Member) { c.Version = versionOf(m, &c.refused) }},
		{Name: "createdBy", Rule: "K2", Optional: true, Set: func(c *configReader, m *canon.Member) {
			c.CreatedBy = new(CreatedBy)
			createdShape.Read(m, c.CreatedBy)
		}},
		{Name: "defaults", Rule: "K2", Optional: true, Set: func(c *configReader, m *canon.Member) {
			c.Defaults = Defaults{}
			defaultsShape.Read(m, &c.Defaults)
		}},
		{Name: "agentSettings", Rule: "K2", Optional: true, Set: func(c *configReader, m *canon.Member) {
			if m.Is(canon.Mapping) {
				c.AgentSettings = m.Raw
			}
		}},
		{Name: "worktreeHooks", Rule: "K2", Optional: true, Set: func(c *configReader, m *canon.Member) {
			c.Hooks = Hooks{}
			hooksShape.Read(m, &c.Hooks)
		}},
	}}
	createdShape = canon.Shape[*CreatedBy]{What: "createdBy", Rule: "K1", Fields: []canon.Field[*CreatedBy]{
		{Name: "name", Rule: "K1", Set: func(c *CreatedBy, m *canon.Member) { c.Name = m.Text() }},
		{Name: "version", Rule: "K1", Set: func(c *CreatedBy, m *canon.Member) { c.Version = m.Text() }},
	}}
	defaultsShape = canon.Shape[*Defaults]{What: "defaults", Rule: "K2", Fields: []canon.Field[*Defaults]{
		{Name: "agentId", Rule: "K2", Optional: true, Set: func(d *Defaults, m *canon.Member) { d.AgentID = m.Text() }},
		{Name: "interactionMode", Rule: "K2", Optional: true, Set: func(d *Defaults, m *canon.Member) { d.InteractionMode = m.Text() }},
		{Name: "modelId", Rule: "K2", Optional: true, Set: func(d *Defaults, m *canon.Member) { d.ModelID = m.Text() }},
		{Name: "useWorktree", Rule: "K2", Optional: true, Set: func(d *Defaults, m *canon.Member) {
			if m.Is(canon.Bool) {
				use := m.Flag()
				d.UseWorktree = &use
			}
		}},
	}}
)

// configReader is a config.json that is being read.
type configReader struct {
	Config
	refused *canon.Fault // for its version
}

// ParseConfig reads a config.json. It returns a *[canon.Fault] for text that is not a
// JSON object (K1) or not UTF-8 (X1), and for a major version that must be refused
// (V2). All other faults are listed in the Config, faults of hooks too. [Secrets] looks
// for what K3 forbids.
func ParseConfig(data []byte) (Config, error) {
	c := configReader{Config: Config{Raw: data}}
	root, bad := rootOf(data, "K1", "config.json", &c.Findings)
	if bad != nil {
		return Config{}, bad
	}
	configShape.Read(root, &c)
	if c.refused != nil {
		return Config{}, c.refused
	}
	return c.Config, nil
}
