package panel

import (
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// docKind is what [Check] takes a document for.
type docKind uint8

const (
	kindOther  docKind = iota
	kindAgent          // config.json and thread.json of ATSF
	kindTurns          // messages.jsonl of ATSF
	kindLog            // a log of SAMP
	kindMark           // a reader's .seen file
	kindLetter         // signed mail
)

// logMarks are what stands in every log of SAMP, within its first bytes: others
// call files log-….jsonl too.
var logMarks = []string{`"from"`, `"thread"`, `"body"`}

// sniffBytes is how much of a log is looked at for its marks.
const sniffBytes = 64 << 10

// letterMarks are what stands in every message of amp/0.1, wherever it lies.
var letterMarks = []string{`"envelope"`, `"payload"`, `"amp/`}

// messageDirs are the names of the default message directories. A log in one is
// known whatever it holds.
var messageDirs = []string{".message", "agent-message"}

// kindOf tells the kind by the path, by whether the log lies in a directory that is
// open, and by what stands in the text.
func kindOf(doc *Document, around *Around) docKind {
	dir, name := path.Split(doc.File)
	dir = strings.TrimSuffix(dir, "/")
	switch {
	case agentFile(doc.File):
		return kindAgent
	case name == atsf.MessagesName && inThread(dir):
		return kindTurns
	case strings.HasPrefix(name, samp.WatermarkName("")) && samp.ValidAlias(name[len(samp.WatermarkName("")):]):
		return kindMark
	}
	if _, ok := samp.LogStem(name); ok && (inMessages(dir) || around.Logs != nil && around.Logs(doc.Path) != nil || holds(doc.Text[:min(len(doc.Text), sniffBytes)], logMarks)) {
		return kindLog
	}
	if jsonFile(doc) && len(doc.Text) <= maxLetter && (mailboxFile(doc.File) || isLetterText(doc.Text)) {
		return kindLetter
	}
	return kindOther
}

// maxLetter is the length in bytes of the longest text that is looked at as
// signed mail.
const maxLetter = 2 * amp.MaxStored

// inThread reports whether a folder is that of a thread of ATSF.
func inThread(dir string) bool {
	above := path.Dir(dir)
	return path.Base(above) == atsf.ThreadsName && path.Base(path.Dir(above)) == atsf.DirName
}

func inMessages(dir string) bool {
	base := path.Base(dir)
	return base == messageDirs[0] || base == messageDirs[1]
}

func holds(text string, marks []string) bool {
	for _, m := range marks {
		if !strings.Contains(text, m) {
			return false
		}
	}
	return true
}

// mailboxFile reports whether a path is that of a message in a mailbox:
// messages/inbox/<sender>/msg_….json.
func mailboxFile(file string) bool {
	name := path.Base(file)
	if !strings.HasPrefix(name, "msg_") && !strings.HasPrefix(name, "msg-") {
		return false
	}
	box := path.Dir(path.Dir(file))
	return (path.Base(box) == "inbox" || path.Base(box) == "sent") && path.Base(path.Dir(box)) == "messages"
}

// isLetterText tells by its bytes that a text is signed mail, so that one that is no
// JSON at the moment is known too: the outermost object has an envelope, and in it
// stands a version of amp.
func isLetterText(text string) bool {
	text = strings.TrimPrefix(text, byteOrderMark)
	if !holds(text, letterMarks) || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return false
	}
	depth, envelope := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 2 {
				envelope = false
			}
		case '"':
			end := i + quoted(text[i:])
			switch name := text[i:end]; {
			case depth == 1 && name == `"envelope"`:
				envelope = isName(text[end:], "{")
			case depth == 2 && envelope && name == `"version"` && isName(text[end:], `"amp/`):
				return true
			}
			i = end - 1
		}
	}
	return false
}

// isName reports whether a colon follows, and a value that begins so.
func isName(rest, value string) bool {
	const space = " \t\r\n"
	rest, ok := strings.CutPrefix(strings.TrimLeft(rest, space), ":")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, space), value)
}
