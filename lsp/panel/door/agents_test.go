package door_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

const (
	mainThread = "a1b2c3d4-e5f6-4890-abcd-ef1234567890"
	ownThread  = "b2c3d4e5-f6a7-4901-bcde-f12345678901"
	forkThread = "c3d4e5f6-a7b8-4012-8def-123456789012"
)

// checkout is a repository with a linked worktree, each with the threads that
// another application of ATSF wrote there.
type checkout struct {
	tb             testing.TB
	home           string
	main, worktree string
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &checkout{tb: t, home: home, main: filepath.Join(home, "shop"), worktree: filepath.Join(home, "trees", "audio")}
	if err := os.Mkdir(c.main, 0o700); err != nil {
		t.Fatal(err)
	}
	c.git("init", "-q", "-b", "main")
	c.git("commit", "-q", "--allow-empty", "-m", "begin")
	c.git("worktree", "add", "-q", "-b", "feature/audio", c.worktree)
	c.copyThreads("main", c.main)
	c.copyThreads("worktree", c.worktree)
	return c
}

func (c *checkout) git(args ...string) {
	c.tb.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.main, "-c", "user.name=t", "-c", "user.email=t@example.invalid"}, args...)...)
	cmd.Env = append(worktree.Environ(os.Environ()), "HOME="+c.home, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// copyThreads puts a fixture's .agent into a folder.
func (c *checkout) copyThreads(fixture, folder string) {
	c.tb.Helper()
	if err := os.CopyFS(filepath.Join(folder, ".agent"), os.DirFS(filepath.Join("..", "..", "..", "testdata", "atsf", fixture, "dot-agent"))); err != nil {
		c.tb.Fatal(err)
	}
}

func (c *checkout) file(thread, name string) string {
	folder := c.main
	if thread != mainThread {
		folder = c.worktree
	}
	return filepath.Join(folder, ".agent", "threads", thread, name)
}

func (c *checkout) append(thread, line string) {
	c.tb.Helper()
	f, err := os.OpenFile(c.file(thread, "messages.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		c.tb.Fatal(err)
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		c.tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		c.tb.Fatal(err)
	}
}

// open opens the panels in the main checkout, with mail beside it.
func (c *checkout) open(t *testing.T, mail map[string][]samp.Record) *testDoor {
	t.Helper()
	return openTestDoor(t, c.home, panel.Settings{Alias: "me"}, []string{c.main}, mail)
}

func (d *testDoor) inbox(f panel.InboxFilter) panel.InboxPage {
	d.t.Helper()
	page, err := d.Inbox(d.t.Context(), panel.InboxParams{Filter: f})
	if err != nil {
		d.t.Fatal(err)
	}
	return page
}

// find gives the listed thread of an agent by its directory.
func (d *testDoor) find(dir string) panel.ThreadItem {
	d.t.Helper()
	for _, it := range d.inbox(panel.InboxFilter{Protocol: "atsf"}).Threads {
		if it.Agent.Dir == dir {
			return it
		}
	}
	d.t.Fatalf("%s is not listed", dir)
	return panel.ThreadItem{}
}

func (d *testDoor) thread(q panel.ThreadParams) panel.ThreadPage {
	d.t.Helper()
	page, err := d.Thread(d.t.Context(), q)
	if err != nil {
		d.t.Fatal(err)
	}
	return page
}

// TestGroups: the threads of all worktrees are listed with the mail, each under its worktree
// (ATSF L5, L6). Threads of a removed worktree stay (X3).
func TestGroups(t *testing.T) {
	c := newCheckout(t)
	d := c.open(t, sample())
	page := d.inbox(panel.InboxFilter{})
	type row struct {
		Kind, Title, Branch string
		Main, Gone          bool
		Threads             int
	}
	rows := func(groups []panel.Group) (list []row) {
		for _, g := range groups {
			list = append(list, row{string(g.Kind), g.Title, g.Branch, g.Main, g.Gone, g.Threads})
		}
		return list
	}
	want := []row{
		{"worktree", "main", "main", true, false, 1},
		{"worktree", "feature/audio", "feature/audio", false, false, 2},
		{"mail", "Mail", "", false, false, 2},
	}
	if diff := cmp.Diff(want, rows(page.Groups)); diff != "" {
		t.Error(diff)
	}
	// 2026 is after the SAMP sample's 1970; among them the newest is first.
	var titles []string
	for _, it := range page.Threads {
		titles = append(titles, it.Title)
	}
	if diff := cmp.Diff([]string{"Fork of Add audio notes", "Add audio notes", "Fix login comparison – ünïcode ✓", "Fix the login bug", "Is the changelog ready?"}, titles); diff != "" {
		t.Error(diff)
	}
	own := d.inbox(panel.InboxFilter{Group: page.Groups[1].ID})
	if len(own.Threads) != 2 || own.Threads[0].Group != page.Groups[1].ID || own.Threads[0].Agent.Name != "Claude Code" {
		t.Errorf("%+v", own.Threads)
	}
	if post := d.inbox(panel.InboxFilter{Group: "mail"}); len(post.Threads) != 2 || post.Threads[0].Protocol != "samp" {
		t.Errorf("%+v", post.Threads)
	}
	for _, f := range []panel.InboxFilter{{Unread: true, Protocol: "atsf"}, {Mine: true, Protocol: "atsf"}, {Group: "none"}, {Protocol: "other"}} {
		if page := d.inbox(f); len(page.Threads) != 0 {
			t.Errorf("%+v gives %+v", f, page.Threads)
		}
	}
	if page := d.inbox(panel.InboxFilter{Text: "AUDIO"}); len(page.Threads) != 2 {
		t.Errorf("%+v", page.Threads)
	}

	c.git("worktree", "remove", "--force", c.worktree)
	d.ready()
	page = d.inbox(panel.InboxFilter{})
	want[1].Gone = true
	if diff := cmp.Diff(want, rows(page.Groups)); diff != "" {
		t.Error(diff)
	}
	it := d.find(ownThread)
	if !strings.Contains(strings.Join(it.Marks, " "), "gone") || it.Title != "Add audio notes" {
		t.Errorf("%+v", it)
	}
	left := d.thread(panel.ThreadParams{Ref: it.Ref})
	if len(left.Messages) != 0 || len(left.Warnings) != 1 || left.Warnings[0].Rule != "X3" {
		t.Errorf("%+v", left)
	}
}

// kind is that of an error, or empty.
func kind(err error) panel.Kind {
	if e, ok := errors.AsType[*panel.Error](err); ok {
		return e.Kind
	}
	return ""
}

// TestInboxPages: the pages of a list over both formats have each thread once, whatever their
// size.
func TestInboxPages(t *testing.T) {
	c := newCheckout(t)
	// Threads of mail in the very second of an agent's, before and after it.
	at := time.Date(2026, 2, 20, 9, 0, 9, 0, time.UTC).Unix()
	var list []samp.Record
	for i := range 7 {
		list = append(list, rec(at+int64(i%3)-1, "alice", "me", fmt.Sprintf("t%d", i), "hello"))
	}
	list = append(list, rec(at, "alice", "me", forkThread, "about the fork"))
	d := c.open(t, map[string][]samp.Record{"log-alice.jsonl": list})
	whole := d.inbox(panel.InboxFilter{})
	for size := 1; size <= 4; size++ {
		var got []panel.ThreadItem
		q := panel.InboxParams{Limit: size}
		for {
			page, err := d.Inbox(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Threads...)
			if q.Cursor = page.NextCursor; q.Cursor == "" || len(got) > 20 {
				break
			}
		}
		if diff := cmp.Diff(whole.Threads, got); diff != "" {
			t.Errorf("in pages of %d: %s", size, diff)
		}
	}
	if len(whole.Threads) != 11 {
		t.Errorf("%d threads", len(whole.Threads))
	}
}

// TestAgentThread: what other tools write is shown part by part (ATSF B1, TC1,
// TC2), and its images and diffs can be fetched.
func TestAgentThread(t *testing.T) {
	c := newCheckout(t)
	d := c.open(t, nil)
	page := d.thread(panel.ThreadParams{Ref: d.find(mainThread).Ref})
	if len(page.Messages) != 2 || page.Before != "" || page.After != "" || len(page.Warnings) != 0 {
		t.Fatalf("%+v", page)
	}
	user, agent := page.Messages[0], page.Messages[1]
	if user.From != "user" || !user.Mine || user.Turn.Role != "user" || user.Origin != (panel.Origin{Log: "messages.jsonl", Line: 1}) {
		t.Errorf("%+v", user)
	}
	var kinds []string
	for _, part := range agent.Turn.Parts {
		kinds = append(kinds, string(part.Kind))
	}
	if diff := cmp.Diff([]string{"thinking", "tool", "text", "tool", "tool"}, kinds); diff != "" {
		t.Error(diff)
	}
	edit := agent.Turn.Parts[3].Tool
	want := &panel.ToolPart{
		Index: 1, Name: "Edit", Title: "Edit auth.ts", Status: "completed", Kind: "edit", Duration: -1, Input: `{"path":"src/auth.ts"}`,
		Locations: []panel.ToolLocation{{Path: "src/auth.ts"}}, Diff: &panel.DiffPart{Path: "src/auth.ts", Added: 1, Removed: 1, Hunks: "@@ -1,1 +1,1 @@\n-p == \"x\"\n+p === \"x\"\n"},
	}
	if diff := cmp.Diff(want, edit); diff != "" {
		t.Error(diff)
	}
	change, err := d.Diff(t.Context(), panel.DiffParams{Ref: agent.Ref, Tool: 1})
	if diff := cmp.Diff(panel.Diff{Path: "src/auth.ts", Old: "p == \"x\"\n", New: "p === \"x\"\n"}, change); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, tool := range []int{-1, 0, 3} {
		if _, err := d.Diff(t.Context(), panel.DiffParams{Ref: agent.Ref, Tool: tool}); kind(err) != panel.NotFound {
			t.Errorf("tool %d: %v", tool, err)
		}
	}
	image := user.Turn.Parts[1]
	asset, err := d.Asset(t.Context(), panel.AssetParams{Ref: user.Ref, Asset: image.Asset})
	if err != nil || asset.MimeType != "image/png" {
		t.Fatalf("%+v, %v", asset, err)
	}
	content, err := base64.StdEncoding.DecodeString(asset.Base64)
	if name := atsf.NameAsset(content, "png").String(); err != nil || name != image.Asset {
		t.Errorf("%s is not %s", name, image.Asset)
	}
	for _, part := range []string{"*Thinking:*", "**Tool:** Edit auth.ts (Edit, completed)", "-p == \"x\"\n+p === \"x\"", "I found the issue."} {
		if !strings.Contains(agent.Text, part) {
			t.Errorf("%q is not in\n%s", part, agent.Text)
		}
	}
}

// TestHostileAgentThread: whatever the files contain, faults are shown and nothing outside
// assets/ is opened (ATSF M1, M5, L4, Z12).
func TestHostileAgentThread(t *testing.T) {
	c := newCheckout(t)
	if err := os.WriteFile(filepath.Join(c.home, "secret.png"), []byte("\x89PNG\r\n\x1a\nsecret"), 0o600); err != nil {
		t.Fatal(err)
	}
	svg := []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	drawn := atsf.NameAsset(svg, "svg").String()
	write := func(name string, content []byte) {
		if err := os.WriteFile(c.file(mainThread, "assets/"+name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(drawn, svg)
	write("sha256-0000000000000000.png", []byte("\x89PNG\r\n\x1a\nanother"))
	if err := os.Symlink(filepath.Join(c.home, "secret.png"), c.file(mainThread, "assets/"+atsf.NameAsset([]byte("\x89PNG\r\n\x1a\nsecret"), "png").String())); err != nil {
		t.Fatal(err)
	}
	c.append(mainThread, `{"id":"55555555-5555-4555-8555-555555555555","role":"agent","timestamp":"2026-02-20T09:01:00.000Z","content":[`+
		`{"type":"text","text":"<script>alert(1)</script> [x](command:evil) \u202e"},`+
		`{"type":"image","assetRef":"../../../../../secret.png","mimeType":"image/png"},`+
		`{"type":"hologram","data":1}],"toolCalls":[{"toolCallId":"t","name":"\u001b[31mrm","status":"exploded","input":"\u001b]0;x\u0007","duration":12,"diff":{"path":"../../etc/passwd","newText":"x"}}]}`)
	c.append(mainThread, `{"id": broken`)
	c.append(mainThread, `{"id":"66666666-6666-4666-8666-666666666666","role":"user","timestamp":"2026-02-20T09:02:00.000Z","content":[{"type":"text","text":"still here"}]}`)
	d := c.open(t, nil)
	page := d.thread(panel.ThreadParams{Ref: d.find(mainThread).Ref})
	if len(page.Messages) != 5 {
		t.Fatalf("%d messages", len(page.Messages))
	}
	bad, gap, last := page.Messages[2], page.Messages[3], page.Messages[4]
	if gap.Turn.Gap == "" || !strings.HasPrefix(gap.Turn.Gap, "M1") || gap.Origin.Line != 4 || !strings.Contains(gap.Text, "line 4") {
		t.Errorf("%+v", gap)
	}
	if last.Text != "still here" {
		t.Errorf("%+v", last)
	}
	parts := bad.Turn.Parts
	if len(parts) != 4 || strings.Contains(parts[0].HTML, "<script") || strings.Contains(parts[0].HTML, "href=\"command") || !strings.Contains(parts[0].HTML, "U+202E") {
		t.Errorf("%+v", parts)
	}
	if parts[1].Asset != "" || !strings.HasPrefix(parts[1].Fault, "L4") {
		t.Errorf("%+v", parts[1])
	}
	if parts[2].Kind != panel.PartOther || !strings.Contains(parts[2].Label, "hologram") {
		t.Errorf("%+v", parts[2])
	}
	if tool := parts[3].Tool; tool.Status != "exploded" || strings.ContainsRune(tool.Name+tool.Input, 0x1b) || !tool.Diff.Created {
		t.Errorf("%+v", tool)
	}
	secret := atsf.NameAsset([]byte("\x89PNG\r\n\x1a\nsecret"), "png").String()
	for _, name := range []string{"../../../../../secret.png", drawn, "sha256-0000000000000000.png", secret, "sha256-1111111111111111.png", "", "/etc/passwd"} {
		if a, err := d.Asset(t.Context(), panel.AssetParams{Ref: page.Thread.Ref, Asset: name}); err == nil {
			t.Errorf("%q is shown: %+v", name, a)
		}
	}
}

// TestAgentThreadPages: a long thread opens at its newest message and pages
// both ways.
func TestAgentThreadPages(t *testing.T) {
	c := newCheckout(t)
	for i := range 120 {
		c.append(mainThread, fmt.Sprintf(`{"id":"id-%d","role":"user","timestamp":"2026-02-21T09:00:00.000Z","content":[{"type":"text","text":"message %d"}]}`, i, i))
	}
	d := c.open(t, nil)
	ref := d.find(mainThread).Ref
	newest := d.thread(panel.ThreadParams{Ref: ref})
	if n := len(newest.Messages); n != 50 || newest.Messages[49].Text != "message 119" || newest.Before == "" || newest.After != "" {
		t.Fatalf("%d messages, %q, %q", n, newest.Before, newest.After)
	}
	var texts []string
	for q := (panel.ThreadParams{Ref: ref, Limit: 7}); ; {
		page := d.thread(q)
		var part []string
		for _, m := range page.Messages {
			part = append(part, m.Text)
		}
		texts = append(part, texts...)
		if q.Before = page.Before; q.Before == "" {
			break
		}
	}
	if len(texts) != 122 || texts[2] != "message 0" || texts[121] != "message 119" {
		t.Errorf("%d: %q", len(texts), texts)
	}
	if _, err := d.Thread(t.Context(), panel.ThreadParams{Ref: ref, Before: "nonsense"}); kind(err) != panel.Malformed {
		t.Errorf("a cursor that is none: %v", err)
	}
}

// TestLinesWithoutOwnID: messages that share an id, or have none, are each
// shown, each under a ref of its own that leads to it (ATSF M2).
func TestLinesWithoutOwnID(t *testing.T) {
	c := newCheckout(t)
	line := func(id, text string) string {
		return fmt.Sprintf(`{%s"role":"agent","timestamp":"2026-02-21T09:00:00.000Z","content":[],"toolCalls":[{"toolCallId":"t","name":"Edit","status":"completed","diff":{"path":"a","oldText":"","newText":%q}}]}`, id, text)
	}
	for i := range 3 {
		c.append(mainThread, line(`"id":"same",`, fmt.Sprint("same ", i)))
		c.append(mainThread, line("", fmt.Sprint("none ", i)))
	}
	d := c.open(t, nil)
	page := d.thread(panel.ThreadParams{Ref: d.find(mainThread).Ref})
	refs := make(map[panel.Ref]bool)
	var texts []string
	for _, m := range page.Messages[2:] {
		refs[m.Ref] = true
		change, err := d.Diff(t.Context(), panel.DiffParams{Ref: m.Ref})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, change.New)
	}
	if diff := cmp.Diff([]string{"same 0", "none 0", "same 1", "none 1", "same 2", "none 2"}, texts); diff != "" || len(refs) != 6 {
		t.Errorf("%d refs: %s", len(refs), diff)
	}
	for _, id := range []string{"m/" + mainThread + "/nonsense", "m/" + mainThread + "/", "t/" + mainThread} {
		ref := panel.Ref{Protocol: "atsf", Store: page.Thread.Ref.Store, ID: id}
		if _, err := d.Diff(t.Context(), panel.DiffParams{Ref: ref}); kind(err) != panel.Malformed {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := d.Diff(t.Context(), panel.DiffParams{Ref: panel.Ref{Protocol: "atsf", Store: "x", ID: page.Messages[2].Ref.ID}}); kind(err) != panel.NotFound {
		t.Errorf("a folder that is not open: %v", err)
	}
}

// TestHeavyPages: pages that do not fit a frame are cut, and have each message once in both
// directions.
func TestHeavyPages(t *testing.T) {
	c := newCheckout(t)
	body := strings.Repeat("word ", 13_000)
	for i := range 60 {
		c.append(mainThread, fmt.Sprintf(`{"id":"h%d","role":"user","timestamp":"2026-02-21T09:00:00.000Z","content":[{"type":"text","text":%q}]}`, i, body))
	}
	d := c.open(t, nil)
	ref := d.find(mainThread).Ref
	var all []panel.Ref
	for q := (panel.ThreadParams{Ref: ref}); ; {
		page := d.thread(q)
		if n := len(page.Messages); n == 0 || n > 30 {
			t.Fatalf("%d messages in a page", n)
		}
		var part []panel.Ref
		for _, m := range page.Messages {
			part = append(part, m.Ref)
		}
		all = append(part, all...)
		if q.Before = page.Before; q.Before == "" {
			break
		}
	}
	if len(all) != 62 {
		t.Fatalf("%d messages", len(all))
	}
	got := all[:1:1]
	_, first, _ := strings.Cut(strings.TrimPrefix(all[0].ID, "m/"), "/")
	for q := (panel.ThreadParams{Ref: ref, After: first}); q.After != ""; {
		page := d.thread(q)
		for _, m := range page.Messages {
			got = append(got, m.Ref)
		}
		q.After = page.After
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Error(diff)
	}
}

// TestFaultyThread: a broken thread.json is listed by its directory with the
// fault, and its messages are read; a later major version is refused by name
// (ATSF T1, V2).
func TestFaultyThread(t *testing.T) {
	c := newCheckout(t)
	if err := os.WriteFile(c.file(mainThread, "thread.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := c.open(t, nil)
	it := d.find(mainThread)
	if it.Title != mainThread || !strings.HasPrefix(it.Agent.Fault, "T1") {
		t.Errorf("%+v", it)
	}
	page := d.thread(panel.ThreadParams{Ref: it.Ref})
	if len(page.Messages) != 2 || len(page.Warnings) != 1 || page.Warnings[0].Rule != "T1" {
		t.Errorf("%+v", page)
	}
}

// TestRelated: a SAMP thread that goes by the id of an agent's thread, and the
// agent's thread, lead to each other; both are previewed.
func TestRelated(t *testing.T) {
	c := newCheckout(t)
	d := c.open(t, map[string][]samp.Record{"log-alice.jsonl": {rec(1000, "alice", "me", mainThread, "About that thread"), rec(1001, "alice", "me", "other", "x")}})
	links, err := d.Resolve(t.Context(), []string{mainThread, "22222222-2222-4222-8222-222222222222", "99999999-9999-4999-8999-999999999999", "other"})
	if err != nil {
		t.Fatal(err)
	}
	if l := links[0]; l.Status != "found" || l.Thread.Protocol != "atsf" || len(l.Related) != 1 || !l.Agent || l.Related[0].Agent ||
		!strings.Contains(l.Preview, "Fix the login bug") || !strings.Contains(l.Preview, "Mail thread") {
		t.Errorf("%+v", l)
	}
	if l := links[1]; l.Status != "found" || l.Kind != "message" || l.Message == nil || !strings.Contains(l.Preview, "I found the issue") {
		t.Errorf("%+v", l)
	}
	if links[2].Status != "missing" || links[3].Agent || len(links[3].Related) != 0 {
		t.Errorf("%+v", links[2:])
	}
	agent := d.thread(panel.ThreadParams{Ref: *links[0].Thread})
	if len(agent.Related) != 1 || agent.Related[0].Ref != links[0].Related[0].Ref {
		t.Fatalf("%+v", agent.Related)
	}
	back := d.thread(panel.ThreadParams{Ref: agent.Related[0].Ref})
	if len(back.Related) != 1 || back.Related[0].Ref != *links[0].Thread {
		t.Errorf("%+v", back.Related)
	}
	// Writing about the thread makes just such a SAMP thread.
	context, err := d.ComposeContext(t.Context(), panel.ComposeParams{Ref: links[0].Thread})
	if err != nil || context.Draft == nil || context.Draft.Thread != mainThread || context.Draft.To != "" {
		t.Errorf("%+v, %v", context.Draft, err)
	}
	if _, err := d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{*links[0].Thread}}); kind(err) != panel.Unsupported {
		t.Errorf("an unread mark: %v", err)
	}
}

// TestAgentStatus names the project and its worktrees.
func TestAgentStatus(t *testing.T) {
	c := newCheckout(t)
	d := c.open(t, nil)
	s, err := d.Status(t.Context())
	if err != nil || len(s.Projects) != 1 || s.Projects[0].Path != c.main || len(s.Projects[0].Worktrees) != 2 {
		t.Errorf("%+v, %v", s.Projects, err)
	}
}

// TestFileEdits: an agent's change that is still in a file leads to the message that made it.
func TestFileEdits(t *testing.T) {
	c := newCheckout(t)
	file := filepath.Join(c.main, "src", "cart.ts")
	edit := func(path, text string) string {
		return fmt.Sprintf(`{"id":"99999999-9999-4999-8999-999999999999","role":"agent","timestamp":"2026-02-20T10:00:00.000Z","content":[],"toolCalls":[{"toolCallId":"t1","name":"Edit","status":"completed","diff":{"path":%q,"oldText":"","newText":%q}}]}`, path, text)
	}
	const mine = "export const total = sum(items);\n"
	c.append(mainThread, edit("src/cart.ts", mine))
	c.append(mainThread, edit(filepath.Join(c.home, "elsewhere", "cart.ts"), mine))
	d := c.open(t, nil)
	got, err := d.FileEdits(t.Context(), panel.EditsParams{Path: file, Text: "// cart\n" + mine})
	if err != nil {
		t.Fatal(err)
	}
	th := d.find(mainThread)
	last := d.thread(panel.ThreadParams{Ref: th.Ref}).Messages
	want := []panel.Edit{{
		Line: 1, Lines: 1, Thread: th.Ref, Message: last[len(last)-2].Ref,
		Title: th.Title, By: th.Agent.Name, Time: time.Date(2026, 2, 20, 10, 0, 0, 0, time.UTC).UnixMilli(),
	}}
	if diff := cmp.Diff(want, got.Edits); diff != "" {
		t.Error(diff)
	}
	// What is written while the file is open is seen too.
	c.append(mainThread, edit(file, "export const empty = items.length === 0;\n"))
	if err := d.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		mine + "export const empty = items.length === 0;\n": 2,
		"nothing of it is left\n":                           0,
		strings.Repeat("x", 1<<20) + "\n" + mine:            0,
	} {
		got, err := d.FileEdits(t.Context(), panel.EditsParams{Path: file, Text: text})
		if err != nil || len(got.Edits) != want {
			t.Errorf("%.40q: %d edits, %v, want %d", text, len(got.Edits), err, want)
		}
	}
	if got, _ := d.FileEdits(t.Context(), panel.EditsParams{Path: filepath.Join(c.worktree, "src", "cart.ts"), Text: mine}); len(got.Edits) != 0 {
		t.Errorf("another worktree's file: %v", got.Edits)
	}
}
