//go:build packages

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// TestPackagesGoInstall installs the last commit as "go install" gets it from a proxy: what
// git does not have, or a module may not hold, is missing there.
func TestPackagesGoInstall(t *testing.T) {
	m := module.Version{Path: "github.com/signalbox-dev/signalbox", Version: "v0.0.0-20260102030405-0123456789ab"}
	tmp := t.TempDir()
	proxy, bin := filepath.Join(tmp, "proxy"), filepath.Join(tmp, "bin")
	publish(t, filepath.Join(proxy, m.Path, "@v"), m)

	install := exec.Command("go", "install", "-trimpath", m.Path+"/cmd/signalbox@"+m.Version)
	install.Dir = tmp
	install.Env = append(os.Environ(),
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(output(t, "go", "env", "GOMODCACHE"), "cache", "download"),
		"GOMODCACHE="+filepath.Join(tmp, "modules"), "GOFLAGS=-modcacherw", "GOBIN="+bin, "GONOSUMDB=*", "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	program := filepath.Join(bin, "signalbox")
	for _, c := range []struct{ command, want string }{
		{"version", "(0123456789ab)"},
		{"demo", "signalbox"},
	} {
		cmd := exec.Command(program, c.command)
		cmd.Env = append(os.Environ(), "HOME="+tmp, "TMPDIR="+tmp)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%s", c.command, err, out)
		}
	}
}

// publish writes the last commit as a version of the module, as a proxy serves it.
func publish(t *testing.T, dir string, m module.Version) {
	t.Helper()
	tree := t.TempDir()
	output(t, "git", "-C", "../..", "archive", "--output", filepath.Join(tree, "..", "tree.tar"), "HEAD")
	output(t, "tar", "-xf", filepath.Join(tree, "..", "tree.tar"), "-C", tree)
	var archive bytes.Buffer
	if err := zip.CreateFromDir(&archive, m, tree); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	info := []byte(`{"Version": "` + m.Version + `"}`)
	for name, data := range map[string][]byte{
		"list": []byte(m.Version + "\n"), m.Version + ".zip": archive.Bytes(), m.Version + ".mod": mod, m.Version + ".info": info,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// output returns what a program wrote to stdout.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}
