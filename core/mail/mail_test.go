package mail_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
)

func TestRef(t *testing.T) {
	for _, name := range []string{"release-1.4", "a/b", "t/m/x", ""} {
		if got, ok := mail.ThreadRef(mail.SAMP, "s", name).Thread(); !ok || got != name {
			t.Errorf("thread %q came back as %q, %v", name, got, ok)
		}
		from, id, ok := mail.MessageRef(mail.SAMP, "s", "dave.dev", name).Message()
		if !ok || from != "dave.dev" || id != name {
			t.Errorf("message %q came back as %q of %q, %v", name, id, from, ok)
		}
	}
	long := strings.Repeat("x", mail.MaxName+1)
	r := mail.ThreadRef(mail.SAMP, "s", long)
	if digest, ok := r.ThreadDigest(); !ok || digest != mail.Digest(long) || len(r.ID) > 100 {
		t.Errorf("a long name gives %q", r.ID)
	}
	if name, ok := r.Thread(); ok {
		t.Errorf("a long name is taken for %q", name)
	}
	if _, _, ok := mail.ThreadRef(mail.SAMP, "s", "x").Message(); ok {
		t.Error("a thread is taken for a message")
	}
	if _, ok := (mail.Ref{ID: "m/a/b"}).Thread(); ok {
		t.Error("a message is taken for a thread")
	}
}

func TestLinkPatterns(t *testing.T) {
	const dispatch = "task_dispatch-T-2026-007-1772107200000"
	for _, c := range []struct {
		name, text        string
		messages, threads []string
	}{
		{"SAMP ids", "see 3a8e80c1cec9cb05, not x3a8e80c1cec9cb05 nor 3A8E80C1CEC9CB05;", []string{"3a8e80c1cec9cb05"}, nil},
		{"SAMP threads", "[thread:release 1.4] and 2026-04-25-dave.dev-go.", nil, []string{"release 1.4", "2026-04-25-dave.dev-go"}},
		{"a thread of ATSF", "(6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49)", nil, []string{"6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49"}},
		{"a task", "T-2026-007", nil, []string{"T-2026-007"}},
		{"tasks side by side", "T-2026-007 T-2026-008,T-2026-123456789.", nil, []string{"T-2026-007", "T-2026-008", "T-2026-123456789"}},
		{"a task in a path, a branch and a subtask", "tasks/T-2026-007.json feature/T-2026-008-x T-2026-009-S1", nil, []string{"T-2026-007", "T-2026-008", "T-2026-009"}},
		{"a task of another form", "T-26-007 T-2026-07 T-2026-1234567890 t-2026-007 XT-2026-007 FIX-T-2026-007 _T-2026-007 T-2026-007_", nil, nil},
		{"a message of a task", dispatch, []string{dispatch}, nil},
		{"messages of a task", "re " + dispatch + ": escalation-T-2026-123456-1, `review_verdict-T-2026-007-1`", []string{dispatch, "escalation-T-2026-123456-1", "review_verdict-T-2026-007-1"}, nil},
		{"a message's file", "messages/T-2026-007/" + dispatch + ".json", []string{dispatch}, []string{"T-2026-007"}},
		{"signed mail", "(msg_1795249958451_30328b7b), msg-1795249958451-30328b7b.", []string{"msg_1795249958451_30328b7b", "msg-1795249958451-30328b7b"}, nil},
		{"signed mail's file", "inbox/alice_acme/msg_1738231200_0102030000000000.json", []string{"msg_1738231200_0102030000000000"}, nil},
		{"signed mail of another form", "msg_x_1 msg_1_ msg__1 xmsg_1_a msg_12345678901234567_a msg_1_a_b att_1_b MSG_1_A", nil, nil},
		{"a message of another form", "ack-T-2026-007-1 task_dispatch-T-2026-007 task_dispatch-T-2026-007-x xtask_result-T-2026-007-1 task_result-T-2026-007-17721072000001234", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make(map[string][]string)
			for _, p := range mail.LinkPatterns() {
				for _, m := range regexp.MustCompile(p.Pattern).FindAllStringSubmatch(c.text, -1) {
					got[p.Kind] = append(got[p.Kind], m[len(m)-1])
				}
			}
			slices.Sort(got["message"])
			slices.Sort(c.messages)
			if diff := cmp.Diff(c.messages, got["message"]); diff != "" {
				t.Errorf("messages: %s", diff)
			}
			if diff := cmp.Diff(c.threads, got["thread"]); diff != "" {
				t.Errorf("threads: %s", diff)
			}
		})
	}
}
