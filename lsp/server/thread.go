package server

import "github.com/signalbox-dev/signalbox/lsp/panel"

func checkThread(p panel.ThreadParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if p.Before != "" && p.After != "" {
		return badField("after", "cannot go with before")
	}
	if err := checkText("before", p.Before+p.After); err != nil {
		return err
	}
	return checkLimit(p.Limit)
}

func checkDiff(p panel.DiffParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if p.Tool < 0 {
		return badField("tool", "%d is negative", p.Tool)
	}
	return nil
}

func checkAsset(p panel.AssetParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	return checkText("asset", p.Asset)
}
