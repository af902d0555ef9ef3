package panel

import (
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// When words a time of the protocol; see [show.When].
func When(milli int64) string { return show.When(milli) }

// when words a record's time.
func when(ts int64) string { return When(millis(ts)) }

func threadRef(dir, name string) Ref { return mail.ThreadRef(mail.SAMP, dir, name) }

func messageRef(dir string, m *store.Message) Ref {
	return mail.MessageRef(mail.SAMP, dir, m.From, m.Key)
}

// trust words how far a record can be believed. SAMP has no signatures, which
// is said of every message: whoever can write to the directory can write as
// anybody.
func trust(m *store.Message) Trust {
	const unsigned = "SAMP messages are not signed: whoever can write to the directory can write under any name. "
	from := safe(m.From)
	switch {
	case m.Suspicious && !samp.ValidAlias(m.From):
		return Trust{"warn", "may be forged", unsigned + safe(samp.ShowAlias(m.From)) + " is no alias, so that nobody has a log of that name."}
	case m.Suspicious:
		return Trust{"warn", "may be forged", unsigned + "This one stands in " + safe(m.File) + ", and " + from + "'s own log does not hold it."}
	case m.Form == samp.FormWrong:
		return Trust{"warn", "id does not match", unsigned + "The id is not the one that the content gives; the message was changed, or its writer computes ids in its own way."}
	case m.Form == samp.FormMissing:
		return Trust{"note", "no id", unsigned + "The record has no id, as records from before ids; the one shown is computed."}
	case m.Form == samp.FormASCII, m.Form == samp.FormUnnormalised:
		return Trust{"note", "id in another form", unsigned + "The id matches the content in the " + m.Form.String() + " form, which is not SAMP's."}
	case m.Filing() == samp.Copied:
		return Trust{"note", "from a sync copy", unsigned + "Only " + safe(m.File) + ", a copy that a sync tool made, holds this message so far."}
	}
	return Trust{"ok", "unsigned, id matches", unsigned + "The id matches the content (" + m.Form.String() + " form)."}
}

// marks lists what sets a message apart.
func marks(m *store.Message) []string {
	list := []string{}
	if m.Filing() == samp.Copied {
		list = append(list, "sync copy")
	}
	if m.Late {
		list = append(list, "late")
	}
	if m.Suspicious {
		list = append(list, "suspicious")
	}
	return list
}
