package door_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// The lists of one request are those that single requests give, with the groups once.
func TestInboxLists(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	whole, err := d.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.InboxLists(t.Context(), panel.InboxListsParams{Lists: []panel.ListWish{{}, {Group: "mail", Limit: 1}, {Group: "none"}}})
	if err != nil || len(got.Pages) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	all, mail, none := got.Pages[0], got.Pages[1], got.Pages[2]
	if len(all.Threads) != len(whole.Threads) || len(mail.Threads) != 1 || len(none.Threads) != 0 {
		t.Errorf("%d, %d and %d threads of %d", len(all.Threads), len(mail.Threads), len(none.Threads), len(whole.Threads))
	}
	if mail.NextCursor == "" || len(all.Groups) != len(whole.Groups) || len(mail.Groups) != 0 || mail.Unread != whole.Unread {
		t.Errorf("the second page is %+v", mail)
	}
	bare, err := d.InboxLists(t.Context(), panel.InboxListsParams{})
	if err != nil || len(bare.Pages) != 1 || len(bare.Pages[0].Threads) != 0 || len(bare.Pages[0].Groups) != len(whole.Groups) {
		t.Errorf("without lists: %+v, %v", bare, err)
	}
}
