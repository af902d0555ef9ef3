package amp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// attach reads the files of a letter and returns the attachments that describe them in the
// message (rules ATT-1, ATT-3 and ATT-9).
func attach(ctx context.Context, paths []string, st Stamp, expires int64) ([]amp.Attachment, error) {
	if len(paths) > amp.MaxAttachments {
		return nil, &canon.Fault{Rule: "ATT-9", Field: "payload.attachments", Reason: fmt.Sprintf("there are %d files, and %d are the limit", len(paths), amp.MaxAttachments)}
	}
	var total int64
	var list []amp.Attachment
	for i, path := range paths {
		a, err := describe(ctx, path)
		if err != nil {
			return nil, err
		}
		if total += a.Size; total > amp.MaxAttachmentsTotal {
			return nil, &canon.Fault{Rule: "ATT-9", Field: "payload.attachments", Reason: fmt.Sprintf("the files have more than %d bytes together", amp.MaxAttachmentsTotal)}
		}
		// Attachments live for at least 7 days (rule ATT-8), and as long as a message that
		// expires later.
		a.ID, a.ScanStatus = st.attachment(i), amp.Unscanned
		a.Uploaded, a.Expires = amp.At(st.millis), amp.At(max(expires, st.millis+amp.MinTTL))
		a.URL = amp.LocalURL(a.ID, a.Filename)
		list = append(list, a)
	}
	return list, nil
}

func tooLarge(path string, size int64) error {
	return &FileError{path, "ATT-9", fmt.Errorf("it has %d bytes, and %d are the limit", size, amp.MaxAttachment)}
}

func describe(ctx context.Context, path string) (a amp.Attachment, err error) {
	if a.Filename, err = amp.CleanFilename(filepath.Base(path)); err != nil {
		rule := ""
		if bad, ok := errors.AsType[*canon.Fault](err); ok {
			rule = bad.Rule
		}
		return a, &FileError{path, rule, err}
	}
	f, err := openFile(path)
	if err != nil {
		return a, err
	}
	defer f.Close()
	sum, from := sha256.New(), bufio.NewReaderSize(f, 64<<10)
	head, _ := from.Peek(512)
	a.ContentType = contentType(a.Filename, head)
	a.Size, err = copyFile(ctx, sum, from, amp.MaxAttachment)
	if err != nil {
		return a, &FileError{Path: path, Err: disk.Cause(err)}
	}
	if a.Size > amp.MaxAttachment {
		return a, tooLarge(path, a.Size)
	}
	a.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// openFile opens a file that the user named, which may be a link. It never blocks.
func openFile(path string) (*os.File, error) {
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil, &FileError{Path: path, Err: disk.Cause(err)}
	}
	if info, err := f.Stat(); err == nil && info.Size() > amp.MaxAttachment {
		return nil, errors.Join(tooLarge(path, info.Size()), f.Close())
	}
	return f, nil
}

// copyFile copies at most limit+1 bytes. It stops when the context ends.
func copyFile(ctx context.Context, to io.Writer, from io.Reader, limit int64) (int64, error) {
	return io.Copy(to, io.LimitReader(contextReader{ctx, from}, limit+1))
}

type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// contentType returns the type of a file, by its name or, if that is unknown, by its first
// bytes. It does not use the system's tables, which differ between machines: the type is signed.
func contentType(name string, head []byte) string {
	dot := strings.LastIndexByte(name, '.')
	if t := typesOfNames[strings.ToLower(name[dot+1:])]; dot >= 0 && t != "" {
		return t
	}
	for _, c := range []struct{ magic, is string }{
		{"\x89PNG\r\n\x1a\n", "image/png"},
		{"\xff\xd8\xff", "image/jpeg"},
		{"GIF8", "image/gif"},
		{"%PDF-", "application/pdf"},
		{"PK\x03\x04", "application/zip"},
		{"\x1f\x8b\x08", "application/gzip"},
	} {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			return c.is
		}
	}
	if plainText(head) {
		return "text/plain"
	}
	return "application/octet-stream"
}

// typesOfNames maps the extensions of files to types that the content does not show. Source
// code of other languages is plain text.
var typesOfNames = map[string]string{
	"css":      "text/css",
	"csv":      "text/csv",
	"docx":     "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"htm":      "text/html",
	"html":     "text/html",
	"js":       "text/javascript",
	"json":     "application/json",
	"markdown": "text/markdown",
	"md":       "text/markdown",
	"mjs":      "text/javascript",
	"mp3":      "audio/mpeg",
	"mp4":      "video/mp4",
	"svg":      "image/svg+xml",
	"tar":      "application/x-tar",
	"toml":     "application/toml",
	"wasm":     "application/wasm",
	"webp":     "image/webp",
	"xlsx":     "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"xml":      "application/xml",
	"yaml":     "application/yaml",
	"yml":      "application/yaml",
}

// plainText reports whether text is UTF-8 without control characters other than white space and
// ESC. Its last character may be cut off.
func plainText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(head)
		}
		if r < 0x20 && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1b || r == 0x7f {
			return false
		}
		head = head[n:]
	}
	return true
}
