package client

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Render are the ops that make a stranger's text safe to show, with Go types.
// Every method is one call of the module; errors are as those of [SAMP]. A text may
// hold any bytes, at most [abi.MaxShown] of them.
type Render struct{ caller Caller }

// NewRender gives these ops of any engine.
func NewRender(c Caller) Render { return Render{caller: c} }

// Line makes a text one line of at most max characters, or of any length if max is
// 0. cut tells that it was shortened and ends in "…".
func (t Render) Line(ctx context.Context, text string, max int) (line string, cut bool, err error) {
	var r struct {
		Line string
		Cut  bool
	}
	err = decode(ctx, t.caller, &r, abi.RenderLine, struct {
		Max int `json:"max"`
	}{max}, []byte(text))
	return r.Line, r.Cut, err
}

// Text makes a text of several lines safe to show as plain text. It is no HTML.
func (t Render) Text(ctx context.Context, text string) (string, error) {
	return t.plain(ctx, abi.RenderText, struct{}{}, text)
}

// RenderOptions bound what is made of Markdown. The zero value is good.
type RenderOptions struct {
	// MaxBytes is the length of the result, or 0 for 1 MiB; HTML may exceed it by
	// its closing tags, less than 4 KiB.
	MaxBytes int `json:"maxBytes,omitempty"`
	// TopHeading is the level of the highest heading, 1 to 6, or 0 for 1.
	TopHeading int `json:"topHeading,omitempty"`
}

// Markdown makes a stranger's Markdown safe for any client.
func (t Render) Markdown(ctx context.Context, text string, o RenderOptions) (string, error) {
	return t.plain(ctx, abi.RenderMarkdown, o, text)
}

// HTML makes of a stranger's Markdown a fragment that is safe in a page.
func (t Render) HTML(ctx context.Context, text string, o RenderOptions) (string, error) {
	return t.plain(ctx, abi.RenderHTML, o, text)
}

// Escape gives a name or title as one line of Markdown that shows it and nothing
// else.
func (t Render) Escape(ctx context.Context, text string) (string, error) {
	return t.plain(ctx, abi.RenderEscape, struct{}{}, text)
}

// Code gives an id or address as a code span of Markdown, on one line.
func (t Render) Code(ctx context.Context, text string) (string, error) {
	return t.plain(ctx, abi.RenderCode, struct{}{}, text)
}

// Block gives a text as a code block of Markdown that it cannot end.
func (t Render) Block(ctx context.Context, text string) (string, error) {
	return t.plain(ctx, abi.RenderBlock, struct{}{}, text)
}

func (t Render) plain(ctx context.Context, op abi.Op, params any, text string) (string, error) {
	result, err := exchange(ctx, t.caller, op, params, []byte(text))
	return string(result), err
}

// decode runs an op whose result is JSON.
func decode(ctx context.Context, caller Caller, into any, op abi.Op, params any, b []byte) error {
	result, err := exchange(ctx, caller, op, params, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}
