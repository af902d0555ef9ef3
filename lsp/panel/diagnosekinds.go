package panel

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// DocumentKind tells a client which open documents [Diagnose] may know, so that it
// need not send any other. A document that fits may still be none.
type DocumentKind struct {
	// Pattern is a glob of the path, as LSP's document filters have it.
	Pattern string `json:"pattern"`
	// MaxBytes is the length in UTF-8 from which on nothing is looked at.
	MaxBytes int `json:"maxBytes"`
	// Marks, if there are any: all strings of one of them stand in the text.
	Marks [][]string `json:"marks"`
}

// DocumentKinds gives all kinds.
func DocumentKinds() []DocumentKind {
	tasks := DocumentKind{Pattern: "**/*.json", MaxBytes: agn.MaxMessage, Marks: [][]string{}}
	for _, m := range taskMarks {
		tasks.Marks = append(tasks.Marks, []string{`"` + m.name + `"`, `"` + m.begins})
	}
	return []DocumentKind{
		{
			Pattern:  "**/" + atsf.DirName + "/{" + atsf.ConfigName + "," + atsf.ThreadsName + "/*/" + atsf.ThreadName + "}",
			MaxBytes: threads.MaxThreadFile, Marks: [][]string{},
		},
		tasks,
	}
}
