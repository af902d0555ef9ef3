//go:build packages

package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// registry is the module of the registry of MCP, which has the schemas of server.json.
const registry = "github.com/modelcontextprotocol/registry@"

// released returns the one file of the release that a pattern means.
func released(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(repository, "dist", "release", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s means %d files of the release, %v", pattern, len(found), err)
	}
	return found[0]
}

func jsonFile(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestPackagesServer holds server.json to the schema that the registry's publisher has, and to
// the package on npm, which has to name it.
func TestPackagesServer(t *testing.T) {
	download := exec.Command("go", "mod", "download", "-json", registry+os.Getenv("SIGNALBOX_REGISTRY"))
	download.Dir = t.TempDir()
	text, err := download.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", registry, err, text)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(text, &module); err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	jsonFile(t, filepath.Join(module.Dir, "internal", "validators", "schemas", "2025-12-11.json"), &schema)
	rules, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var server map[string]any
	jsonFile(t, released(t, "server.json"), &server)
	if err := rules.Validate(server); err != nil {
		t.Error(err)
	}
	server["description"] = nil
	if rules.Validate(server) == nil {
		t.Error("the schema takes a server without a description")
	}

	tmp := t.TempDir()
	version, _ := server["version"].(string)
	if out, err := exec.Command("tar", "-xzf", released(t, "npm-signalbox-"+version+".tgz"), "-C", tmp).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var manifest struct{ Name, McpName, Version string }
	jsonFile(t, filepath.Join(tmp, "package", "package.json"), &manifest)
	packages, _ := server["packages"].([]any)
	first, _ := packages[0].(map[string]any)
	if manifest.McpName != server["name"] || manifest.Name != first["identifier"] || manifest.Version != first["version"] {
		t.Errorf("server.json names %v %v, and the package on npm is %+v", server["name"], first, manifest)
	}
}

// TestPackagesPlugins has the validators of Claude Code and Gemini CLI look at the plugins of
// the release. Codex and Copilot CLI have none: test-agents installs theirs.
func TestPackagesPlugins(t *testing.T) {
	tmp := t.TempDir()
	archive, err := zip.OpenReader(released(t, "signalbox-*-plugins.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if err := os.CopyFS(tmp, archive); err != nil {
		t.Fatal(err)
	}
	tops, err := filepath.Glob(filepath.Join(tmp, "signalbox-*-plugins"))
	if err != nil || len(tops) != 1 {
		t.Fatalf("the archive has %q, %v", tops, err)
	}
	validate := func(program string, args ...string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(os.Getenv("SIGNALBOX_AGENTS"), "node_modules", program), args...)
		cmd.Dir = tops[0]
		cmd.Env = []string{
			"HOME=" + tmp, "TMPDIR=" + tmp, "CLAUDE_CODE_TMPDIR=" + tmp, "PATH=" + os.Getenv("PATH"), "TERM=dumb",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "GEMINI_CLI_TRUST_WORKSPACE=true",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %q: %v: %s", program, args, err, out)
		}
	}
	const claude = "@anthropic-ai/claude-code-linux-x64/claude"
	validate(claude, "plugin", "validate", "--strict", ".")
	validate(claude, "plugin", "validate", "--strict", "plugins/claude")
	validate(claude, "plugin", "validate", "--profile", "directory", "plugins/claude")
	validate(".bin/gemini", "extensions", "validate", "plugins/gemini")
}
