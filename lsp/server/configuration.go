package server

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// didChangeConfiguration is workspace/didChangeConfiguration. Params without our
// settings are ignored: some clients send an empty object at start.
func (s *session) didChangeConfiguration(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[struct {
		Settings struct {
			Signalbox json.RawMessage `json:"signalbox"`
		} `json:"settings"`
	}](params)
	if err != nil {
		return nil, err
	}
	raw := p.Settings.Signalbox
	if raw == nil || string(raw) == "null" {
		return nil, nil
	}
	settings, err := parseSettings(raw, "settings.signalbox")
	if err != nil {
		return nil, err
	}
	switched := settings.Diagnoses() != s.settings.Diagnoses()
	s.settings = settings
	if switched {
		for _, uri := range s.docs.URIs() {
			s.diagnose(uri, opened)
		}
	}
	defer s.markStale() // which files are known goes by the settings and the folders
	return nil, s.panel.Configure(ctx, s.settings, s.folders)
}

// didChangeWorkspaceFolders is workspace/didChangeWorkspaceFolders. A folder can set the alias.
func (s *session) didChangeWorkspaceFolders(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[struct {
		Event struct {
			Added   []workspaceFolder `json:"added"`
			Removed []workspaceFolder `json:"removed"`
		} `json:"event"`
	}](params)
	if err != nil {
		return nil, err
	}
	folders := slices.Clone(s.folders)
	for _, f := range p.Event.Removed {
		if path, ok := documents.FolderPath(f.URI); ok {
			folders = slices.DeleteFunc(folders, func(have string) bool { return have == path })
		}
	}
	for _, f := range p.Event.Added {
		if path, ok := documents.FolderPath(f.URI); ok && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	s.folders = folders
	defer s.markStale() // which files are known goes by the settings and the folders
	return nil, s.panel.Configure(ctx, s.settings, s.folders)
}
