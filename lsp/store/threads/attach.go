package threads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Attach stores an image, decoded, in a thread's assets/ (Image Assets) and
// gives the block that refers to it, for a message that is appended next.
//
// An asset of that name and content is used again; one of another content is
// kept, and the error is [ErrExists]: two contents can share the 64 bits of a
// name, and the old one's messages mean the old one (rule Z12). The error is an
// *[canon.Fault] of rule B1 for what is no PNG, JPEG, GIF or WebP, or larger
// than [MaxAsset].
func (d *Dir) Attach(ctx context.Context, name string, content []byte) (atsf.Block, error) {
	mime, ok := atsf.ImageType(content)
	if !ok {
		return atsf.Block{}, fmt.Errorf("threads: attach to %q: %w", name, &canon.Fault{Rule: "B1", Field: "assetRef", Reason: "the file is no PNG, JPEG, GIF or WebP image"})
	}
	if len(content) > MaxAsset {
		return atsf.Block{}, fmt.Errorf("threads: attach to %q: %w", name, &canon.Fault{Rule: "B1", Field: "assetRef", Reason: fmt.Sprintf("the image is %d bytes long, and at most %d are shown", len(content), MaxAsset)})
	}
	w, err := d.write(ctx, name)
	if err != nil {
		return atsf.Block{}, err
	}
	defer w.end()
	if bad, ok := errors.AsType[*canon.Fault](w.writable()); ok && (bad.Rule == "V1" || bad.Rule == "V2") {
		return atsf.Block{}, fmt.Errorf("threads: attach to %q: %w", name, bad)
	}
	asset := atsf.NameAsset(content, atsf.ExtOf(mime))
	err = w.store(asset, content)
	if err == nil {
		err = w.stands()
	}
	if err != nil {
		return atsf.Block{}, fmt.Errorf("threads: attach to %q: %w", name, trimmed(err))
	}
	return atsf.Block{Type: atsf.TypeImage, Known: true, AssetRef: asset.String(), MimeType: mime}, nil
}

// assetTemp is an asset before it gets its name. Under the lock one is enough.
const assetTemp = ".asset.signalbox"

// store puts content into assets/ unless it is there.
func (w *writing) store(n atsf.AssetName, content []byte) error {
	if err := w.root.Mkdir(atsf.AssetsName, w.root.DirMode()); err != nil && !errors.Is(err, fs.ErrExist) {
		return disk.Cause(err)
	}
	info, err := w.root.Lstat(atsf.AssetsName)
	if err != nil {
		return disk.Cause(err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is %s and is not written to (L1)", atsf.AssetsName, disk.Kind(info.Mode()))
	}
	assets, err := w.root.OpenRoot(atsf.AssetsName)
	if err != nil {
		return disk.Cause(err)
	}
	defer assets.Close()
	// What a writer left behind that was killed.
	if err := assets.Remove(assetTemp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", assetTemp, disk.Cause(err))
	}
	made, err := publish(assets, assetTemp, n.String(), content, assets.FileMode())
	if err != nil {
		return err
	}
	// The folder is new with the first of them; and whoever wrote one that is there
	// may have been killed before it was on the disk.
	for _, root := range []*disk.Root{assets, w.root} {
		if err := root.Sync(); err != nil {
			return disk.Cause(err)
		}
	}
	if made {
		return nil
	}
	return sameAsset(assets, n.String(), content)
}

// sameAsset holds that a file is an asset of the content.
func sameAsset(assets *disk.Root, name string, content []byte) error {
	f, info, err := openFile(assets, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if info.Size() == int64(len(content)) {
		there := make([]byte, len(content))
		if err := readFull(f, there, 0); err != nil {
			return err
		}
		if bytes.Equal(there, content) {
			return nil
		}
	}
	return fmt.Errorf("asset %s %w with other content, and is kept (Z12)", name, ErrExists)
}
