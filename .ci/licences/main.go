// Command licences says what licence each file is: a line for each argument, its SPDX
// identifiers joined by " AND ", or UNKNOWN where less than three quarters of the text are those
// of a licence. It has a module of its own, so that the product depends on nothing of it.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

func main() {
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		found := licensecheck.Scan(data)
		var ids []string
		for _, m := range found.Match {
			if !slices.Contains(ids, m.ID) {
				ids = append(ids, m.ID)
			}
		}
		if len(ids) == 0 || found.Percent < 75 {
			ids = []string{"UNKNOWN"}
		}
		fmt.Println(strings.Join(ids, " AND "))
	}
}
