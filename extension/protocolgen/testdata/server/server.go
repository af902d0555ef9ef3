// Package server is the test's server.
package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/extension/protocolgen/testdata/model"
)

// Shown is an alias, whose name is the one that is written.
type Shown = model.State

type answer struct {
	States []Shown `json:"states"`
}

// Panel answers.
type Panel interface {
	Page(ctx context.Context, p model.Params) (model.Page, error)
	states
}

type states interface {
	States(ctx context.Context, p struct{}) (answer, error)
}

type session struct{}

func (s *session) refs(context.Context, model.Params) ([]model.Ref, error) { return nil, nil }

func (s *session) register() map[string]any {
	return map[string]any{
		"initialize": s.register,
		"page/get":   requiring("cursor", ask(s, nil, Panel.Page)),
		"state/list": ask(s, nil, Panel.States),
		"ref/list":   route(s.refs),
	}
}

func ask[F any](_ *session, _, run F) F  { return run }
func route[F any](run F) F               { return run }
func requiring[F any](_ string, run F) F { return run }

type kind string

const notFound kind = "NotFound"

var kinds = struct{ NotFound kind }{notFound}

var errorCodes = map[kind]int{
	kinds.NotFound: 1001,
}
