package amp_test

import (
	"crypto/ed25519"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/amp"
)

func Example() {
	// A key of zeros, so that the example is always the same.
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	public := amp.NewKey([32]byte(private.Public().(ed25519.PublicKey)))

	const now = 1738231200000 // 2025-01-30T10:00:00Z
	letter, err := amp.Compose(amp.Draft{
		ID:             amp.NewID(now, [8]byte{1, 2, 3}),
		IdempotencyKey: amp.NewIdempotencyKey([16]byte{4, 5, 6}),
		From:           "alice@acme.crabmail.ai",
		To:             "bob@acme.crabmail.ai",
		Subject:        "Hello",
		Millis:         now,
		Type:           "notification",
		Text:           "The build is done.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(letter.Signed()))
	data, err := letter.Finish(ed25519.Sign(private, letter.Signed()))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := amp.ParseMessage(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	trust := amp.Judge(&m, amp.Known{Keys: []amp.Key{public}, Now: now})
	fmt.Println(trust.State, "-", trust.Reason)
	// Output:
	// alice@acme.crabmail.ai|bob@acme.crabmail.ai|Hello|normal||wUvUzPhBOz1yVvB4az632dvAEMiGNMpGH/MwVR6NuHY=
	// verified - its signature fits, as stored
}

func ExampleParseMessage() {
	m, _ := amp.ParseMessage([]byte(`{"envelope":{"version":"amp/0.1","id":"msg_1_../x","in_reply_to":null},"payload":{}}`))
	fmt.Println(m.Faults[0].Rule, m.Faults[0].Field, m.Faults[0].Offset)
	fmt.Println(m.Notes[0].Rule, m.Notes[0].Reason)
	// Output:
	// ENV-2 envelope.id 38
	// JSN-2 "envelope.in_reply_to" is null where it should be left out
}

func ExampleVerify() {
	data := []byte(`{"envelope":{"version":"amp/0.1"},"payload":{}}`)
	m, _ := amp.ParseMessage(data)
	_, err := amp.Verify(&m, amp.Key{})
	fmt.Println(err)
	// Output: ENV-9: the message is not signed
}
