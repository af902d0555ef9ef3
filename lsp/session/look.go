package session

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

const (
	// headBytes and tailBytes are how much of a transcript's beginning and end is read to list it.
	// To find the first prompt and the last line, more is read: lines up to longLine.
	headBytes = 64 << 10
	tailBytes = 64 << 10
	longLine  = 4 << 20
	// Outputs make up most of a transcript. Those longer than longOutput are skipped, unless they
	// end in the last newBytes.
	longOutput = 1 << 10
	newBytes   = 16 << 10
	// besideBytes is the length of the longest file beside a transcript that is read.
	besideBytes = 1 << 20
)

// file is everything known about one transcript.
type file struct {
	tree.Head
	// items are the sessions in it: none if it works in another checkout.
	items []*Item
	// unlisted is the reason why its sessions cannot be listed, or empty.
	unlisted string
}

// scanner reads the transcripts of one program. Only one goroutine may use it.
type scanner struct {
	format *session.Format
	root   string
	scope  *scope
	// memory has earlier results. It is nil except in a look at everything.
	memory *memory
	// at caches the checkouts of folders.
	at map[string]string
	// first holds the beginning of a transcript, and buf other parts.
	first, buf []byte
}

// checkout returns the ID of the checkout that contains a session's folder, or "".
func (k *scanner) checkout(folder string) string {
	id, ok := k.at[folder]
	if !ok {
		id = k.scope.find(k.unhash(folder))
		k.at[folder] = id
	}
	return id
}

// look looks at one file; see [tree.Rules].
func (k *scanner) look(in tree.Folder, path string, old *file, plain bool) *file {
	var head *tree.Head
	if old != nil {
		head = &old.Head
	}
	var r tree.Reader
	l, state := r.Look(in, path, head, plain, tree.Want{})
	switch state {
	case tree.Gone:
		return nil
	case tree.Same:
		return old
	}
	now := &file{Head: l.Head}
	now.Again = now.Young()
	if !k.format.Place.Holds(path, false) {
		now.unlisted = unlistedForm
		return now
	}
	if l.Err == nil && old == nil && k.fromMemory(now) {
		return now
	}
	var f *os.File
	info, err := tree.Info{}, l.Err
	if err == nil {
		f, info, err = in.File(tree.Base(path))
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		now.unlisted, now.Again = unlistedClosed, true // changed permissions leave the stamp as it is
		if _, ok := errors.AsType[*disk.KindError](err); ok {
			now.unlisted = unlistedKind
		}
		return now
	}
	now.Stamp, now.Again = info.Stamp, info.Young()
	text := asLines(k.format, f, info.Size)
	defer text.Close()
	k.summarize(now, text)
	return now
}

// fromMemory sets the sessions of a transcript from an earlier process's results, and reports
// whether that was possible.
func (k *scanner) fromMemory(now *file) bool {
	if now.Again || k.memory == nil {
		return false
	}
	was, ok := k.memory.at(k.real(now.Path), now.Stamp, k.stamps(now.Path))
	if ok {
		now.unlisted = was.Unlisted
	}
	return ok && k.items(now, &was)
}

// real returns the absolute path of a transcript, or of a file beside it.
func (k *scanner) real(path string) string { return filepath.Join(k.root, filepath.FromSlash(path)) }

// stamps returns the stamps of the files beside a transcript.
func (k *scanner) stamps(path string) (list []tree.Stamp) {
	for _, p := range k.beside(path) {
		list = append(list, stampOf(k.real(p)))
	}
	return list
}

// summarize reads the beginning and end of a transcript whose session counts, and the files
// beside it.
func (k *scanner) summarize(now *file, f *lines) {
	known, stamps := session.Facts{}, k.stamps(now.Path)
	for _, p := range k.beside(now.Path) {
		if data, err := readBeside(k.real(p)); err == nil {
			k.format.Place.ReadBeside(&known, p, data)
		}
	}
	head, err := read(&k.first, f, 0, headBytes)
	is := found{}
	if err == nil && k.foreign(f, head) {
		is.Unlisted = unlistedForm
	} else if is.Folders = k.folders(f, head, known.Folder); len(is.Folders) == 0 {
		is.Folders, is.Unlisted = k.otherFolders(head, cmp.Or(err, f.fault))
	}
	now.unlisted = is.Unlisted
	if k.checkoutOf(is.Folders) != "" {
		var size int64
		if size, err = f.size(); err == nil {
			is.Sessions, err = k.sessions(f, head, size, known)
		} else {
			is.Sessions, _ = k.sessions(bytes.NewReader(head), head, int64(len(head)), known)
		}
		if err != nil {
			is.Fault = disk.Cause(err).Error()
		}
		k.items(now, &is)
	}
	if final := err == nil || f.fault != nil; final && !now.Again {
		k.memory.add(memo{Path: k.real(now.Path), Stamp: now.Stamp, Beside: stamps, found: is})
	}
}

