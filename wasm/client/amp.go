package client

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// AMP are the ops of amp/0.1 with Go types. Every method is one call of the module;
// errors are as those of [SAMP]. Text of messages is a stranger's. No private key is
// handed over: what is to be signed comes back as bytes.
type AMP struct{ caller Caller }

// NewAMP gives the ops of amp/0.1 of any engine.
func NewAMP(c Caller) AMP { return AMP{caller: c} }

// Message reads a message, as it was sent or as it is stored.
func (t AMP) Message(ctx context.Context, message []byte) (Mail, error) {
	var m Mail
	err := t.decode(ctx, &m, abi.AMPMessage, struct{}{}, message)
	m.Payload.Context = present(m.Payload.Context)
	return m, err
}

// PayloadBytes gives a payload, the object alone, as it is hashed.
func (t AMP) PayloadBytes(ctx context.Context, payload []byte) ([]byte, error) {
	return t.bytes(ctx, abi.AMPPayloadBytes, struct{}{}, payload)
}

// PayloadHash is the base64 form of the digest of these bytes.
func (t AMP) PayloadHash(ctx context.Context, payload []byte) (string, error) {
	hash, err := t.bytes(ctx, abi.AMPPayloadHash, struct{}{}, payload)
	return string(hash), err
}

// Signed gives the bytes that a message's signature must fit, with the payload as
// it is stored.
func (t AMP) Signed(ctx context.Context, message []byte) ([]byte, error) {
	return t.bytes(ctx, abi.AMPSigned, struct{}{}, message)
}

// Verify holds a message against a public key in PEM or DER. That the signature
// does not fit is no error.
func (t AMP) Verify(ctx context.Context, message, key []byte) (MailVerdict, error) {
	var v MailVerdict
	var b bytes.Buffer
	return v, t.decode(ctx, &v, abi.AMPVerify, struct {
		MessageLength int `json:"messageLength"`
	}{put(&b, [][]byte{message, key})[0]}, b.Bytes())
}

// Judge says in one word how far a message can be trusted.
func (t AMP) Judge(ctx context.Context, message []byte, k MailKnown) (MailTrust, error) {
	var r MailTrust
	var b bytes.Buffer
	b.Write(message)
	return r, t.decode(ctx, &r, abi.AMPJudge, struct {
		Now           int64           `json:"now"`
		MessageLength int             `json:"messageLength"`
		Keys          []int           `json:"keys"`
		Pin           string          `json:"pin"`
		Self          []string        `json:"self"`
		Earlier       []MailSignature `json:"earlier"`
	}{k.Now, len(message), put(&b, k.Keys), k.Pin, k.Self, k.Earlier}, b.Bytes())
}

// Threads groups messages by what they reply to: a place for each, in their order.
func (t AMP) Threads(ctx context.Context, links []MailLink) ([]MailPlace, error) {
	var r struct{ Places []MailPlace }
	if links == nil {
		links = []MailLink{}
	}
	err := t.decode(ctx, &r, abi.AMPThreads, struct {
		Links []MailLink `json:"links"`
	}{links}, nil)
	return r.Places, err
}

// Flags lists categories of suspicious words in a text: a hint for a person.
func (t AMP) Flags(ctx context.Context, text string) ([]string, error) {
	var r struct{ Flags []string }
	err := t.decode(ctx, &r, abi.AMPFlags, struct{}{}, []byte(text))
	return r.Flags, err
}

// Unwrap gives the texts that could stand in a trust wrapper, or none.
func (t AMP) Unwrap(ctx context.Context, text string) ([]string, error) {
	var r struct{ Texts []string }
	err := t.decode(ctx, &r, abi.AMPUnwrap, struct{}{}, []byte(text))
	return r.Texts, err
}

// Filename says what may become of a file's name.
func (t AMP) Filename(ctx context.Context, name string) (MailFilename, error) {
	var r MailFilename
	return r, t.decode(ctx, &r, abi.AMPFilename, struct{}{}, []byte(name))
}

// Digest gives content the form of an attachment's digest.
func (t AMP) Digest(ctx context.Context, content []byte) (string, error) {
	digest, err := t.bytes(ctx, abi.AMPDigest, struct{}{}, content)
	return string(digest), err
}

// CheckAttachment holds content against what a message says of it. The fault is nil
// if it fits; else the content must not be opened.
func (t AMP) CheckAttachment(ctx context.Context, a MailAttachment, content []byte) (*Fault, error) {
	var r struct{ Fault *Fault }
	err := t.decode(ctx, &r, abi.AMPCheckAttachment, struct {
		Size   int64  `json:"size"`
		Digest string `json:"digest"`
	}{a.Size, a.Digest}, content)
	return r.Fault, err
}

// Key reads a public key in PEM or DER.
func (t AMP) Key(ctx context.Context, key []byte) (MailKey, error) {
	var k MailKey
	return k, t.decode(ctx, &k, abi.AMPKey, struct{}{}, key)
}

// ID takes a message's id apart.
func (t AMP) ID(ctx context.Context, id string) (MailID, error) {
	var r MailID
	return r, t.decode(ctx, &r, abi.AMPID, struct{}{}, []byte(id))
}

// AttachmentID takes an attachment's id apart.
func (t AMP) AttachmentID(ctx context.Context, id string) (MailID, error) {
	var r MailID
	return r, t.decode(ctx, &r, abi.AMPAttachmentID, struct{}{}, []byte(id))
}

// Address takes a full address apart.
func (t AMP) Address(ctx context.Context, address string) (MailAddress, error) {
	var r MailAddress
	return r, t.decode(ctx, &r, abi.AMPAddress, struct{}{}, []byte(address))
}

func (t AMP) bytes(ctx context.Context, op abi.Op, params any, b []byte) ([]byte, error) {
	if err := checkTexts(op, reflect.ValueOf(params)); err != nil {
		return nil, err
	}
	return exchange(ctx, t.caller, op, params, b)
}

func (t AMP) decode(ctx context.Context, into any, op abi.Op, params any, b []byte) error {
	result, err := t.bytes(ctx, op, params, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}
