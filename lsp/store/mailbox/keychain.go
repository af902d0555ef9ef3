package mailbox

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/zalando/go-keyring"
)

// chain keeps secrets for the user, as the system's keychain does.
type chain interface {
	// get gives a secret. The error is [fs.ErrNotExist] if there is none.
	get(name string) (string, error)
	set(name, secret string) error
	remove(name string) error
}

// systemChain is the keychain of the system: the Keychain of macOS, the Credential
// Manager of Windows, the Secret Service elsewhere.
type systemChain struct{}

// chainService is under what the system lists our secrets.
const chainService = "signalbox amp/0.1"

func (systemChain) get(name string) (string, error) {
	secret, err := keyring.Get(chainService, name)
	return secret, chainError(err)
}

func (systemChain) set(name, secret string) error {
	return chainError(keyring.Set(chainService, name, secret))
}

func (systemChain) remove(name string) error { return chainError(keyring.Delete(chainService, name)) }

func chainError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return fmt.Errorf("the system's keychain has no such key: %w", fs.ErrNotExist)
	}
	return fmt.Errorf("the system's keychain cannot be used: %w", err)
}
