//go:build syncthing

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSyncthing has two instances of Syncthing carry a directory between two machines that
// both write to it, also to one file, and also while they cannot see each other, and come
// back with old times. In the end both have the same messages of all four formats, what came
// late is announced, and what a reader has read stayed on its machine (rules S1, S2, N6). It is
// built with the tag syncthing, since it needs that program: make test-sync installs it.
func TestSyncthing(t *testing.T) {
	a, b := twoMachines(t)
	a.run("amp", "init", "--name", "alice", "--address", "alice@acme.crabmail.ai")
	b.run("amp", "init", "--name", "bob", "--address", "bob@acme.crabmail.ai")
	a.run("threads", "new", "--id", "t1", "--title", "Login")
	dispatch, err := filepath.Abs("../../testdata/agn/amp-chain/01-task_dispatch.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(a.dir, atProject, "ssot"), 0o700); err != nil {
		t.Fatal(err)
	}
	a.run("task", "send", "--whole", dispatch)
	for _, m := range []*machine{a, b} {
		m.run("doctor", "--fix")
	}
	a.start()
	b.start()
	together(a, b)
	// What came from the other side has brought directories for which there were no
	// rules yet.
	b.run("doctor", "--fix")

	t.Log("both send")
	a.send("alice", "bob", "The login bug is back.")
	b.send("bob", "alice", "I look at it.")
	a.send("dave", "bob", "First of two machines.")
	a.run("amp", "send", "bob", "--subject", "Plan", "-m", "Signed.")
	a.run("threads", "append", "t1", "Shared beginning.")
	together(a, b)
	if got := b.run("--as", "bob", "inbox"); !strings.Contains(got, "The login bug is back.") || strings.Contains(got, "late") {
		t.Errorf("bob is shown %q", got)
	}
	if got := b.run("amp", "inbox"); !strings.Contains(got, "Plan") || !strings.Contains(got, "verified") {
		t.Errorf("bob's signed mail is %q", got)
	}
	if got := a.run("--as", "alice", "inbox"); !strings.Contains(got, "I look at it.") {
		t.Errorf("alice is shown %q", got)
	}
	if id := strings.TrimSpace(b.run("amp", "inbox", "--json")); id == "" {
		t.Error("no signed mail")
	}

	t.Log("one goes offline, and both go on")
	a.stop()
	nextSecond(a)
	late := a.send("alice", "bob", "Sent while offline.")
	a.send("dave", "bob", "From a.")
	a.run("threads", "append", "t1", "From a.")
	a.run("task", "ack", "task_dispatch-T-2026-044-1772116327001", "--role", "executor")
	nextSecond(b)
	b.send("carol", "bob", "Later, and seen first.")
	b.send("dave", "bob", "From b.")
	b.run("threads", "append", "t1", "From b.")
	b.run("task", "send", "escalation", "--task", "T-2026-044", "--role", "executor", "--set", "escalation_type=conflict", "--set", "severity=warning", "--set", "description=The criteria contradict.", "--set", "suggested_actions[0]=Drop one")
	message := theSigned(t, b)
	b.run("amp", "read", message)
	if got := b.run("--as", "bob", "inbox"); !strings.Contains(got, "Later, and seen first.") || strings.Contains(got, late) {
		t.Errorf("bob is shown %q", got)
	}
	// Somebody looks into bob's mail on the other machine too.
	a.run("--as", "bob", "inbox")
	a.age(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC))

	t.Log("it comes back")
	a.start()
	together(a, b)
	alike(t, a, b)
	if got := a.copies(); !slices.Contains(got, atMail+"/log-dave.jsonl") || !slices.Contains(got, atProject+"/.agent/threads/t1/messages.jsonl") {
		t.Fatalf("no conflict was made, so that nothing is tested: %q", got)
	}
	got := b.run("--as", "bob", "inbox")
	if _, after, found := strings.Cut(got, "arrived late"); !found || !strings.Contains(after, late) || !strings.Contains(after, "From a.") {
		t.Errorf("late mail is not announced: %q", got)
	}
	for _, text := range []string{"First of two machines.", "From a.", "From b.", late} {
		if n := strings.Count(b.run("--as", "bob", "inbox", "all"), text); n != 1 {
			t.Errorf("%q is shown %d times", text, n)
		}
	}

	t.Log("conflict copies are named, and stay")
	out := b.run("--as", "dave", "doctor", "--fix")
	if !strings.Contains(out, "log-dave.sync-conflict-") || !strings.Contains(out, "messages.sync-conflict-") {
		t.Errorf("doctor says %s", out)
	}
	together(a, b)
	alike(t, a, b)
	for _, m := range []*machine{a, b} {
		thread := m.run("threads", "show", "t1")
		if strings.Count(thread, "Shared beginning.") != 1 || strings.Count(thread, "From a.")+strings.Count(thread, "From b.") != 1 {
			t.Errorf("on %s, the thread is %s", m.name, thread)
		}
		m.run("--as", "dave", "validate")
		if task := m.run("task", "show", "T-2026-044"); !strings.Contains(task, "criteria contradict") || strings.Contains(task, "NOT ACKNOWLEDGED by executor") {
			t.Errorf("on %s, the task is %s", m.name, task)
		}
	}

	t.Log("what belongs to one machine stayed there")
	if x, y := a.file(atMail+"/.seen-bob"), b.file(atMail+"/.seen-bob"); x == "" || y == "" || x == y {
		t.Errorf("bob's marks are %q and %q", x, y)
	}
	if b.file(atMail+"/.seen-alice") != "" || a.file(atMail+"/.seen-alice") == "" {
		t.Error("alice's mark was carried")
	}
	for m, owner := range map[*machine]string{a: "alice", b: "bob"} {
		for _, name := range []string{"alice", "bob"} {
			key := atBoxes + "/agents/" + name + "/keys/private.pem"
			if there := m.file(key) != ""; there != (name == owner) {
				t.Errorf("on %s, %s: %t", m.name, key, there)
			}
		}
	}
}

