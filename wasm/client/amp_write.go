package client

import (
	"context"
	"encoding/hex"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// draftParams is a draft as the module takes it.
type draftParams struct {
	MailDraft
	Attachments []fileParams `json:"attachments"`
}

type fileParams struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	ContentType string `json:"contentType"`
	Size        int64  `json:"size"`
	Digest      string `json:"digest"`
	URL         string `json:"url"`
	ScanStatus  string `json:"scanStatus"`
	Uploaded    string `json:"uploaded"`
	Expires     string `json:"expires"`
}

func (d MailDraft) params() draftParams {
	p := draftParams{MailDraft: d}
	for _, a := range d.Attachments {
		p.Attachments = append(p.Attachments, fileParams{a.ID, a.Filename, a.ContentType, a.Size, a.Digest, a.URL, a.ScanStatus, a.Uploaded.Text, a.Expires.Text})
	}
	return p
}

// Compose puts a message together, without its signature. It refuses what
// [AMP.Message] would find fault with, or note.
func (t AMP) Compose(ctx context.Context, d MailDraft) (MailLetter, error) {
	var l MailLetter
	return l, t.decode(ctx, &l, abi.AMPCompose, d.params(), nil)
}

// Finish writes the message of a draft with the bytes of its signature. Whether
// that fits is for [AMP.Verify] to say.
func (t AMP) Finish(ctx context.Context, d MailDraft, signature []byte) ([]byte, error) {
	return t.bytes(ctx, abi.AMPFinish, d.params(), signature)
}

// Reply begins an answer to a message.
func (t AMP) Reply(ctx context.Context, message []byte) (MailReply, error) {
	var r MailReply
	return r, t.decode(ctx, &r, abi.AMPReply, struct{}{}, message)
}

// Receive adds what a mailbox keeps of a new message: when it came, in Unix
// milliseconds, and how.
func (t AMP) Receive(ctx context.Context, message []byte, at int64, method string) ([]byte, error) {
	return t.bytes(ctx, abi.AMPReceive, struct {
		At     int64  `json:"at"`
		Method string `json:"method"`
	}{at, method}, message)
}

// SetStatus gives a stored message the state unread, read or archived. at is when
// it was read, in Unix milliseconds, or 0.
func (t AMP) SetStatus(ctx context.Context, message []byte, status string, at int64) ([]byte, error) {
	return t.bytes(ctx, abi.AMPSetStatus, struct {
		Status string `json:"status"`
		At     int64  `json:"at"`
	}{status, at}, message)
}

// NewMailID makes a message's id of a time in Unix milliseconds and random bytes
// that nobody can guess.
func (t AMP) NewMailID(ctx context.Context, millis int64, random [8]byte) (string, error) {
	return t.newID(ctx, abi.AMPNewID, millis, random)
}

// NewAttachmentID makes an attachment's id in the same way.
func (t AMP) NewAttachmentID(ctx context.Context, millis int64, random [8]byte) (string, error) {
	return t.newID(ctx, abi.AMPNewAttachmentID, millis, random)
}

func (t AMP) newID(ctx context.Context, op abi.Op, millis int64, random [8]byte) (string, error) {
	id, err := t.bytes(ctx, op, struct {
		Millis int64  `json:"millis"`
		Random string `json:"random"`
	}{millis, hex.EncodeToString(random[:])}, nil)
	return string(id), err
}

// NewIdempotencyKey makes an idempotency key of random bytes.
func (t AMP) NewIdempotencyKey(ctx context.Context, random [16]byte) (string, error) {
	key, err := t.bytes(ctx, abi.AMPNewIdempotencyKey, struct {
		Random string `json:"random"`
	}{hex.EncodeToString(random[:])}, nil)
	return string(key), err
}
