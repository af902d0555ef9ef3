package panel

import (
	"context"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// OpenAttachment checks a file that came with a message and returns a private copy of
// it for the editor to show.
func (p *Panels) OpenAttachment(ctx context.Context, q AttachmentParams) (AttachmentFile, error) {
	dir, err := openedFolder(filepath.Join(p.opt.Env.StateDir(), "amp", "opened"), p.opt.Now())
	if err != nil {
		return AttachmentFile{}, &Error{Kind: StoreUnavailable, Message: "open: " + show.Line(err.Error()), Retryable: true, Err: err}
	}
	file, err := p.takeAttachment(ctx, q, func(name string) string { return filepath.Join(dir, name) })
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return file, err
}

// SaveAttachment checks a file that came with a message and writes it to the absolute
// path that the user chose. Nothing may exist at that path yet.
func (p *Panels) SaveAttachment(ctx context.Context, q SaveParams) (AttachmentFile, error) {
	if p.readOnly() {
		return AttachmentFile{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted"}
	}
	if !filepath.IsAbs(q.Path) {
		return AttachmentFile{}, &Error{Kind: Malformed, Message: "the path is not absolute", Detail: "path"}
	}
	return p.takeAttachment(ctx, q.AttachmentParams, func(string) string { return filepath.Clean(q.Path) })
}

func (p *Panels) takeAttachment(ctx context.Context, q AttachmentParams, dest func(name string) string) (AttachmentFile, error) {
	v, ok := p.viewOf(ctx, q.Ref).(Signed)
	if !ok {
		return AttachmentFile{}, &Error{Kind: Unsupported, Message: "only signed mail has attachments"}
	}
	return v.Attachment(ctx, q, dest)
}
