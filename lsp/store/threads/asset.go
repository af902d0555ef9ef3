package threads

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// MaxAsset is the size in bytes of the largest image that is shown.
const MaxAsset = 8 << 20

// Asset is an image of a thread: its name, digest and first bytes were checked.
type Asset struct {
	Name atsf.AssetName
	// Mime is image/png, image/jpeg, image/gif or image/webp, from the bytes.
	Mime string
	Data []byte
}

// Asset reads an image that a message names. Nothing outside the thread's
// assets directory is opened, and no link there.
//
// The error is an *[canon.Fault] of rule L4 for a name that is none, a digest
// that is another, a file that is too large or no raster image, and
// [ErrNotFound] for one that is not there. Its text can stand in the image's
// place.
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
	info, err := root.Lstat(atsf.AssetsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("threads: %s: %w", atsf.AssetsName, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("threads: %s is %s and is not read (L1)", atsf.AssetsName, disk.Kind(info.Mode()))
	}
	assets, err := root.OpenRoot(atsf.AssetsName)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return assets, nil
}