// theSigned gives the id of the only signed message.
func theSigned(t *testing.T, m *machine) string {
	t.Helper()
	var msg struct{ ID string }
	if err := json.Unmarshal([]byte(m.run("amp", "inbox", "--json")), &msg); err != nil {
		t.Fatal(err)
	}
	return msg.ID
}

// alike holds that both machines show the same messages: mail by id, tasks and threads by
// what is shown of them.
func alike(t *testing.T, a, b *machine) {
	t.Helper()
	readers := []string{"alice", "bob"}
	x, y := a.ids(readers...), b.ids(readers...)
	if len(x) == 0 || !slices.Equal(x, y) {
		t.Errorf("a alone has %q, b alone %q", only(x, y), only(y, x))
	}
	for _, args := range [][]string{{"task", "show", "T-2026-044"}, {"threads", "show", "t1"}, {"amp", "read", theSigned(t, b), "--keep-unread"}} {
		x, y := strings.ReplaceAll(a.run(args...), a.dir, ""), strings.ReplaceAll(b.run(args...), b.dir, "")
		if args[0] == "amp" {
			// Whose it is differs, and so what can be done with it.
			x, y = strings.Join(signedWords(x), "\n"), strings.Join(signedWords(y), "\n")
		}
		if x == "" || x != y {
			t.Errorf("%q: a says %s, b %s", args, x, y)
		}
	}
}

// signedWords are the lines of a signed message that its sender wrote.
func signedWords(text string) (list []string) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, "Plan") || strings.Contains(l, "Signed.") {
			list = append(list, strings.TrimSpace(l))
		}
	}
	return list
}

// TestSoakSync goes on for SIGNALBOX_SYNC_ROUNDS rounds with the seed SIGNALBOX_SYNC_SEED. In each
// one machine or none goes offline, both send anything to anybody, also under one
// alias, somebody reads, logs get other times, and it comes back. After each round both show
// the same mail, and all that was ever sent; in the end each reader was told of every
// message once on the machine where it reads: as new, or as late (rule N6).
func TestSoakSync(t *testing.T) {
	rounds, seed := setting(t, "SIGNALBOX_SYNC_ROUNDS", 2), setting(t, "SIGNALBOX_SYNC_SEED", int(time.Now().Unix()))
	t.Logf("SIGNALBOX_SYNC_ROUNDS=%d SIGNALBOX_SYNC_SEED=%d", rounds, seed)
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	a, b := twoMachines(t)
	both := []*machine{a, b}
	for _, m := range both {
		m.run("doctor", "--fix")
		m.start()
	}
	// Who writes and reads where; dave does so on both.
	homes := map[string][]*machine{"alice": {a}, "bob": {b}, "carol": {b}, "dave": both}
	people := []string{"alice", "bob", "carol", "dave"}
	sent, notified := make(map[string]string), make(map[string]int)
	var conflicts, later int
	read := func(who string) {
		m := homes[who][0]
		for l := range strings.Lines(m.run("--as", who, "--json", "inbox")) {
			var msg struct{ Body string }
			if err := json.Unmarshal([]byte(l), &msg); err != nil {
				t.Fatal(err)
			}
			notified[who+" "+msg.Body]++
			if strings.Contains(l, `"late"`) {
				later++
			}
		}
	}
	for round := range rounds {
		var away *machine
		if r.IntN(4) > 0 {
			away = both[r.IntN(2)]
			away.stop()
		}
		for n := range 3 + r.IntN(12) {
			from, to := people[r.IntN(len(people))], people[r.IntN(len(people))]
			m := homes[from][r.IntN(len(homes[from]))]
			text := fmt.Sprintf("round %d message %d from %s on %s to %s", round, n, from, m.name, to)
			m.send(from, to, text)
			sent[text] = to
			switch r.IntN(6) {
			case 0, 1:
				read(people[r.IntN(len(people))])
			case 2, 3:
				nextSecond(m)
			}
		}
		for _, m := range both {
			switch r.IntN(3) {
			case 0:
				m.age(time.Unix(r.Int64N(1_700_000_000), 0))
			case 1:
				// Not beyond what a clock that runs ahead would do.
				m.age(time.Now().Add(time.Duration(r.IntN(3600)) * time.Second))
			}
		}
		if away != nil {
			away.start()
		}
		together(a, b)
		conflicts += len(a.copies())
		x, y := a.ids(people...), b.ids(people...)
		if !slices.Equal(x, y) {
			t.Fatalf("round %d: a alone has %q, b alone %q", round, only(x, y), only(y, x))
		}
		for text, to := range sent {
			if !slices.ContainsFunc(x, func(s string) bool { return strings.HasPrefix(s, to+" ") && strings.HasSuffix(s, " "+text) }) {
				t.Errorf("round %d: lost: %q", round, text)
			}
		}
		if len(x) != len(sent) {
			t.Errorf("round %d: %d messages were sent, and %d are shown", round, len(sent), len(x))
		}
	}
	for _, who := range people {
		read(who)
	}
	for text, to := range sent {
		if n := notified[to+" "+text]; n != 1 {
			t.Errorf("%s was told %d times of %q", to, n, text)
		}
	}
	if rounds >= 10 && (conflicts == 0 || later == 0) {
		t.Error("nothing came late, or no conflict was made, so that little was tested")
	}
	t.Logf("%d messages in %d rounds: %d conflict copies, %d told as late", len(sent), rounds, conflicts, later)
}

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
