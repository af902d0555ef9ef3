package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/spf13/cobra"
)

// version is the release, and commit the commit it was built from. Only the linker's -X
// sets them: the Makefile passes the commit, and for a release the version. See [built].
var (
	version = "0.1.0"
	commit  string
)

func versionCommand(o *cli.Options) *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Annotations: cli.Uses("json"),
		Example: `  signalbox version
  signalbox version --json`,
		Short: "Print the version, the commit and the formats",
		Args:  cobra.NoArgs,
		RunE:  cli.Action(func(*cobra.Command, []string) error { return printVersion(o) }),
	}
}

// printVersion prints the version for "version", --version and -v.
func printVersion(o *cli.Options) error {
	w := o.Writer()
	v, commit := built(debug.ReadBuildInfo())
	if o.JSON {
		_ = cli.Print(w, printed.Version{ // Flush returns the error
			Version: v, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Formats: formats(),
		})
		return w.Flush()
	}
	if commit != "" {
		commit = " (" + commit + ")"
	}
	fmt.Fprintf(w, "signalbox %s%s %s %s/%s\nformats: %s\n", v, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(formats(), ", "))
	return w.Flush()
}

func formats() []string {
	return []string{"SAMP v1", "SAMP v1-compact", "ATSF " + atsf.SpecVersion, agn.Version, amp.Version}
}

// pseudo matches the version that Go makes up for a commit without a tag.
const pseudo = `[-.]\d{14}-([0-9a-f]{12})(\+.*)?$`

// built returns the version and the commit of this program. The values that the linker set
// come first, then those that "go build" found in git. "go install" of a version leaves
// only the module's version in info: the commit is then the name of the tag.
func built(info *debug.BuildInfo, ok bool) (v, c string) {
	if commit != "" || !ok {
		return version, commit
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; len(revision) >= 12 {
		if settings["vcs.modified"] == "true" {
			return version, revision[:12] + "-dirty"
		}
		return version, revision[:12]
	}
	module := info.Main.Version
	if match := regexp.MustCompile(pseudo).FindStringSubmatch(module); match != nil {
		return version, match[1]
	}
	if tag, found := strings.CutPrefix(module, "v"); found {
		return tag, "tag " + module
	}
	return version, ""
}
