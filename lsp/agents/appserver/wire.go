package appserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

const (
	// maxMessage is the length in bytes of the longest message that is read.
	maxMessage = 16 << 20
	// maxHead is the length in bytes of the longest answer to the upgrade request.
	maxHead = 16 << 10
	// messageLimit is how long a message may take once it has begun, in either direction.
	messageLimit = 5 * time.Second
)

// wire is the client's end of a WebSocket (RFC 6455) on a local socket, without extensions.
// One goroutine may read while others write.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	mu   sync.Mutex // guards writing
}

// Opcodes of frames.
const (
	opMore  = 0
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// newWire returns a WebSocket on a connection. If it fails, it closes the connection.
func newWire(ctx context.Context, conn net.Conn) (*wire, error) {
	w := &wire{conn: conn}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	err := w.upgrade()
	if !stop() {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

// upgrade turns the connection into a WebSocket.
func (w *wire) upgrade() error {
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails
	key := base64.StdEncoding.EncodeToString(nonce)
	if err := w.conn.SetDeadline(time.Now().Add(messageLimit)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w.conn, "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n", key)
	if err != nil {
		return err
	}
	head := &io.LimitedReader{R: w.conn, N: maxHead}
	w.in = bufio.NewReader(head)
	answer := textproto.NewReader(w.in)
	status, err := answer.ReadLine()
	var header textproto.MIMEHeader
	if err == nil {
		header, err = answer.ReadMIMEHeader()
	}
	if err != nil {
		return fmt.Errorf("it speaks no HTTP: %w", err)
	}
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	if !strings.HasPrefix(status, "HTTP/1.1 101 ") || header.Get("Sec-WebSocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]) {
		return fmt.Errorf("it is no WebSocket: %.100q", status)
	}
	head.N = 1 << 62 // from here on each message has its own limit
	return w.conn.SetDeadline(time.Time{})
}

// read returns the next message. It waits without a limit for a message to begin.
func (w *wire) read() ([]byte, error) {
	var message bytes.Buffer
	for begun := false; ; {
		if _, err := w.in.Peek(1); err != nil {
			return nil, err
		}
		if !begun {
			if err := w.conn.SetReadDeadline(time.Now().Add(messageLimit)); err != nil {
				return nil, err
			}
		}
		op, last, err := w.frame(&message)
		if err != nil {
			return nil, err
		}
		switch {
		case op == opClose:
			return nil, io.EOF
		case op == opPing, op == opPong:
			if begun {
				continue
			}
		case op == opText && !begun, op == opMore && begun:
			begun = !last
		default:
			return nil, fmt.Errorf("it sent a frame of kind %d out of turn", op)
		}
		if begun {
			continue
		}
		if err := w.conn.SetReadDeadline(time.Time{}); err != nil {
			return nil, err
		}
		if op == opText || op == opMore {
			return message.Bytes(), nil
		}
	}
}

// frame reads a frame. It adds the content of a data frame to the message and answers a ping.
func (w *wire) frame(message *bytes.Buffer) (op byte, last bool, err error) {
	var head [2]byte
	if _, err := io.ReadFull(w.in, head[:]); err != nil {
		return 0, false, err
	}
	op, last = head[0]&0x0f, head[0]&0x80 != 0
	length := uint64(head[1] & 0x7f)
	switch length {
	case 126, 127:
		var more [8]byte
		size := 2
		if length == 127 {
			size = 8
		}
		_, err = io.ReadFull(w.in, more[8-size:])
		length = binary.BigEndian.Uint64(more[:])
	}
	control := op >= opClose
	switch {
	case err != nil:
		return 0, false, err
	case head[0]&0x70 != 0 || head[1]&0x80 != 0 || control && (!last || length > 125):
		return 0, false, errors.New("it sent a frame that breaks the protocol")
	case length > uint64(maxMessage-message.Len()):
		return 0, false, fmt.Errorf("it sent a message that is longer than %d bytes", maxMessage)
	}
	to := message
	if control {
		to = new(bytes.Buffer)
	}
	// The buffer grows with the received bytes, not with the announced length.
	if _, err := io.CopyN(to, w.in, int64(length)); err != nil {
		return 0, false, err
	}
	if op == opPing {
		err = w.write(opPong, to.Bytes())
	}
	return op, last, err
}

// write sends a message in one frame.
func (w *wire) write(op byte, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	frame := []byte{0x80 | op}
	switch n := len(data); {
	case n < 126:
		frame = append(frame, 0x80|byte(n))
	case n <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	mask := make([]byte, 4)
	_, _ = rand.Read(mask) // never fails
	frame = append(frame, mask...)
	for i, b := range data {
		frame = append(frame, b^mask[i%4])
	}
	if err := w.conn.SetWriteDeadline(time.Now().Add(messageLimit)); err != nil {
		return err
	}
	_, err := w.conn.Write(frame)
	return err
}

func (w *wire) close() { w.conn.Close() }
