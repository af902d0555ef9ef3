package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// protocolVersions returns the major versions and features of the signalbox/* protocol that the
// server supports.
func protocolVersions() versions {
	return versions{Min: 1, Max: 1, Features: []string{"inbox", "thread", "compose", "link", "read", "agents", "tasks", "mail", "links", "search"}, Documents: check.DocumentKinds()}
}

// initialize is the first request. It opens the panels. Their indexing continues in the background.
func (s *session) initialize(_ context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[initializeParams](params)
	if err != nil {
		return nil, err
	}
	settings, err := parseSettings(p.Options, "initializationOptions")
	if err != nil {
		return nil, err
	}
	setup := Setup{
		Settings: settings, Folders: p.folderPaths(), Version: s.Version, FrameBytes: codec.MaxFrame,
		Changed: s.panelChanged, StatusChanged: s.announcer.StatusChanged,
	}
	// The panels live as long as the connection, not as long as this request.
	shown, err := s.Open(s.ctx, setup)
	if err != nil {
		return nil, err
	}
	s.panel, s.settings, s.folders = shown, setup.Settings, setup.Folders
	s.encoding = chooseEncoding(p.Capabilities.General.PositionEncodings)
	s.commands = commands.New(shown, s.Token, s.encoding)
	formats := p.Capabilities.TextDocument.Hover.ContentFormat
	s.plainHover = len(formats) > 0 && !slices.Contains(formats, "markdown")
	s.speaks = p.Capabilities.Experimental.Signalbox != nil
	s.codeLinks = p.Capabilities.TextDocument.Diagnostics.CodeDescription
	s.actions = p.Capabilities.TextDocument.CodeAction.Literals != nil
	s.offered = offers(&p)
	s.versioned = p.Capabilities.Workspace.Edit.DocumentChanges
	s.opens = p.Capabilities.Window.ShowDocument.Support
	s.owned.Go(func() { s.refresh(s.ctx) })
	s.watchParent(p.ProcessID)
	s.Log.Info("initialized", "client", p.ClientInfo.Name, "clientVersion", p.ClientInfo.Version, "encoding", s.encoding)
	return s.capabilities(), nil
}

// initialized starts the announcements if the client knows signalbox/*. Other clients would only
// log them as unknown.
func (s *session) initialized(context.Context, json.RawMessage) (any, error) {
	if s.speaks && !s.announcing {
		s.announcing = true
		s.owned.Go(func() { s.announcer.Run(s.ctx) })
	}
	return nil, nil
}

func (s *session) capabilities() initializeResult {
	r := initializeResult{ServerInfo: serverInfo{Name: "signalbox", Version: s.Version}}
	c := &r.Capabilities
	c.PositionEncoding = s.encoding
	c.TextDocumentSync = textDocumentSync{OpenClose: true, Change: 2}
	c.Hover = true
	if s.actions {
		c.CodeAction = &actionKinds{Kinds: s.kinds()}
	}
	c.linkProviders = s.offered.providers()
	c.ExecuteCommand.Commands = s.commands.Names()
	c.Workspace.Folders = folderSupport{Supported: true, ChangeNotifications: true}
	c.Experimental.Signalbox = protocolVersions()
	return r
}

// folderPaths returns the workspace's folders: workspaceFolders or, for older clients, the
// single root.
func (p *initializeParams) folderPaths() []string {
	paths := []string{}
	for _, f := range p.Folders {
		if path, ok := documents.FolderPath(f.URI); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		return paths
	}
	if path, ok := documents.FolderPath(p.RootURI); ok {
		return append(paths, path)
	}
	if filepath.IsAbs(p.RootPath) {
		return append(paths, filepath.Clean(p.RootPath))
	}
	return paths
}

// chooseEncoding returns the first known encoding that the client offers, or UTF-16.
func chooseEncoding(offered []documents.Encoding) documents.Encoding {
	for _, e := range offered {
		switch e {
		case documents.UTF8, documents.UTF16, documents.UTF32:
			return e
		}
	}
	return documents.UTF16
}

// parseSettings reads the client's settings. It refuses a setting of the wrong type instead of
// ignoring it: without the alias setting, a user would write under another name.
func parseSettings(raw json.RawMessage, at string) (panel.Settings, error) {
	s, err := codec.Decode[panel.Settings](raw)
	if err != nil {
		return s, codec.Errorf(codec.CodeInvalidParams, "%s: %s", at, err)
	}
	switch s.Profile {
	case "", "auto", "v1", "v1-compact":
	default:
		return s, codec.Errorf(codec.CodeInvalidParams, "%s: field profile: %q is not auto, v1 or v1-compact", at, s.Profile)
	}
	if s.HoverMaxMessages < 0 {
		return s, codec.Errorf(codec.CodeInvalidParams, "%s: field hoverMaxMessages: is negative", at)
	}
	s.Alias = strings.TrimSpace(s.Alias)
	return s, nil
}
