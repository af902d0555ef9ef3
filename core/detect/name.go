package detect

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// byName recognises the names that the formats give their files. A name that many
// programs use, such as config.json, counts only in its folder.
func byName(path string) Found {
	folder, base := split(path)
	_, parent := split(folder)
	named := func(p mail.Protocol, k Kind) Found {
		return Found{Protocol: p, Kind: k, Certainty: ByName, Reason: "it is named as one, and its content does not show what it is"}
	}
	if _, ok := samp.LogStem(base); ok {
		return named(mail.SAMP, Log)
	}
	if alias, ok := strings.CutPrefix(base, samp.WatermarkName("")); ok && samp.ValidAlias(alias) {
		return named(mail.SAMP, Watermark)
	}
	switch {
	case base == atsf.ThreadName:
		return named(mail.ATSF, Thread)
	case base == atsf.MessagesName:
		return named(mail.ATSF, Messages)
	case base == atsf.ConfigName && parent == atsf.DirName:
		return named(mail.ATSF, Config)
	case base == "errors.jsonl" && (parent == "ssot" || parent == ".ssot"):
		return named(mail.AGN, Rejections)
	}
	stem, ok := strings.CutSuffix(base, ".json")
	if !ok {
		return Found{}
	}
	if _, ok := amp.ParseID(stem); ok {
		return named(mail.AMP, Message)
	}
	if agn.ValidTaskID(stem) && parent == "tasks" {
		return named(mail.AGN, Task)
	}
	if _, ok := agn.ParseID(stem); ok {
		switch parent {
		case "acks":
			return named(mail.AGN, Ack)
		case "resumes":
			return named(mail.AGN, Resume)
		}
		return named(mail.AGN, Message)
	}
	return Found{}
}

// split cuts a path before its last name.
func split(path string) (folder, base string) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return "", path
	}
	return path[:at], path[at+1:]
}
