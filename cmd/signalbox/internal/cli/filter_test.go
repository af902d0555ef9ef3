package cli

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/spf13/cobra"
)

// filtered returns the filter of a command that was called with flags.
func filtered(o *Options, args ...string) (*Filter, error) {
	var f Filter
	cmd := &cobra.Command{}
	f.Register(cmd, "from", "thread", "since", "until")
	if err := cmd.ParseFlags(args); err != nil {
		return nil, err
	}
	return &f, f.Read(o, cmd)
}

func TestFilter(t *testing.T) {
	for _, c := range []struct{ args, text, fault string }{
		{args: "", text: ""},
		{args: "--from ali", text: "from:ali"},
		{args: `--from "ali"`, text: `from:"ali"`},
		{args: "--thread fix_the_login", text: "thread:fix thread:the thread:login"},
		{args: "--since 3d --until 2h", text: "-before:3d -after:2h"},
		{args: "--since 2026-04-25", text: "-before:2026-04-25"},
		{args: `--from a"b`, fault: "only be in quotes as a whole"},
		{args: "--from _", fault: "must not be blank"},
		{args: "--since soon", fault: `--since is "soon": needs a day or how long ago`},
		{args: "--until 2026-02-30", fault: `--until is "2026-02-30": there is no such day`},
		{args: "--limit -1", fault: "must not be negative"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
			f, err := filtered(screen(0), args...)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("%v, want %q", err, c.fault)
				}
				return
			}
			if err != nil || f.Text != c.text || f.Narrows() != (c.text != "") {
				t.Errorf("%q, %v, want %q", f.Text, err, c.text)
			}
		})
	}
}

// TestFilterLimit holds that a list has a limit on a screen alone, and none where it is 0.
func TestFilterLimit(t *testing.T) {
	jsonl := screen(80)
	jsonl.JSON = true
	for _, c := range []struct {
		name string
		o    *Options
		args string
		want int
	}{
		{"a screen", screen(80), "", PageRows},
		{"a screen, all", screen(80), "--limit=0", 1000},
		{"a screen, more", screen(80), "--limit=70", 70},
		{"JSON on a screen", jsonl, "", 1000},
		{"a pipe", screen(0), "", 1000},
		{"a pipe, some", screen(0), "--limit=7", 7},
	} {
		f, err := filtered(c.o, strings.Fields(c.args)...)
		if err != nil || f.Most(1000) != c.want || f.Most(3) != 3 {
			t.Errorf("%s: %d, %v, want %d", c.name, f.Most(1000), err, c.want)
		}
	}
}

func TestShortNames(t *testing.T) {
	all := []string{"7755a7cd-6d28", "7755a7cd-7000", "82d9159b-747f", "login", "login-1", "82d9159b-747f"}
	short := ShortNames(all, 4)
	for _, c := range []struct{ name, want string }{
		{"7755a7cd-6d28", "7755a7cd-6"}, {"82d9159b-747f", "82d9"}, {"login", "login"}, {"login-1", "login-"},
	} {
		if got := short(c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPagerOf(t *testing.T) {
	for _, c := range []struct{ pager, term, want string }{
		{pager: "sh -c cat", want: "sh -c cat"},
		{pager: "LESS=R sh", want: "LESS=R sh"},
		{pager: "cat"},
		{pager: "no-such-pager -x"},
		{pager: "  "},
		{pager: "sh", term: "dumb"},
	} {
		vars := map[string]string{"PAGER": c.pager, "TERM": c.term}
		if got := pagerOf(environ.Env{Getenv: func(name string) string { return vars[name] }}); got != c.want {
			t.Errorf("PAGER=%q TERM=%q: %q, want %q", c.pager, c.term, got, c.want)
		}
	}
}
