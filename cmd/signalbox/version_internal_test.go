package main

import (
	"runtime/debug"
	"testing"
)

func TestBuilt(t *testing.T) {
	git := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: modified}}
	}
	for name, test := range map[string]struct {
		module   string
		settings []debug.BuildSetting
		version  string
		commit   string
	}{
		"go run":                        {"(devel)", nil, version, ""},
		"go build in git":               {"v0.0.0-20261125223045-0123456789ab", git("false"), version, "0123456789ab"},
		"go build of changed files":     {"v0.0.0-20261125223045-0123456789ab+dirty", git("true"), version, "0123456789ab-dirty"},
		"go install of a commit":        {"v0.0.0-20261125223045-aaaabbbbcccc", nil, version, "aaaabbbbcccc"},
		"go install behind a tag":       {"v1.2.4-0.20261125223045-aaaabbbbcccc", nil, version, "aaaabbbbcccc"},
		"go install behind a candidate": {"v1.2.4-rc1.0.20261125223045-aaaabbbbcccc", nil, version, "aaaabbbbcccc"},
		"go install of a tag":           {"v1.2.3", nil, "1.2.3", "tag v1.2.3"},
	} {
		t.Run(name, func(t *testing.T) {
			info := &debug.BuildInfo{Main: debug.Module{Version: test.module}, Settings: test.settings}
			if v, c := built(info, true); v != test.version || c != test.commit {
				t.Errorf("built = %q, %q, want %q, %q", v, c, test.version, test.commit)
			}
		})
	}
}
