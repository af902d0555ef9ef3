package abi

func mailOps() []Shape {
	return []Shape{
		{
			Op: MailDetect, Params: `"name"?`, Input: "a file, or its first 64 KiB",
			Result: `{"protocol","kind","certainty","reason"}`,
			About:  `Says what a file is: of samp a log or watermark; of amp (amp/0.1) a message; of agn (AMP/1.0) a message, ack, resume, task or rejections; of atsf a thread, messages or config. "name" is its base name, or its path below a directory with slashes. "certainty" is "content" where the members of a value are those of the format, which may still be broken, and "name" where the name alone says so. For any other file the three are null. "reason" is a phrase.`,
		},
		{
			Op: MailLinks, Params: `"limit"?`, Input: "a text",
			Result: `{"mentions":[{"kind","offset","length","token"}],"more"}`,
			About:  `Finds all that may name a message or thread of any format, in order: ids, and names of threads. "kind" is message or thread; "offset" and "length" are those of "token" in the text, in bytes. A mention is one only if such a message or thread is known: 16 hexadecimal digits may as well be a commit. "more" counts those beyond "limit" (1000 unless said otherwise, at most 100000).`,
		},
	}
}

const (
	shownInput    = "any bytes, at most 16 MiB"
	markupOptions = `"maxBytes"?,"topHeading"?`
)

func renderOps() []Shape {
	return []Shape{
		{
			Op: RenderLine, Params: `"max"?`, Input: shownInput,
			Result: `{"line","cut"}`,
			About:  `Makes a stranger's text one line that is safe to show, at most "max" characters long (any length if it is 0 or missing). What can hide something or move the cursor is shown as its number, ⟨U+202E⟩, and bytes that are no text as ⟨0xFF⟩. "cut" tells that the line was shortened and ends in "…".`,
		},
		{
			Op: RenderText, Input: shownInput,
			Result: "the text on its lines, safe to show as plain text",
			About:  `As render.line, with line ends and tabs as they are. The result may be twelve times as long. It is no HTML.`,
		},
		{
			Op: RenderMarkdown, Params: markupOptions, Input: shownInput,
			Result: "Markdown that any client may show",
			About:  `Makes a stranger's Markdown safe: no HTML, no images, only https links whose address is visible. "maxBytes" (1 MiB unless said otherwise, at most 16 MiB) bounds the result, which says so where it was cut; "topHeading", 1 to 6, is the level of its highest heading. More than 64 KiB, or what nests too deep, is shown as plain text.`,
		},
		{
			Op: RenderHTML, Params: markupOptions, Input: shownInput,
			Result: "a fragment of HTML",
			About:  `As render.markdown, for an element of a page: a short list of elements, no scripts, styles or images, and links of https alone. Closing tags may exceed "maxBytes" by 4 KiB.`,
		},
		{
			Op: RenderEscape, Input: shownInput,
			Result: "one line of Markdown",
			About:  `Gives a name or title as Markdown that shows it and nothing else.`,
		},
		{
			Op: RenderCode, Input: shownInput,
			Result: "a code span of Markdown",
			About:  `Gives an id or address as code on one line.`,
		},
		{
			Op: RenderBlock, Input: shownInput,
			Result: "a code block of Markdown",
			About:  `Gives a text of several lines as a block of code that it cannot end.`,
		},
	}
}
