package markup_test

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/core/render/markup"
)

func ExampleMarkdown() {
	fmt.Print(markup.Markdown("Please [review](https://ci.test/7) or [run](command:quit) $(trash) <b>now</b>", markup.Options{}))
	// Output: Please review (<https://ci.test/7>) or run (`command:quit`) \$(trash) \<b>now\</b>
}

func ExampleHTML() {
	fmt.Print(markup.HTML("See [docs](https://good.test) and <script>", markup.Options{}))
	// Output: <p>See docs (<a href="https://good.test" rel="noreferrer noopener">https://good.test</a>) and &lt;script&gt;</p>
}

func ExampleEscape() {
	alias := "*mallory* [x](command:y)"
	fmt.Println("**" + markup.Escape(alias) + "** wrote " + markup.Code("0123456789abcdef"))
	// Output: **\*mallory\* \[x\](command:y)** wrote `0123456789abcdef`
}
