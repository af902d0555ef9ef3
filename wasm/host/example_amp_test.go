package host_test

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"fmt"
	"log"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// ExampleAMP signs a message and judges it as its receiver does. The private key
// stays with the caller; new ids are made of bytes that nobody can guess.
func ExampleAMP() {
	module, cache := suite.Module, suite.CacheDir // the file signalbox.wasm, and a private directory
	const now = 1795348800000

	ctx := context.Background()
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) // a real one is random
	public, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		log.Fatal(err)
	}
	draft := client.MailDraft{
		ID: "msg_1795348800_0123456789abcdef", IdempotencyKey: "idk_550e8400-e29b-41d4-a716-446655440000",
		From: "alice@acme.crabmail.ai", To: "bob@acme.crabmail.ai", Subject: "Builds", Type: "notification", Text: "The build is green.", Millis: now,
	}
	letter, err := m.AMP().Compose(ctx, draft)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(letter.Signed)
	message, err := m.AMP().Finish(ctx, draft, ed25519.Sign(private, []byte(letter.Signed)))
	if err != nil {
		log.Fatal(err)
	}
	trust, err := m.AMP().Judge(ctx, message, client.MailKnown{Keys: [][]byte{public}, Self: []string{"bob@acme.crabmail.ai"}, Now: now})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n", trust.State, trust.Reason)
	// Output:
	// alice@acme.crabmail.ai|bob@acme.crabmail.ai|Builds|normal||FWU0j+XnHASs+9FgP6Nez5ivCKnrcODfcvjvFFbK7o8=
	// verified: its signature fits, as stored
}
