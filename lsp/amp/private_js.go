package amp

import (
	"errors"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// identity holds no private key here. In a browser the files may be a stranger's, so the
// program cannot read, make or use one.
type identity struct {
	public amp.Key
}

var errNoKeys = errors.New("mailbox: in a browser no private key is opened")

func (*Box) identity() (*identity, error) { return nil, errNoKeys }

func (*identity) sign([]byte) ([]byte, error) { return nil, errNoKeys }

func newPair() (private []byte, public amp.Key, err error) { return nil, amp.Key{}, errNoKeys }