// otherFolders returns the folder of a transcript that does not name one in the usual way: it
// may be in a text for the model, or be a hash of its path. If there is none, unlisted is set,
// unless the transcript has no messages.
func (k *scanner) otherFolders(head []byte, err error) (folders []string, unlisted string) {
	log := &session.Log{}
	k.lines(log, head, 0, 0)
	hash := textIn(head, "projectHash", bytes.Index)
	switch {
	case err != nil:
		return nil, unlistedForm
	case log.Folder != "" && len(log.Folder) <= maxPath:
		return []string{log.Folder}, ""
	case hash != "" && len(hash) <= maxPath:
		return []string{hashPrefix + hash}, ""
	case len(log.Messages) > 0:
		return nil, unlistedNames
	}
	return nil, ""
}

// hashPrefix begins the text for a folder of which only the path's SHA-256 is known.
const hashPrefix = "sha256:"

// unhash returns the checkout that a hash stands for, or "". It returns other folders as they
// are.
func (k *scanner) unhash(folder string) string {
	hash, ok := strings.CutPrefix(folder, hashPrefix)
	if !ok {
		return folder
	}
	for _, at := range k.scope.locations { // present and former places
		if sum := sha256.Sum256([]byte(at.path)); hex.EncodeToString(sum[:]) == hash {
			return at.path
		}
	}
	return ""
}

// readBeside reads a file beside a transcript.
func readBeside(path string) ([]byte, error) {
	root, err := disk.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, _, err := root.ReadRegular(filepath.Base(path), besideBytes)
	return data, err
}

// log reads the parts of a transcript's beginning and end that concern an agent.
func (k *scanner) log(f io.ReaderAt, head []byte, size int64, agent string, known session.Facts) (*session.Log, error) {
	log := &session.Log{Agent: agent, Facts: known}
	next, err := k.head(log, f, head, size)
	if err == nil && next < size {
		err = k.tail(log, f, next, size)
	}
	return log, err
}

// folders returns the folders that may show where a transcript belongs: that of the files
// beside it, then the first one that the transcript names, then the last one, since a session
// may begin elsewhere.
func (k *scanner) folders(f *lines, head []byte, beside string) (list []string) {
	add := func(folder string) {
		if folder != "" && len(folder) <= maxPath && !slices.Contains(list, folder) {
			list = append(list, folder)
		}
	}
	add(beside)
	add(textIn(head, "cwd", bytes.Index))
	if size := f.known; size > headBytes {
		if tail, err := read(&k.buf, f, max(headBytes, size-tailBytes), min(tailBytes, size-headBytes)); err == nil {
			add(textIn(tail, "cwd", lastIndex))
		}
	}
	add(textIn(head, "cwd", lastIndex))
	return list
}

// checkoutOf returns the checkout of the first folder that is in one, or "".
func (k *scanner) checkoutOf(folders []string) string {
	for _, folder := range folders {
		if id := k.checkout(folder); id != "" {
			return id
		}
	}
	return ""
}

// lastIndex is a faster bytes.LastIndex: that is twenty times as slow as bytes.Index.
func lastIndex(s, sep []byte) int {
	for at := -1; ; {
		next := bytes.Index(s[at+1:], sep)
		if next < 0 {
			return at
		}
		at += 1 + next
	}
}

// textIn returns the text of a member of a record in data, found by index. Thus most
// transcripts need not be parsed, since their sessions are in other checkouts.
func textIn(data []byte, member string, index func(s, sep []byte) int) string {
	name := `"` + member + `":`
	at := index(data, []byte(name))
	if at < 0 {
		return ""
	}
	text := ""
	_ = json.NewDecoder(bytes.NewReader(data[at+len(name):])).Decode(&text)
	return text
}

func (k *scanner) beside(path string) []string {
	if k.format.Place.Beside == nil {
		return nil
	}
	return k.format.Place.Beside(path)
}

// head reads the first lines, up to the first prompt, which may hold images. It returns the
// offset of the next line.
func (k *scanner) head(log *session.Log, f io.ReaderAt, data []byte, size int64) (next int64, err error) {
	next = k.lines(log, data, 0, size-newBytes)
	for n := int64(headBytes); log.Prompt == "" && next < size && n <= longLine; n *= 4 {
		if data, err = read(&k.buf, f, next, min(n, size-next)); err != nil {
			break
		}
		next = k.lines(log, data, next, size-newBytes)
	}
	return next, err
}

// tail reads the last lines that begin at least or after it.
func (k *scanner) tail(log *session.Log, f io.ReaderAt, least, size int64) error {
	for n := int64(tailBytes); ; n *= 8 {
		from, at := max(least, size-n), 0
		data, err := read(&k.buf, f, from, size-from)
		if err != nil {
			return err
		}
		if from > least {
			at = bytes.IndexByte(data, '\n') + 1
		}
		if from == least || at > 0 && bytes.IndexByte(data[at:], '\n') >= 0 || n >= longLine {
			k.lines(log, data[at:], from+int64(at), size-newBytes)
			return nil
		}
	}
}

