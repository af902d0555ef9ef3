package check

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// maxAnswer limits the text of an answer on its way, in bytes. The panel has the
// format's own limit.
const maxAnswer = 1 << 20

// Escalations checks the params of signalbox/escalation/list.
func Escalations(p panel.EscalationParams) error {
	if err := limit(p.Limit); err != nil {
		return err
	}
	if !slices.Contains([]panel.EscalationSeverity{"", "critical", "warning", "info"}, p.Severity) {
		return codec.BadField("severity", "is none of critical, warning, info")
	}
	if p.Task != nil {
		if err := Ref("task", *p.Task); err != nil {
			return err
		}
	}
	return Text("cursor", p.Cursor)
}

// Response checks the params of signalbox/escalation/preview.
func Response(p panel.Response) error {
	if err := Ref("ref", p.Ref); err != nil {
		return err
	}
	if !slices.Contains([]panel.Action{"", "approve", "redirect", "split", "terminate"}, p.Action) {
		return codec.BadField("action", "is none of approve, redirect, split, terminate")
	}
	if len(p.Body) > maxAnswer {
		return codec.BadField("body", "has %d bytes, more than %d", len(p.Body), maxAnswer)
	}
	return nil
}

// Respond checks the params of signalbox/escalation/respond.
func Respond(p panel.RespondParams) error {
	return first(Response(p.Response), given("clientToken", p.ClientToken))
}

// Ack checks the params of signalbox/message/ack.
func Ack(p panel.AckParams) error {
	return first(Ref("ref", p.Ref), given("clientToken", p.ClientToken))
}

// Tasks checks the params of signalbox/task/list.
func Tasks(p panel.TasksParams) error { return first(limit(p.Limit), Text("cursor", p.Cursor)) }

// Task checks the params of signalbox/task/get.
func Task(p panel.TaskParams) error {
	return first(Ref("ref", p.Ref), limit(p.Limit), Text("before", p.Before))
}
