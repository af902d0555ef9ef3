package panel

import "fmt"

// maxClientToken is the length in bytes of the longest client token.
const maxClientToken = 128

// CheckClientToken returns an [*Error] for a token that is empty or too long to be kept.
func CheckClientToken(token string) error {
	if token == "" || len(token) > maxClientToken {
		return &Error{Kind: Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", maxClientToken)}
	}
	return nil
}
