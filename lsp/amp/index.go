package amp

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

type part uint8

const (
	partNone         part = iota // something in the place of a folder
	partConfig                   // config.json
	partPublic                   // keys/public.pem
	partPrivate                  // keys/private.pem, which is never read here
	partRegistration             // registrations/<provider>.json
	partMessage                  // messages/<box>/….json
)

const (
	configName        = "config.json"
	keysName          = "keys"
	publicName        = "keys/public.pem"
	privateName       = "keys/private.pem"
	registrationsName = "registrations"
	messagesName      = "messages"
	ext               = ".json"
)

// split returns the mailbox that a path lies in, as [Mailbox.Dir], and the rest of
// the path within it, "" for the mailbox itself. What lies in agents and in no
// mailbox has the mailbox "".
func split(p string) (dir, rest string) {
	within, ok := strings.CutPrefix(p, agentsName+"/")
	if !ok {
		if p == agentsName {
			return "", ""
		}
		return ".", p
	}
	name, rest, _ := strings.Cut(within, "/")
	return agentsName + "/" + name, rest
}

func boxOf(rest string) string {
	for _, box := range [...]string{Inbox, Sent} {
		if strings.HasPrefix(rest, messagesName+"/"+box+"/") {
			return box
		}
	}
	return ""
}

func partOf(p string) part {
	_, rest := split(p)
	switch {
	case rest == configName:
		return partConfig
	case rest == publicName:
		return partPublic
	case rest == privateName:
		return partPrivate
	case !strings.HasSuffix(rest, ext):
	case boxOf(rest) != "":
		return partMessage
	case strings.HasPrefix(rest, registrationsName+"/"):
		return partRegistration
	}
	return partNone
}

// sortOf tells what is looked at (rule STO-1). Names that begin with a dot are
// files that are being written, or somebody's own. What stands in the
// place of something else, and a link to wherever, is looked at as a file, whose
// problem is said.
func sortOf(p string, kind fs.FileMode) tree.Sort {
	if strings.HasPrefix(tree.Base(p), ".") {
		return tree.Passed
	}
	dir, rest := split(p)
	link := kind&fs.ModeSymlink != 0 || kind&fs.ModeIrregular != 0
	switch {
	case rest == "" && dir != "":
		return sorted(kind.IsDir(), link)
	case rest == "", rest == messagesName, rest == keysName, rest == registrationsName,
		rest == messagesName+"/"+Inbox, rest == messagesName+"/"+Sent:
		return sorted(kind.IsDir(), true)
	case rest == configName, rest == publicName, rest == privateName:
		return tree.Wanted
	case boxOf(rest) != "":
		return sorted(kind.IsDir(), link || strings.HasSuffix(rest, ext))
	case partOf(p) == partRegistration:
		return sorted(false, !kind.IsDir())
	}
	return tree.Passed
}

func sorted(folder, wanted bool) tree.Sort {
	switch {
	case folder:
		return tree.Entered
	case wanted:
		return tree.Wanted
	}
	return tree.Passed
}

// rank has the few files that say who somebody is looked at before their mail.
func rank(folder string) int {
	if _, rest := split(folder); rest == messagesName {
		return 1
	}
	return 0
}

// limits bound what is looked at in a root. The deepest folder that a client makes
// is agents/<name>/messages/<box>/<peer>.
func limits() tree.Limits {
	return tree.Limits{Depth: 8, Files: 200_000, Folders: 20_000, Entries: 200_000}
}

const maxAddresses = 64

type box struct {
	mailbox  *Mailbox
	records  []*record
	problems []Problem
}

// rebuildMailboxes makes the mailboxes anew of what is in their folders. It reports whether a
// mailbox came, went, or has another owner or key.
func (s *state) rebuildMailboxes() (other bool) {
	before := s.boxes
	s.boxes, s.problemsOutside = make(map[string]*box, len(before)), nil
	if s.dir.Root == nil {
		return len(before) > 0
	}
	folders := map[string]*tree.Node[*record]{".": s.dir.Root}
	if agents := s.dir.Folder(agentsName); agents != nil {
		s.problemsOutside = faults(agents)
		for _, n := range agents.Folders {
			folders[n.Path] = n
		}
	}
	for dir, n := range folders {
		now := s.buildBox(dir, n)
		now.reuse(before[dir])
		s.boxes[dir] = now
		other = other || !sameOwner(before[dir], now)
	}
	for dir := range before {
		other = other || s.boxes[dir] == nil
	}
	return other
}

