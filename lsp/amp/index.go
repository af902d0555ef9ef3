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

// split returns the folder of the mailbox that a path is in, as [Mailbox.Dir], and the rest of
// the path, "" for the mailbox itself. Both are "" for the folder agents.
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

// sortOf returns whether a path is read, entered or passed over (rule STO-1). Names that
// begin with a dot are passed over: they are unfinished or private. A link, or a file in the
// place of a folder, is read as a file so that it is reported as a problem.
func sortOf(p string, kind fs.FileMode) tree.Sort {
	if strings.HasPrefix(tree.Base(p), ".") {
		return tree.Skipped
	}
	dir, rest := split(p)
	link := kind&fs.ModeSymlink != 0 || kind&fs.ModeIrregular != 0
	switch {
	case rest == "" && dir != "":
		return folderOrFile(kind.IsDir(), link)
	case rest == "", rest == messagesName, rest == keysName, rest == registrationsName,
		rest == messagesName+"/"+Inbox, rest == messagesName+"/"+Sent:
		return folderOrFile(kind.IsDir(), true)
	case rest == configName, rest == publicName, rest == privateName:
		return tree.Wanted
	case boxOf(rest) != "":
		return folderOrFile(kind.IsDir(), link || strings.HasSuffix(rest, ext))
	case partOf(p) == partRegistration:
		return folderOrFile(false, !kind.IsDir())
	}
	return tree.Skipped
}

func folderOrFile(folder, wanted bool) tree.Sort {
	switch {
	case folder:
		return tree.Entered
	case wanted:
		return tree.Wanted
	}
	return tree.Skipped
}

// rank returns the order in which a folder is read: mail comes after the few files that
// identify its owner.
func rank(folder string) int {
	if _, rest := split(folder); rest == messagesName {
		return 1
	}
	return 0
}

// limits returns how much of a root is read. The deepest folder that a client makes is
// agents/<name>/messages/<box>/<peer>.
func limits() tree.Limits {
	return tree.Limits{Depth: 8, Files: 200_000, Folders: 20_000, Entries: 200_000}
}

const maxAddresses = 64

type box struct {
	mailbox  *Mailbox
	records  []*record
	problems []Problem
}

// rebuildMailboxes builds the mailboxes from the files in their folders. It reports whether a
// mailbox came, went, or has another owner or key.
func (s *state) rebuildMailboxes() (changed bool) {
	before := s.boxes
	s.boxes, s.problemsOutside = make(map[string]*box, len(before)), nil
	if s.dir.Root == nil {
		return len(before) > 0
	}
	folders := map[string]*tree.Node[*record]{".": s.dir.Root}
	if agents := s.dir.Folder(agentsName); agents != nil {
		s.problemsOutside = problemsIn(agents)
		for _, n := range agents.Folders {
			folders[n.Path] = n
		}
	}
	for dir, n := range folders {
		built := s.buildBox(dir, n)
		built.reuse(before[dir])
		s.boxes[dir] = built
		changed = changed || !sameOwner(before[dir], built)
	}
	for dir := range before {
		changed = changed || s.boxes[dir] == nil
	}
	return changed
}

func problemsIn(n *tree.Node[*record]) (list []Problem) {
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
	b.collect(m, n)
	if dir == "." && s.dir.Folder(messagesName) == nil && s.dir.File(configName) == nil || dir != "." && n.Err != nil {
		return b // not a mailbox, but its problems are reported
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

func (b *box) collect(m *Mailbox, n *tree.Node[*record]) {
	b.problems = append(b.problems, problemsIn(n)...)
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
			b.collect(m, sub)
		}
	}
}

// add adds an address that is not listed yet. The one in config.json comes first, since a
// folder's files come before its subfolders.
func (m *Mailbox) add(a amp.Address) {
	same := func(b amp.Address) bool { return a.Same(b) }
	if a.Agent != "" && len(m.Addresses) < maxAddresses && !slices.ContainsFunc(m.Addresses, same) {
		m.Addresses = append(m.Addresses, a)
	}
}

// reuse takes over the old mailbox if it is unchanged, and sets the mailbox of each message.
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

// addressConflicts returns a problem for each address that several mailboxes claim. None of
// them counts as its owner.
func addressConflicts(boxes []*Mailbox) (list []Problem) {
	for at, all := range mailboxesByAddress(boxes) {
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

func mailboxesByAddress(boxes []*Mailbox) map[string][]*Mailbox {
	byAddress := make(map[string][]*Mailbox)
	for _, m := range boxes {
		for _, a := range m.Addresses {
			at := strings.ToLower(a.String())
			byAddress[at] = append(byAddress[at], m)
		}
	}
	return byAddress
}
