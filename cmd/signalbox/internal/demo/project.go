package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

// demoProject is the folder of the sample project, within the demo's.
const demoProject = "project"

// checkout is a worktree of the sample project, and the conversations held in it.
type checkout struct {
	branch  string // empty: the main checkout
	threads []conversation
}

// conversation is a thread of the sample project: its title, how many minutes ago it began, what was said.
type conversation struct {
	title string
	ago   int
	turns []atsf.Message
}

// writeProject makes a small repository with two worktrees in which agents
// talked. It needs git.
func writeProject(ctx context.Context, o *cli.Options, dir string, now time.Time) error {
	main := filepath.Join(dir, demoProject)
	for name, text := range map[string]string{
		"src/auth.ts": "export function valid(session: Session): boolean {\n  return session.expires == now();\n}\n",
		"README.md":   "# Shop\n\nA sample project: two worktrees, and the conversations that agents had in them.\n",
	} {
		path := filepath.Join(main, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", append([]string{
			"-C", main, "-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "-c", "core.hooksPath=" + os.DevNull, "-c", "commit.gpgSign=false",
		}, args...)...)
		// Run by a hook of git, the demo must not write into that repository.
		cmd.Env = worktree.Environ(os.Environ())
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
		return nil
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "Begin the shop"}} {
		if err := git(args...); err != nil {
			return err
		}
	}
	for _, c := range checkouts() {
		folder := main
		if c.branch != "" {
			folder = filepath.Join(dir, "worktrees", filepath.Base(c.branch))
			if err := git("worktree", "add", "-q", "-b", c.branch, folder); err != nil {
				return err
			}
		}
		for _, t := range c.threads {
			if err := writeSample(ctx, o, folder, c.branch, &t, now); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeSample(ctx context.Context, o *cli.Options, folder, branch string, s *conversation, now time.Time) error {
	d, err := threads.CreateDir(folder, thread.CreatedBy(o))
	if err != nil {
		return err
	}
	defer d.Close()
	at := now.Add(-time.Duration(s.ago) * time.Minute)
	where := atsf.Context{WorkingDir: folder, RelativeDir: ".", GitBranch: "main"}
	if branch != "" {
		where.GitBranch, where.Worktree = branch, &atsf.Worktree{Path: folder, Branch: branch}
	}
	name, err := d.Create(ctx, threads.NewThread{
		Title: s.title, Created: at.UnixMilli(), Context: where,
		Agent: atsf.Agent{ID: "claude-code", Name: "Claude Code", Protocol: "acp"},
	})
	if err != nil {
		return err
	}
	for i, m := range s.turns {
		for j, b := range m.Content {
			if b.Type != atsf.TypeImage {
				continue
			}
			if m.Content[j], err = d.Attach(ctx, name, chart()); err != nil {
				return err
			}
		}
		m.Time = atsf.At(at.Add(time.Duration(i) * time.Minute).UnixMilli())
		if err := d.Append(ctx, name, m); err != nil {
			return err
		}
	}
	return nil
}

func said(role string, blocks ...atsf.Block) atsf.Message {
	return atsf.Message{Role: role, Content: blocks}
}

func words(s string) atsf.Block   { return atsf.Block{Type: atsf.TypeText, Text: s} }
func thought(s string) atsf.Block { return atsf.Block{Type: atsf.TypeThinking, Text: s} }

// checkouts is what the agents said, in each worktree.
func checkouts() []checkout {
	fix := said(atsf.RoleAgent,
		thought("The session is compared with ==, so it is only valid in the very second in which it ends."),
		words("Found it: `valid` compares for equality, so a session is refused until its last second. I changed it to a comparison and ran the tests."))
	fix.Model, fix.StopReason = "claude-sonnet-4-5", "end_turn"
	fix.Tools = []atsf.ToolCall{
		{
			ID: "call-1", Name: "Read", Title: "Read src/auth.ts", Status: "completed", Kind: "read", Duration: 12,
			Input: `{"path":"src/auth.ts"}`, HasInput: true, Locations: []atsf.Location{{Path: "src/auth.ts", Line: 1}},
			Output: "export function valid(session: Session): boolean {\n  return session.expires == now();\n}\n", HasOutput: true,
		},
		{
			ID: "call-2", Name: "Edit", Title: "Edit src/auth.ts", Status: "completed", Kind: "edit", Duration: 31,
			Diff: &atsf.Diff{
				Path: "src/auth.ts",
				Old:  "export function valid(session: Session): boolean {\n  return session.expires == now();\n}\n",
				New:  "export function valid(session: Session): boolean {\n  // A session is valid until it ends.\n  return session.expires > now();\n}\n",
			},
		},
		{
			ID: "call-3", Name: "Bash", Title: "npm test", Status: "failed", Kind: "execute", Duration: 4180,
			Input: "npm test", HasInput: true, Output: "12 passing\n1 failing\n  renew: a session is renewed once\n", HasOutput: true,
		},
	}
	chart := said(atsf.RoleUser, words("This is how long the build takes, by week. Where do the minutes go?"), atsf.Block{Type: atsf.TypeImage})
	return []checkout{
		{"", []conversation{{"Why is the build slow?", 300, []atsf.Message{
			chart,
			said(atsf.RoleAgent, words("Three quarters of it is the type check, which runs twice:\n\n1. once in `build`\n2. once more in `test`\n\nShall I share one result between them?")),
		}}}},
		{"fix/login", []conversation{{"Fix the login bug", 90, []atsf.Message{
			said(atsf.RoleUser, words("Users are logged out too early. See `src/auth.ts`.")),
			fix,
			said(atsf.RoleUser, words("One test still fails. Is it the same bug?")),
		}}}},
		{"release/1.4", []conversation{{"Write the release notes", 600, []atsf.Message{
			said(atsf.RoleUser, words("Draft the notes for 1.4 from the merged branches.")),
			said(atsf.RoleAgent, words("Done, in `CHANGELOG.md`. Two entries need a decision of yours: the dropped flag, and the date.")),
		}}}},
	}
}

// chart is a small picture: bars that grow.
func chart() []byte {
	const width, height, bar = 320, 120, 32
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		top := height - 20 - x/bar*9
		for y := range height {
			switch {
			case y >= top && x%bar > 6:
				img.Set(x, y, color.RGBA{0x2f, 0x7d, 0xd1, 0xff})
			default:
				img.Set(x, y, color.RGBA{0xf4, 0xf6, 0xf8, 0xff})
			}
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // a buffer takes everything
	return out.Bytes()
}
