package panel

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// DocumentKind tells a client which open documents [Check] may know, so that it
// need not send any other. A document that fits may still be none.
type DocumentKind struct {
	// Pattern is a glob of the path, as LSP's document filters have it.
	Pattern string `json:"pattern"`
	// MaxBytes is the length in UTF-8 from which on nothing is looked at.
	MaxBytes int `json:"maxBytes"`
	// Marks, if there are any: the text holds all strings of one of them.
	Marks [][]string `json:"marks"`
	// Within, if it is not 0, is how much of the text is looked at for marks, in
	// bytes.
	Within int `json:"within,omitempty"`
}

// DocumentKinds gives all kinds.
func DocumentKinds() []DocumentKind {
	tasks := DocumentKind{Pattern: "**/*.json", MaxBytes: agn.MaxMessage, Marks: [][]string{}}
	for _, m := range taskMarks {
		tasks.Marks = append(tasks.Marks, []string{`"` + m.name + `"`, `"` + m.begins})
	}
	thread := "**/" + atsf.DirName + "/" + atsf.ThreadsName + "/*/"
	return []DocumentKind{
		{
			Pattern:  "**/" + atsf.DirName + "/{" + atsf.ConfigName + "," + atsf.ThreadsName + "/*/" + atsf.ThreadName + "}",
			MaxBytes: threads.MaxThreadFile, Marks: [][]string{},
		},
		tasks,
		{Pattern: thread + atsf.MessagesName, MaxBytes: maxLogText, Marks: [][]string{}},
		{Pattern: "**/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{logMarks}, Within: sniffBytes},
		{Pattern: "**/{" + strings.Join(messageDirs, ",") + "}/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{}},
		{Pattern: "**/" + samp.WatermarkName("*"), MaxBytes: maxMark, Marks: [][]string{}},
		{Pattern: "**/*.json", MaxBytes: maxLetter, Marks: [][]string{letterMarks}},
		{Pattern: "**/messages/{inbox,sent}/*/{msg_,msg-}*.json", MaxBytes: maxLetter, Marks: [][]string{}},
	}
}
