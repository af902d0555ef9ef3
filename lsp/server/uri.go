package server

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// folderPath gives the path that a file: URI names. ok is false for any other
// URI: a folder that is not on this machine has no .agent-message to read.
func folderPath(uri string) (folder string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" || u.Path[0] != '/' {
		return "", false
	}
	p := path.Clean(u.Path) // before the drive goes: "/c:/.." is no folder of it
	if isDrive(p) {
		p = p[1:] // "/c:/work" is "c:/work"
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		p = "//" + u.Host + p // a Windows share
	}
	return filepath.Clean(filepath.FromSlash(p)), true
}

func isDrive(p string) bool {
	letter := len(p) >= 3 && ('a' <= p[1] && p[1] <= 'z' || 'A' <= p[1] && p[1] <= 'Z')
	return letter && p[2] == ':' && (len(p) == 3 || p[3] == '/')
}

// folders gives the workspace's folders: those of workspaceFolders, else the
// one root of older clients.
func (p *initializeParams) folderPaths() []string {
	paths := []string{}
	for _, f := range p.Folders {
		if path, ok := folderPath(f.URI); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		return paths
	}
	if path, ok := folderPath(p.RootURI); ok {
		return append(paths, path)
	}
	if filepath.IsAbs(p.RootPath) {
		return append(paths, filepath.Clean(p.RootPath))
	}
	return paths
}
