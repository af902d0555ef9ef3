package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/spf13/cobra"
)

// version is the release. Only the linker's -X sets it, in a release build.
var version = "0.1.0"

func versionCommand(o *cli.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: cli.Action(func(*cobra.Command, []string) error {
			w := o.Writer()
			commit := commit()
			if o.JSON {
				out := cli.NewObject(w)
				out.Text("version", version).Text("commit", commit).Text("go", runtime.Version())
				out.Text("platform", runtime.GOOS+"/"+runtime.GOARCH).End()
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
