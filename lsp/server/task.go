package server

import "github.com/signalbox-dev/signalbox/lsp/panel"

// maxAnswer bounds the text of an answer on its way; the panel has the format's
// own limit.
const maxAnswer = 1 << 20

func checkEscalations(p panel.EscalationParams) error {
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	switch p.Severity {
	case "", "critical", "warning", "info":
	default:
		return badField("severity", "is none of critical, warning, info")
	}
	if p.Task != nil {
		if err := checkRef("task", *p.Task); err != nil {
			return err
		}
	}
	return checkText("cursor", p.Cursor)
}

func checkResponse(p panel.Response) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	switch p.Action {
	case "", "approve", "redirect", "split", "terminate":
	default:
		return badField("action", "is none of approve, redirect, split, terminate")
	}
	if len(p.Body) > maxAnswer {
		return badField("body", "has %d bytes, more than %d", len(p.Body), maxAnswer)
	}
	return nil
}

func checkToken(token string) error {
	if token == "" {
		return badField("clientToken", "is missing")
	}
	return checkText("clientToken", token)
}

func checkRespond(p panel.RespondParams) error {
	if err := checkResponse(p.Response); err != nil {
		return err
	}
	return checkToken(p.ClientToken)
}

func checkAck(p panel.AckParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	return checkToken(p.ClientToken)
}

func checkTasks(p panel.TasksParams) error {
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	return checkText("cursor", p.Cursor)
}

func checkTask(p panel.TaskParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	return checkText("before", p.Before)
}