func faults(n *tree.Node[*record]) (list []Problem) {
	if n.Err != nil {
		reason, advice := n.Fault()
		list = append(list, Problem{Path: n.Path, Rule: "STO-1", Reason: reason, Advice: advice})
	}
	for _, r := range n.Files {
		if r.problem != (Problem{}) {
			list = append(list, r.problem)
		}
	}
	return list
}

func (s *state) buildBox(dir string, n *tree.Node[*record]) *box {
	b := &box{}
	m := &Mailbox{Dir: dir, Path: filepath.Join(s.cfg.Path, filepath.FromSlash(dir)), Name: filepath.Base(filepath.Join(s.cfg.Path, filepath.FromSlash(dir)))}
	b.gather(m, n)
	if dir == "." && s.dir.Folder(messagesName) == nil && s.dir.File(configName) == nil || dir != "." && n.Err != nil {
		return b // no mailbox, but what is wrong is said
	}
	for _, r := range b.records {
		if r.msg.Box == Inbox {
			m.Messages++
			if r.msg.Status == amp.Unread {
				m.Unread++
			}
		}
	}
	b.mailbox = m
	return b
}

func (b *box) gather(m *Mailbox, n *tree.Node[*record]) {
	b.problems = append(b.problems, faults(n)...)
	for _, r := range n.Files {
		if r.msg != nil {
			b.records = append(b.records, r)
		}
		if o := r.owner; o != nil {
			if r.part == partConfig {
				m.Name = cmp.Or(o.name, m.Name)
			}
			m.add(o.address)
		}
		if r.key.Algorithm() != "" {
			m.Key = r.key
		}
		m.Signs = m.Signs || r.hasKey
	}
	for _, sub := range n.Folders {
		if sub.Path != agentsName {
			b.gather(m, sub)
		}
	}
}

// add adds an address that is not there yet. That of config.json comes first,
// since files come before folders.
func (m *Mailbox) add(a amp.Address) {
	same := func(b amp.Address) bool { return a.Same(b) }
	if a.Agent != "" && len(m.Addresses) < maxAddresses && !slices.ContainsFunc(m.Addresses, same) {
		m.Addresses = append(m.Addresses, a)
	}
}

// reuse keeps the mailbox that was given out if it is the same, and returns the
// messages their mailbox.
func (b *box) reuse(old *box) {
	if b.mailbox == nil {
		b.records = nil
		return
	}
	if old != nil && old.mailbox != nil && sameOwner(old, b) && old.mailbox.Messages == b.mailbox.Messages && old.mailbox.Unread == b.mailbox.Unread {
		b.mailbox = old.mailbox
	}
	for _, r := range b.records {
		if r.msg.Mailbox != b.mailbox {
			m := *r.msg
			m.Mailbox = b.mailbox
			r.msg = &m
		}
	}
}

func sameOwner(a, b *box) bool {
	if a == nil || b == nil || a.mailbox == nil || b.mailbox == nil {
		return (a == nil || a.mailbox == nil) == (b == nil || b.mailbox == nil)
	}
	x, y := a.mailbox, b.mailbox
	return x.Dir == y.Dir && x.Name == y.Name && slices.Equal(x.Addresses, y.Addresses) && x.Signs == y.Signs && x.Key.Fingerprint() == y.Key.Fingerprint()
}

// addressConflicts says which addresses several mailboxes claim: none of them is taken for
// their owner.
func addressConflicts(boxes []*Mailbox) (list []Problem) {
	for at, all := range claims(boxes) {
		if len(all) < 2 {
			continue
		}
		dirs := make([]string, len(all))
		for i, m := range all {
			dirs[i] = m.Dir
		}
		list = append(list, Problem{
			Path: path.Join(dirs[0], configName), Rule: "STO-1",
			Reason: fmt.Sprintf("the mailboxes %q all say that they belong to %q, and none of them is believed", dirs, at),
			Advice: "give each agent an address of its own",
		})
	}
	return list
}

func claims(boxes []*Mailbox) map[string][]*Mailbox {
	by := make(map[string][]*Mailbox)
	for _, m := range boxes {
		for _, a := range m.Addresses {
			at := strings.ToLower(a.String())
			by[at] = append(by[at], m)
		}
	}
	return by
}
