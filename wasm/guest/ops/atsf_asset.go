package ops

import (
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func atsfAsset(dst, a, b []byte) ([]byte, error) {
	var name, ext, mime string
	var named bool
	if err := read(a, given(text("name", &name), &named), text("ext", &ext), text("mimeType", &mime)); err != nil {
		return nil, err
	}
	image, _ := atsf.ImageType(b)
	switch {
	case ext != "":
	case mime != "":
		ext = atsf.ExtOf(mime)
	default:
		ext = atsf.ExtOf(image)
	}
	var wrong *canon.Fault
	if named {
		n, err := atsf.ParseAssetName(name)
		if err == nil {
			err = n.Check(b)
		}
		wrong = asFault(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.text("name", atsf.NameAsset(b, ext).String())
	e.text("imageType", image)
	e.fault("fault", wrong)
	e.close('}')
	return e.buf, nil
}

func atsfAssetName(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	n, err := atsf.ParseAssetName(string(b))
	e := encoder{buf: dst}
	e.open('{')
	e.text("hex", n.Hex)
	e.text("ext", n.Ext)
	e.fault("fault", asFault(err))
	e.close('}')
	return e.buf, nil
}

func atsfTakeInline(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	line, assets, err := atsf.TakeInline(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.number("length", int64(len(line)))
	e.key("assets")
	e.open('[')
	for i := range assets {
		e.item()
		e.open('{')
		e.text("name", assets[i].Name.String())
		e.number("length", int64(len(assets[i].Content)))
		e.close('}')
	}
	e.close(']')
	e.close('}')
	out := append(append(e.buf, '\n'), line...)
	for i := range assets {
		out = append(out, assets[i].Content...)
	}
	return out, nil
}

func atsfNewID(dst, a, b []byte) ([]byte, error) {
	var random [16]byte
	if err := read(a, needed(digits("random", random[:]))); err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	return append(dst, atsf.NewID(random)...), nil
}

func atsfValidID(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", atsf.ValidID(string(b)))
	e.close('}')
	return e.buf, nil
}
