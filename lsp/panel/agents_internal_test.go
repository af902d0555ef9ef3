package panel

import (
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store/session"
)

type recording struct {
	View
	client, id string
}

func (r recording) Waits(client, id string) (string, int64, bool) {
	return "permission for shell", 7, client == r.client && id == r.id
}

// TestRecorded holds that a record which ends in a wait makes a working session waiting,
// and that an idle or ended one stays what its hooks told.
func TestRecorded(t *testing.T) {
	told := &session.Snapshot{Sessions: []session.Session{
		{Client: "copilot", ID: "a", State: session.Working, Since: 3},
		{Client: "copilot", ID: "b", State: session.Working, Since: 3},
		{Client: "claude", ID: "a", State: session.Working, Since: 3},
	}}
	now := recorded(told, []view{{View: recording{client: "copilot", id: "a"}}})
	if s := now.Sessions[0]; s.State != session.Waiting || s.For != "permission for shell" || s.Since != 7 {
		t.Errorf("%+v", s)
	}
	if now.Sessions[1].State != session.Working || now.Sessions[2].State != session.Working {
		t.Errorf("%+v", now.Sessions)
	}
	if told.Sessions[0].State != session.Working {
		t.Error("what the hooks told was changed")
	}
	told.Sessions[0].State = session.Idle
	if now := recorded(told, []view{{View: recording{client: "copilot", id: "a"}}}); now != told {
		t.Errorf("%+v", now)
	}
}
