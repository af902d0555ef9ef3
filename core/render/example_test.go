package render_test

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/core/render"
)

func ExampleText() {
	fmt.Println(render.Text("invoice\u202efdp.exe\x1b[2J"))
	// Output: invoice⟨U+202E⟩fdp.exe⟨U+001B⟩[2J
}

func ExampleLine() {
	line, cut := render.Line("Subject:\n\n\tthe build is green again", 20)
	fmt.Println(line, cut)
	// Output: Subject: the build… true
}
