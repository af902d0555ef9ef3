package worktree

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
		bad  bool
	}{
		"plain":       {"[core]\n\tbare = true\n", []string{"core..bare=true"}, false},
		"without =":   {"[core]\nbare\n", []string{"core..bare=true"}, false},
		"case":        {"[CORE]\nWorkTree=/X\n", []string{"core..worktree=/X"}, false},
		"subsection":  {"[a \"b\\\"c\"]\nd=e", []string{`a.b"c.d=e`}, false},
		"dotted":      {"[a.b]\nd=e", []string{"a.b.d=e"}, false},
		"one line":    {"[a] b = c", []string{"a..b=c"}, false},
		"comments":    {"# x\n; y\n[a]\nb = c # d\ne = \"f # g\" ; h\n", []string{"a..b=c", "a..e=f # g"}, false},
		"blanks":      {"[a]\nb =  c  d  \n", []string{"a..b=c  d"}, false},
		"escapes":     {"[a]\nb = \"\\t\\n\\\\\\\"\"\n", []string{"a..b=\t\n\\\""}, false},
		"continued":   {"[a]\nb = c\\\nd\n", []string{"a..b=cd"}, false},
		"CRLF":        {"\ufeff[a]\r\nb = c\r\n", []string{"a..b=c"}, false},
		"no section":  {"b = c\n", nil, true},
		"no name":     {"[a]\n= c\n", nil, true},
		"open header": {"[a\nb = c\n", nil, true},
		"open quote":  {"[a]\nb = \"c\n", nil, true},
		"bad escape":  {"[a]\nx = y\nb = \\q\n", []string{"a..x=y"}, true},
		"NUL":         {"[a]\n\x00", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			err := parseConfig([]byte(c.text), func(section, sub, name, value string) {
				got = append(got, section+"."+sub+"."+name+"="+value)
			})
			if !slices.Equal(got, c.want) || (err != nil) != c.bad {
				t.Errorf("%q, error %v, want %q", got, err, c.want)
			}
		})
	}
}

// FuzzParse: whatever git's files hold, reading them ends, and what comes out is
// safe to use as a path beneath the git directory.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"gitdir: /a/b/.git/worktrees/c\n", "gitdir: ../x\r\n", "gitdir: ", "ref: refs/heads/main\n", "ref:refs/heads/.invalid",
		"ref: refs/heads/a/../b", "ref: refs//x", "0123456789012345678901234567890123456789\n", "../../../w/.git\n", "\x00",
		"[core]\n\tbare = true\n\tworktree = \"../a b\"\n[extensions]\n\tworktreeConfig = yes\n", "[a \"b\\", "[a]b=\\", "\ufeff[a.b]c\n#",
		"# pack-refs with: peeled fully-peeled sorted \n0123456789012345678901234567890123456789 refs/heads/main\n^0123456789012345678901234567890123456789\n",
	} {
		f.Add([]byte(seed))
	}
	base := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if path, err := parseGitFile(data); err == nil && path == "" {
			t.Error("an empty path")
		}
		check := func(ref, commit string) {
			if ref != "" && (!strings.HasPrefix(ref, "refs/") || !filepath.IsLocal(filepath.FromSlash(ref)) || strings.ContainsAny(ref, "\x00\n\\")) {
				t.Errorf("ref %q", ref)
			}
			if commit != "" && !isCommit(commit) {
				t.Errorf("commit %q", commit)
			}
		}
		if ref, commit, err := parseRef(data); err == nil {
			check(ref, commit)
			if (ref == "") == (commit == "") {
				t.Errorf("ref %q and commit %q", ref, commit)
			}
		}
		packed(data, check)
		if path, err := follow(base, data); err == nil && (!filepath.IsAbs(path) || strings.IndexByte(path, 0) >= 0 || path != filepath.Clean(path)) {
			t.Errorf("path %q", path)
		}
		_ = parseConfig(data, func(section, _, name, value string) {
			if section == "" || name == "" || name != strings.ToLower(name) {
				t.Errorf("variable %q %q", section, name)
			}
			_ = configBool(value)
		})
	})
}
