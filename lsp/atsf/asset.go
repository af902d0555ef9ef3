package atsf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// MaxAsset is the size in bytes of the largest image that is shown.
const MaxAsset = 8 << 20

// Asset is an image of a thread. Its name, digest and first bytes have been checked.
type Asset struct {
	Name atsf.AssetName
	// Mime is image/png, image/jpeg, image/gif or image/webp, determined from the bytes.
	Mime string
	Data []byte
}

// Asset reads an image that a message names. It opens nothing outside the thread's assets
// directory, and no links.
//
// The error is an *[canon.Fault] of rule L4 if the name is invalid, the digest differs, or the
// file is too large or not a raster image, and [ErrNotFound] if it does not exist. The error's
// text can be shown in place of the image.
func (d *Dir) Asset(name, ref string) (Asset, error) {
	n, err := atsf.ParseAssetName(ref)
	if err != nil {
		return Asset{}, err
	}
	assets, err := d.openAssets(name)
	if err != nil {
		return Asset{}, err
	}
	defer assets.Close()
	f, info, err := openFile(assets, n.String())
	if err != nil {
		return Asset{}, err
	}
	defer f.Close()
	if info.Size() > MaxAsset {
		return Asset{}, &canon.Fault{Rule: "L4", Reason: fmt.Sprintf("%s is %d bytes long, and at most %d are shown", n, info.Size(), MaxAsset)}
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxAsset+1))
	if err != nil {
		return Asset{}, fmt.Errorf("threads: %s: %w", n, disk.Cause(err))
	}
	if err := n.Check(data); err != nil {
		return Asset{}, err
	}
	mime, ok := atsf.ImageType(data)
	if !ok {
		return Asset{}, &canon.Fault{Rule: "L4", Reason: fmt.Sprintf("%s is no PNG, JPEG, GIF or WebP image and is not shown", n)}
	}
	return Asset{Name: n, Mime: mime, Data: data}, nil
}

// openAssets opens the assets directory of a thread.
func (d *Dir) openAssets(name string) (*disk.Root, error) {
	root, err := d.thread(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return assetsOf(root)
}

func assetsOf(thread *disk.Root) (*disk.Root, error) {
	assets, err := thread.OpenFolder(atsf.AssetsName)
	if err != nil {
		return nil, fault(atsf.AssetsName, errors.Unwrap(err)) // it begins with the name
	}
	return assets, nil
}

// store adds content to assets/ unless it is already there.
func (w *writing) store(n atsf.AssetName, content []byte) error {
	if assets, err := assetsOf(w.root); err == nil {
		assets.SweepAll("")
		assets.Close()
	}
	name := atsf.AssetsName + "/" + n.String()
	whole := disk.Whole{Root: w.root}
	err := whole.Add(name, content)
	if kind, other := errors.AsType[*disk.KindError](err); other {
		return fmt.Errorf("%s is %s and is not written to (L1)", atsf.AssetsName, disk.Kind(kind.Kind))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Its writer may have been killed before it was on the disk.
	if err := whole.SyncPath(name); err != nil {
		return err
	}
	return w.checkAsset(n.String(), content)
}

// checkAsset returns an error unless an asset has this content.
func (w *writing) checkAsset(name string, content []byte) error {
	assets, err := assetsOf(w.root)
	if err != nil {
		return err
	}
	defer assets.Close()
	f, info, err := openFile(assets, name)
	if err != nil {
		return err
	}
	defer f.Close()
	there := make([]byte, len(content))
	if info.Size() != int64(len(content)) || jsonl.ReadFull(f, there, 0) != nil || !bytes.Equal(there, content) {
		return fmt.Errorf("asset %s %w with other content, and is kept (Z12)", name, ErrExists)
	}
	return nil
}
