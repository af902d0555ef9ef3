package abi

func mailOps() []Spec {
	return []Spec{
		{
			Op: 500, Name: "mail.detect", Args: "name?: text, *data: bytes", Input: "a file, or its first 64 KiB",
			Result: "FileKind", ByHand: "go js",
			About: `Says what a file is: of samp a log or watermark; of amp (amp/0.1) a message; of agn (AMP/1.0) a message, ack, resume, task or rejections; of atsf a thread, messages or config. "name" is its base name, or its path below a directory with slashes. "certainty" is "content" where the members of a value are the format's, which may still be broken, and "name" where the name alone says so. For any other file the three are null.`,
		},
		{
			Op: 501, Name: "mail.links", Args: "*text: text, limit?: int", Input: "a text",
			Result: "Links",
			About:  `Finds everything that may name a message or thread of any format, in order: ids, and names of threads. "offset" and "length" say where "token" stands in the text, in bytes. A mention is real only if such a message or thread is known: 16 hexadecimal digits may also be a commit. Of the mentions ` + atMost + `.`,
		},
	}
}

const shownInput = "any bytes, at most 16 MiB"

func renderOps() []Spec {
	return []Spec{
		{
			Op: 550, Name: "render.line", Args: "*text: text, max?: int", Input: shownInput,
			Result: "Line",
			About:  `Makes a stranger's text one line that is safe to show, at most "max" characters long (any length if it is 0 or missing). What can hide something or move the cursor is shown as its number, ⟨U+202E⟩, and bytes that are not text as ⟨0xFF⟩. "cut" means that the line was shortened and ends in "…".`,
		},
		{
			Op: 551, Name: "render.text", Args: "*text: text", Input: shownInput,
			Result: "text: the text on its lines, safe to show as plain text",
			About:  `Makes a text of several lines safe to show, as render.line does, and keeps line ends and tabs. The result may be twelve times as long. It is not HTML.`,
		},
		{
			Op: 552, Name: "render.markdown", Args: "*text: text, ...options?: RenderOptions", Input: shownInput,
			Result: "text: Markdown that any client may show",
			About:  `Makes a stranger's Markdown safe: no HTML, no images, only https links whose address is visible. "maxBytes" (by default 1 MiB, at most 16 MiB) bounds the result, which says so where it was cut; "topHeading", 1 to 6, is the level of its highest heading. More than 64 KiB, or Markdown that nests too deep, is shown as plain text.`,
		},
		{
			Op: 553, Name: "render.html", Args: "*text: text, ...options?: RenderOptions", Input: shownInput,
			Result: "text: a fragment of HTML",
			About:  `Makes HTML for an element of a page, as render.markdown does Markdown: a short list of elements, no scripts, styles or images, and only https links. Closing tags may exceed "maxBytes" by 4 KiB.`,
		},
		{
			Op: 554, Name: "render.escape", Args: "*text: text", Input: shownInput,
			Result: "text: one line of Markdown",
			About:  `Writes a name or title as Markdown that shows it and nothing else.`,
		},
		{
			Op: 555, Name: "render.code", Args: "*text: text", Input: shownInput,
			Result: "text: a code span of Markdown",
			About:  `Writes an id or address as code on one line.`,
		},
		{
			Op: 556, Name: "render.block", Args: "*text: text", Input: shownInput,
			Result: "text: a code block of Markdown",
			About:  `Writes a text of several lines as a block of code that it cannot end.`,
		},
	}
}
