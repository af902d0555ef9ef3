//go:build editors

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestEmacs has an Emacs that is set up as docs/emacs.md says read, answer and
// complete over plain LSP. It is built with the tag editors, since it needs Emacs and
// Eglot: make test-editors installs them.
func TestEmacs(t *testing.T) {
	d := newEditorFixture(t)
	initEl := d.write(t, "init.el", strings.Join(docBlocks(t, "emacs.md", "elisp"), "\n"))
	script, err := filepath.Abs("../../testdata/emacs/mail.el")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Managed, Completed, Hover, Definition string
		Inbox, Thread, Draft, After, Composed string
		Escalations, Refused, Answered        string
	}
	// Not -Q: Debian makes packages known in the site's own file.
	d.run(t, &got, nil, "emacs", "-q", "--batch", "-l", initEl, "-l", script)
	for _, check := range []struct{ name, text, part string }{
		{"the buffer is managed", got.Managed, "yes"},
		{"the completion", got.Completed, "to: alice"},
		{"the hover", got.Hover, "The **login** bug is back."},
		{"the definition", got.Definition, "log-alice.jsonl:1"},
		{"the inbox", got.Inbox, "# Inbox: 1 unread"},
		{"the thread", got.Thread, "The **login** bug is back."},
		{"the draft", got.Draft, "To: alice\nThread: login\nAnswers: {"},
		{"the thread after the reply", got.After, "Fixed, from Emacs."},
		{"the escalations", got.Escalations, "Stopped after 3 rejections"},
		{"a wrong action", got.Refused, "is none of approve, redirect, split, terminate"},
		{"the escalations after the answer", got.Answered, "answered: split"},
		{"a new message", got.Composed, "To: \nThread: \n\n"},
	} {
		if !strings.Contains(check.text, check.part) {
			t.Errorf("%s: %q does not say %q", check.name, check.text, check.part)
		}
	}
	if strings.Contains(got.After, "unread") {
		t.Errorf("after m the thread is still unread: %q", got.After)
	}
	d.resumed(t, "split", "Smaller, from Emacs.")
	if sent := d.sent(t); len(sent) != 1 || sent[0].To != "alice" || sent[0].Thread != "login" || sent[0].Body != "Fixed, from Emacs." {
		t.Errorf("the log holds %+v", sent)
	}
}
