package hooks

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// Appender is the part of threads.Dir that Record needs.
type Appender interface {
	Append(ctx context.Context, name string, m atsf.Message) error
}

// Record writes the plan's prompt as the first user message of a thread (rule
// H5). Who runs the agent finds it there; Signalbox runs none. id is the
// message's, now in Unix milliseconds. A plan without a prompt records nothing.
func (p *Plan) Record(ctx context.Context, to Appender, thread, id string, now int64) error {
	if p.Prompt == "" {
		return nil
	}
	m := atsf.Message{
		ID: id, Role: atsf.RoleUser, Time: atsf.At(now),
		Content: []atsf.Block{{Type: atsf.TypeText, Known: true, Text: p.Prompt}},
	}
	if err := to.Append(ctx, thread, m); err != nil {
		return fmt.Errorf("hooks: record the prompt: %w", err)
	}
	return nil
}
