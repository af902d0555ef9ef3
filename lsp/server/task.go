package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// maxAnswer bounds the text of an answer on its way; the panel has the format's
// own limit.
const maxAnswer = 1 << 20

// escalationList is signalbox/escalation/list.
func (s *session) escalationList(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.EscalationParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkEscalations(p); err != nil {
		return nil, err
	}
	return s.panel.Escalations(ctx, p)
}

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

// escalationPreview is signalbox/escalation/preview: it writes nothing.
func (s *session) escalationPreview(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.RespondParams](params)
	if err == nil {
		err = checkResponse(p)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.RespondPreview(ctx, p)
}

// escalationRespond is signalbox/escalation/respond.
func (s *session) escalationRespond(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.RespondParams](params)
	if err == nil {
		err = checkResponse(p)
	}
	if err == nil {
		err = checkToken(p.ClientToken)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.Respond(ctx, p)
}

func checkResponse(p panel.RespondParams) error {
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

// messageAck is signalbox/message/ack.
func (s *session) messageAck(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.AckParams](params)
	if err == nil {
		err = checkRef("ref", p.Ref)
	}
	if err == nil {
		err = checkToken(p.ClientToken)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.Ack(ctx, p)
}

// taskList is signalbox/task/list.
func (s *session) taskList(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.TasksParams](params)
	if err == nil {
		err = checkLimit(p.Limit)
	}
	if err == nil {
		err = checkText("cursor", p.Cursor)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.Tasks(ctx, p)
}

// taskGet is signalbox/task/get.
func (s *session) taskGet(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.TaskParams](params)
	if err == nil {
		err = checkRef("ref", p.Ref)
	}
	if err == nil {
		err = checkLimit(p.Limit)
	}
	if err == nil {
		err = checkText("before", p.Before)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.Task(ctx, p)
}

// issueList is signalbox/issue/list.
func (s *session) issueList(ctx context.Context, _ json.RawMessage) (any, error) {
	return s.panel.Issues(ctx)
}
