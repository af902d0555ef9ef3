package source

import (
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
)

// TestNextTask numbers a year's tasks on from the highest (AGN E6 C17).
func TestNextTask(t *testing.T) {
	for _, c := range []struct {
		name string
		ids  []string
		want string
	}{
		{"none", nil, "T-2026-001"},
		{"in any order", []string{"T-2026-002", "T-2026-007", "T-2026-003"}, "T-2026-008"},
		{"of other years", []string{"T-2025-009", "T-2026-001", "T-2027-100"}, "T-2026-002"},
		{"beyond three digits", []string{"T-2026-999"}, "T-2026-1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &Box{in: &agnstore.Snapshot{}, now: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)}
			for _, id := range c.ids {
				b.in.Tasks = append(b.in.Tasks, &agnstore.Task{ID: id})
			}
			if got := b.NextTask(); got != c.want || !agn.ValidTaskID(got) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
