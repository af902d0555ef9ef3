package agn

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// model changes a directory at random, and knows what a message should count
// for.
type model struct {
	*readFixture
	rng   *rand.Rand
	files map[string][]byte
}

func (m *model) pick() (string, bool) {
	if len(m.files) == 0 {
		return "", false
	}
	// The order of a map is none, and the seed has to decide.
	names := []string{}
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names[m.rng.IntN(len(names))], true
}

// place gives a name where something may lie.
func (m *model) place(task string, n int64, id string) string {
	return []string{
		own(task, n), own(task, n), own("T-2026-009", n), AckPath(id), ResumePath(id), TaskPath(task),
		fmt.Sprintf("acks/%d.json", n), fmt.Sprintf("%d.json", n), fmt.Sprintf("in/%d/%d.json", n%3, n), "errors.jsonl",
		fmt.Sprintf("messages/%d.json", n), fmt.Sprintf("in/.hidden/%d.json", n),
	}[m.rng.IntN(12)]
}

// content gives something to write.
func (m *model) content(task string, n int64, id string) []byte {
	switch m.rng.IntN(9) {
	case 0:
		return ack(id, n)
	case 1:
		return resume(id, n)
	case 2:
		return taskFile(task)
	case 3:
		data := dispatch(task, n, "x")
		return data[:m.rng.IntN(len(data))]
	case 4:
		return []byte(strings.Replace(string(dispatch(task, n, "x")), `"low"`, `"huge"`, 1))
	case 5:
		return agn.AppendRejection(nil, agn.Rejection{Millis: day + n, Source: fmt.Sprint(n, ".json"), Digest: "d", TaskID: task})
	}
	return dispatch(task, n, fmt.Sprint(m.rng.IntN(2)))
}

// step does one thing, and gives it in words.
func (m *model) step() string {
	task, n := fmt.Sprintf("T-2026-00%d", m.rng.IntN(3)), m.rng.Int64N(6)
	id := dispatchID(task, n)
	name, some := m.pick()
	switch what := m.rng.IntN(12); {
	case what == 0 && some:
		m.Remove(name)
		delete(m.files, name)
		return "remove " + name
	case what == 1 && some:
		to := m.place(task, n, id)
		m.Mkdir(path.Dir(to))
		m.Rename(name, to)
		m.files[to] = m.files[name]
		if to != name {
			delete(m.files, name)
		}
		return "rename " + name + " " + to
	case what == 2 && some:
		folder, _, deep := strings.Cut(name, "/")
		if !deep || m.rng.IntN(3) > 0 {
			break
		}
		m.Remove(folder)
		for other := range m.files {
			if strings.HasPrefix(other, folder+"/") {
				delete(m.files, other)
			}
		}
		return "remove all of " + folder
	case what == 3 && some:
		m.Put(name, append(m.files[name], '\n'))
		m.files[name] = append(m.files[name], '\n')
		return "append to " + name
	}
	to := m.place(task, n, id)
	m.files[to] = m.content(task, n, id)
	m.Put(to, m.files[to])
	return "put " + to
}

// plain counts, in the slow and obvious way, the messages that should count and
// those that should be refused: each id once.
func (m *model) plain() (messages, refused int) {
	byID := map[string]map[string]int{}
	for name, data := range m.files {
		if strings.Contains(name, "/.") || !strings.HasSuffix(name, ".json") {
			continue
		}
		msg, err := agn.ParseMessage(data)
		switch {
		case err == nil && len(msg.Faults) == 0:
			if byID[msg.ID] == nil {
				byID[msg.ID] = map[string]int{}
			}
			byID[msg.ID][string(data)]++
		case strings.HasPrefix(name, "messages/"), err == nil && msg.Version == agn.Version,
			err != nil && strings.Contains(string(data), `"msg_id"`) && strings.Contains(string(data), `"AMP/1.0"`):
			refused++
		}
	}
	for id, texts := range byID {
		messages++
		counts := ""
		parts, _ := agn.ParseID(id)
		if data, ok := m.files[MessagePath(parts.TaskID, id)]; ok && texts[string(data)] > 0 {
			counts = string(data)
		} else {
			first := ""
			for name, data := range m.files {
				if texts[string(data)] > 0 && !strings.Contains(name, "/.") && strings.HasSuffix(name, ".json") && (first == "" || name < first) {
					first, counts = name, string(data)
				}
			}
		}
		for text, n := range texts {
			if text != counts {
				refused += n
			}
		}
	}
	return messages, refused
}

// TestModel changes a directory at random (AGN E0, E1, E6, E12, E13, X9). After
// each few steps what is followed is what one fresh look finds, and has as many
// messages as a plain count.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for seed := range uint64(4) {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%v", seed, poll), func(t *testing.T) {
				m := &model{newReadFixture(t), rand.New(rand.NewPCG(seed, 7)), map[string][]byte{}}
				m.Mkdir(".")
				var l *liveFixture
				if poll {
					l = m.followWith(Config{Poll: time.Millisecond}, outsideWorld())
				} else {
					l = m.follow()
				}
				did := []string{}
				for range 60 {
					for range 1 + m.rng.IntN(4) {
						did = append(did, m.step())
					}
					m.check(l.sync(), did)
				}
				if poll {
					return
				}
				// What the system reported is enough by itself.
				for range 5 {
					did = append(did, m.step())
					fresh := m.scan()
					l.until(did[len(did)-1], func(s *Snapshot) bool { return same(fresh, s) == "" })
				}
			})
		}
	}
}

func (m *model) check(s *Snapshot, did []string) {
	m.t.Helper()
	fresh := m.scan()
	if diff := same(fresh, s); diff != "" {
		m.t.Fatalf("%s\n%s", strings.Join(did[max(0, len(did)-12):], "\n"), diff)
	}
	messages, refused := m.plain()
	here := 0
	for _, r := range s.Rejected {
		if r.Here {
			here++
		}
	}
	if messages != s.Messages || refused != here {
		m.t.Fatalf("%d messages and %d refused, not %d and %d: %s", s.Messages, here, messages, refused, cmp.Diff([]string{}, brief(s)))
	}
}
