package ops

import (
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func atsfAsset(c *call) error {
	var name, ext, mime string
	var named bool
	if err := c.read(given(text("name", &name), &named), text("ext", &ext), text("mimeType", &mime)); err != nil {
		return err
	}
	image, _ := atsf.ImageType(c.b)
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
			err = n.Check(c.b)
		}
		wrong = asFault(err)
	}
	c.Text("name", atsf.NameAsset(c.b, ext).String())
	c.Text("imageType", image)
	c.fault("fault", wrong)
	return nil
}

func atsfAssetName(c *call) error {
	n, err := atsf.ParseAssetName(string(c.b))
	c.Text("hex", n.Hex)
	c.Text("ext", n.Ext)
	c.fault("fault", asFault(err))
	return nil
}

func atsfTakeInline(c *call) error {
	line, assets, err := atsf.TakeInline(c.b)
	if err != nil {
		return malformed(err)
	}
	c.Number("length", int64(len(line)))
	every(&c.encoder, "assets", assets, func(e *encoder, a *atsf.Asset) {
		e.Text("name", a.Name.String())
		e.Number("length", int64(len(a.Content)))
	})
	parts := [][]byte{line}
	for i := range assets {
		parts = append(parts, assets[i].Content)
	}
	return c.rest(parts...)
}

func atsfNewID(c *call) error {
	var random [16]byte
	if err := c.read(needed(digits("random", random[:]))); err != nil {
		return err
	}
	return c.plain(atsf.NewID(random))
}

func atsfValidID(c *call) error {
	c.Bool("valid", atsf.ValidID(string(c.b)))
	return nil
}

func atsfConfig(c *call) error {
	config, err := atsf.ParseConfig(c.b)
	if err != nil {
		return malformed(err)
	}
	c.agentConfig(&config)
	c.faults("secrets", atsf.Secrets(c.b))
	c.both(config.Findings)
	return nil
}
