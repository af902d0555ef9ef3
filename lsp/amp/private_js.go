package amp

import (
	"errors"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// identity would hold a private key. In a browser the files may be a stranger's, so the program
// has nothing that reads, makes or uses one.
type identity struct {
	public amp.Key
}

var errNoKeys = errors.New("mailbox: in a browser no private key is opened")

func (*Box) identity() (*identity, error) { return nil, errNoKeys }

func (*identity) sign([]byte) ([]byte, error) { return nil, errNoKeys }

func newPair() (private []byte, public amp.Key, err error) { return nil, amp.Key{}, errNoKeys }
