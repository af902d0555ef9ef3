package documents

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// FolderPath returns the path of a file: URI. ok is false for any other URI: a folder
// that is not on this machine has no .agent-message to read.
func FolderPath(uri string) (folder string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" || u.Path[0] != '/' {
		return "", false
	}
	p := path.Clean(u.Path) // before the drive is removed: "/c:/.." is not a folder on the drive
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

// FileURI returns the file: URI of a path. It is the inverse of [FolderPath].
func FileURI(path string) string {
	p := filepath.ToSlash(path)
	u := url.URL{Scheme: "file", Path: p}
	switch {
	case strings.HasPrefix(p, "//"): // a Windows share
		host, rest, _ := strings.Cut(p[2:], "/")
		u.Host, u.Path = host, "/"+rest
	case !strings.HasPrefix(p, "/"):
		u.Path = "/" + p // "c:/work"
	}
	return u.String()
}