// lines reads the complete lines in data, which begins at offset, and returns the offset of
// the next line. After the first prompt, long outputs of tools that end before newest are
// skipped.
func (k *scanner) lines(log *session.Log, data []byte, offset, newest int64) int64 {
	for {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if !ended {
			return offset
		}
		end := offset + int64(len(line)) + 1
		if log.Prompt == "" || len(line) < longOutput || end > newest || !k.format.IsOutput(line) {
			log.Line(k.format, offset, line)
		}
		offset = end
		data = rest
	}
}

// read reads n bytes, or fewer if the file was cut, into a buffer that is used again.
func read(buf *[]byte, f io.ReaderAt, from, n int64) ([]byte, error) {
	*buf = slices.Grow((*buf)[:0], int(n))[:n]
	got, err := f.ReadAt(*buf, from)
	if errors.Is(err, io.EOF) {
		err = nil // it was cut in the meantime, which the next look notices
	}
	return (*buf)[:got], err
}

// maxAgents is the largest number of subagents listed per transcript.
const maxAgents = 100

// sessions reads a transcript's own session and its subagents' sessions.
func (k *scanner) sessions(f io.ReaderAt, head []byte, size int64, known session.Facts) (list []summary, err error) {
	log, err := k.log(f, head, size, "", known)
	if err == nil && log.Records == 0 && log.Title == "" {
		return nil, nil // it has only just begun
	}
	list = append(list, summary{"", compact(log.Facts)})
	known.Title = "" // the title is that of the whole session
	for _, agent := range log.Agents[:min(len(log.Agents), maxAgents)] {
		sub, failed := k.log(f, head, size, agent, known)
		list, err = append(list, summary{agent, compact(sub.Facts)}), errors.Join(err, failed)
	}
	return list, err
}

// items sets the sessions in a file, and reports whether that was possible: a transcript that
// belongs in a checkout must have at least one.
func (k *scanner) items(now *file, is *found) bool {
	checkout := k.checkoutOf(is.Folders)
	if checkout == "" || len(is.Sessions) == 0 {
		return checkout == ""
	}
	first := &is.Sessions[0].Facts
	if checkout = k.scope.checkoutAt(cmp.Or(k.checkout(first.Folder), checkout), max(first.Updated, now.Millis())); checkout == "" {
		return true
	}
	var err error
	if is.Fault != "" {
		err = fmt.Errorf("read %q: %s", k.real(now.Path), is.Fault)
	}
	own := k.item(now, first, checkout, err)
	now.items = append(now.items, own)
	for i := range is.Sessions[1:] {
		sub := &is.Sessions[1+i]
		it := k.item(now, &sub.Facts, checkout, err)
		it.Name, it.Agent, it.ID, it.Parent = own.Name+"."+sub.Agent, sub.Agent, sub.Agent, own.ID
		now.items = append(now.items, it)
	}
	return true
}

func (k *scanner) item(now *file, facts *session.Facts, checkout string, err error) *Item {
	it := &Item{
		Format: k.format, Name: k.format.Place.Name(now.Path), File: k.real(now.Path), Size: now.Size,
		Checkout: checkout, Facts: *facts, Err: err, Stamp: now.Stamp,
	}
	if it.Branch == noBranch {
		it.Branch = ""
	}
	if it.Updated == 0 {
		it.Updated = now.Millis()
	}
	return it
}

// noBranch is the branch that programs find if they read HEAD themselves and the refs are in a
// reftable.
const noBranch = ".invalid"

// maxFact is the largest length in bytes of each fact in a list.
const maxFact = 512

// compact masks secrets, then cuts texts that others may have made long.
func compact(f session.Facts) session.Facts {
	f.Mask()
	for _, s := range []*string{&f.ID, &f.Title, &f.Prompt, &f.Folder, &f.Branch, &f.Model, &f.Version, &f.Parent, &f.Name, &f.Alias, &f.For, &f.Last} {
		*s = excerpt.Head(*s, maxFact)
	}
	f.Agents = nil
	return f
}

// open opens a session's transcript, and returns its length as lines.
func (it *Item) open() (*lines, int64, error) {
	root, err := disk.OpenRoot(filepath.Dir(it.File))
	if err != nil {
		return nil, 0, ErrNotFound
	}
	defer root.Close()
	in := tree.In(root)
	f, info, err := in.File(filepath.Base(it.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	text := asLines(it.Format, f, info.Size)
	size, err := text.size()
	if err != nil {
		text.Close()
		return nil, 0, err
	}
	return text, size, nil
}
