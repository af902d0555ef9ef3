package store

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Aliases lists who takes part in a directory, sorted: the aliases that have a log
// or have read mail. Sync tools' copies are left out.
func (d *Dir) Aliases() ([]string, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range names {
		alias, ok := samp.LogStem(name)
		if !ok {
			alias, ok = strings.CutPrefix(name, samp.WatermarkName(""))
		}
		if _, copied := copyOf(alias); ok && !copied && samp.ValidAlias(alias) {
			list = append(list, alias)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
