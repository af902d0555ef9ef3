package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
)

// version is the release. It is a variable for the linker's -X alone, which a
// release build sets; nothing assigns to it.
var version = "0.1.0"

func (o *options) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: action(func(*cobra.Command, []string) error {
			w := o.writer()
			commit := commit()
			if o.json {
				out := object{w: w}
				out.text("version", version).text("commit", commit).text("go", runtime.Version())
				out.text("platform", runtime.GOOS+"/"+runtime.GOARCH).end()
				return w.Flush()
			}
			fmt.Fprintf(w, "signalbox %s", version)
			if commit != "" {
				fmt.Fprintf(w, " (%s)", commit)
			}
			fmt.Fprintf(w, " %s %s/%s, SAMP v1 and v1-compact, ATSF %s, %s tasks\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, atsf.SpecVersion, agn.Version)
			return w.Flush()
		}),
	}
}

func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return ""
}
