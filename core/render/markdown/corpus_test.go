package markdown_test

// corpus has a text for every construct and each of its edge cases.
var corpus = []string{
	// Paragraphs and breaks.
	"a\n", "a\nb\n", "a\n\nb\n", "  a\n   b\n", "a\n     b\n", "a  \nb\n", "a\\\nb\n", "a \nb\n", "a  \n", "a\\\n", "\n\na\n\n\n",
	"a\u00a0b\n", "ä — “c”\n",
	// Headings.
	"# a\n", "###### a\n", "####### a\n", "#a\n", "#\n", "## \n", "# a #\n", "# a ##  \n", "# a#\n", "# a \\#\n", "   # a\n", "    # a\n",
	"a\n# b\nc\n", "### ###\n", "a\n===\n", "a\n---\n", "a\nb\n=\n", "a\n=== \n", "a\n= =\n", "a\n   ---\n", "===\n", "*a\nb*\n---\n", "> a\n---\n",
	"- a\n---\n", "a\n\n===\n", "[a]: b\n===\n", "[a]: b\nc\n===\n",
	// Rules.
	"***\n", "---\n", "___\n", "--\n", " * * *\n", "-     -  -\n", "_ _ _ a\n", "*-*\n", "a\n***\nb\n", "- a\n***\n- b\n", "    ***\n",
	// Code blocks.
	"    a\n", "    a\n\n    b\n", "    a\n\n\n\n    b\n", "a\n    b\n", "    a\nb\n", "     a\n", "- a\n\n      b\n",
	"```\na\n```\n", "~~~\na\n~~~\n", "````\na\n```\n````\n", "```go\na\n```\n", "``` go x\na\n```\n", "```a`b\n", "~~~ a`b ~~~\nc\n~~~\n", "```\na\n",
	"```\n\n  \n```\n", "  ```\n  a\n   b\n c\n  ```\n", "```\na\n   ```\n", "```\na\n    ```\n", "> ```\n> a\nb\n", "a\n```\nb\n```\nc\n", "``\na\n``\n",
	"- ```\n  a\n\n  b\n  ```\n- c\n", "```c\\+\\+\na\n```\n", "```\n```\n",
	// Quotes.
	"> a\n", ">a\n> b\n", "> a\nb\n", "> # a\n> b\n", ">\n", "> a\n>\n> b\n", "> a\n\n> b\n", ">> a\n> b\n", "> - a\nb\n", "    > a\n", "a\n> b\n", ">     a\n", "> > > a\nb\n",
	// Lists.
	"- a\n- b\n", "* a\n+ b\n- c\n", "- a\n\n- b\n", "- a\n\n\n- b\n", "- a\n  - b\n    - c\n", "- a\n - b\n  - c\n", "1. a\n2. b\n", "1) a\n2) b\n", "1. a\n2) b\n",
	"3. a\n", "0. a\n", "123456789. a\n", "1234567890. a\n", "-1. a\n", "a\n- b\n", "a\n1. b\n", "a\n2. b\n", "a\n-\nb\n", "- a\n\n  b\n", "- a\n\n b\n", "-   a\n\n    b\n",
	"- a\n  > b\n  >\n- c\n", "- a\n\n  - b\n\n    c\n- d\n", "- a\n  - b\n\n  c\n", "-a\n", "- \n", "- a\n-\n- c\n", "1. a\n\n   b\n2. c\n", "-     a\n", "- - a\n", "- 1. - a\n",
	"- a\nb\n", "1. a\n  b\n", "- # a\n- b\n  ---\n  c\n", "10. a\n\n    b\n", "* a\n\n    b\n", "- a\n-b\n",
	"- [ ] a\n- [x] b\n- [X] c\n", "1. [x] a\n", "- a [x]\n", "[x] a\n", "- [ ]\n",
	// Tables.
	"|a|b|\n|-|-|\n|c|d|\n", "a|b\n-|-\nc|d\n", "|a|\n|:-:|\n", "|a|b|\n|:-|-:|\n|c|\n", "|a|b|\n|-|-|\n|c|d|e|\n", "|a\\|b|c|\n|-|-|\n", "|`a\\|b`|\n|-|\n",
	"x\n|a|b|\n|-|-|\n", "|a|b|\n|-|\n", "|a|\n|-|\n\nb\n", "|*a*|[b](c)|\n|-|-|\n|<https://a.b>|~~c~~|\n", "|a||\n|-|-|\n", "|a|\n", "| a |\n| --- |\n| b |\n",
	// Code spans.
	"`a`\n", "``a`b``\n", "` a `\n", "`  `\n", "` `` `\n", "`a\nb`\n", "`a``\n", "`a\\`b`\n", "`*a*`\n", "*a`*`\n", "[a`](b)`\n", "```a``` b\n", "\\`a`\n", "`&amp;`\n",
	// Emphasis.
	"*a*\n", "_a_\n", "**a**\n", "__a__\n", "***a***\n", "*a **b** c*\n", "**a *b* c**\n", "*a **b***\n", "***a** b*\n", "***a* b**\n", "a*b*c\n", "a_b_c\n", "a__b__c\n", "_a_b\n",
	"* a*\n", "*a *\n", "*a\nb*\n", "**a*\n", "*a**\n", "****a****\n", "*a _b* c_\n", "*(*a*)*\n", "_(_a_)_\n", "a*\"b\"*c\n", "*a**b*\n", "**a**b**c**\n", "*a*b*\n", "__a_\n", "*\u00a0a*\n", "*£*a\n",
	"*[a*](b)\n", "**a\n", "*\n", "\\*a*\n", "*a\\**\n", "foo***bar***baz\n", "*a*****b\n",
	"~~a~~\n", "~a~\n", "a~~b~~c\n", "~~ a~~\n", "~~a *b* c~~\n", "*a ~~b~~*\n", "\\~~a~~\n",
	// Links and images.
	"[a](b)\n", "[a](<b c>)\n", "[a](b \"c\")\n", "[a](b 'c')\n", "[a](b (c))\n", "[a](b\n\"c\")\n", "[a]()\n", "[a](<>)\n", "[a](b c)\n", "[a] (b)\n", "[a](b\\)c)\n", "[a](b&amp;c \"&quot;\")\n",
	"[*a*](b)\n", "[a [b] c](d)\n", "[a](b)[c](d)\n", "[a [b](c) d](e)\n", "![a](b)\n", "![a [b](c)](d)\n", "[![a](b)](c)\n", "[a\\]](b)\n", "[a\n", "a]\n", "[a](b\n", "[](b)\n", "![](b)\n", "!\\[a](b)\n", "[a](\\b)\n",
	"[a][b]\n\n[b]: c\n", "[a][]\n\n[a]: c\n", "[a]\n\n[a]: c\n", "![a]\n\n[a]: c\n", "[a][b]\n", "[A  \n b]\n\n[a b]: c\n", "[ẞ]\n\n[SS]: c\n", "[ΑΓΩ]: c\n\n[αγω]\n", "[a]: b\n[a]: c\n\n[a]\n",
	"[a]: <b c> 'd'\n", "[a]:\n  b\n  \"c\"\n", "[a]: b \"c\" d\n", "[a]:\n", "[]: b\n", "[a]: <>\n", "   [a]: b\n", "    [a]: b\n", "c\n[a]: b\n", "[a]: b\n[c]: d\ne\n", "> [a]: b\n\n[a]\n", "# [a]\n[a]: b\n",
	"[a]: b 'c\nd'\n", "[a\\]]: b\n", "[a][b][c]\n\n[b]: d\n", "[a][b][c]\n\n[b]: d\n[c]: e\n", "[a](b [a]\n\n[a]: c\n", "[a]: b'c'\n",
	// Addresses.
	"<https://a.b/c?d=e&f>\n", "<a:b>\n", "<ab:c>\n", "<ab:c d>\n", "<a@b.c>\n", "<a>\n", "<https://a.b/\\*>\n", "https://a.test\n", "a https://a.test/b_c_d.\n", "(https://a.test/b(c))\n", "https://a.test/b&amp;\n",
	"https://a.test:80/b\n", "https://a\n", "https://a.Test\n", "*https://a.test*\n", "**https://a.test/b**\n", "www.a.test/_b_\n", "www.a\n", "http://a.test\n", "[https://a.test](b)\n", "[ https://a.test\n", "https://a@b.test/c\n",
	"https://a.test/ä\n", "https://a.test?b#c!\n", "https://a.test/&copy;&reg;\n", "https://a.test/`b`\n",
	// Escapes, references and what is text.
	"\\*\\_\\[\\<\\&\\\\\\`\\#\n", "\\a\\ \\ä\n", "&amp;&lt;&copy;&nbsp;&rlm;\n", "&#65;&#x41;&#0;&#xD800;&#x110000;&#12345678;\n", "&bogus;&amp&;&#;&#x;\n", "\\&amp;\n", "&#42;a&#42;\n", "&#9;a\n", "&Tab;&NewLine;&colon;\n", "&Alpha;&zwj;&thetasym;&yuml;\n",
	"<b>a</b>\n", "<!-- a -->\n\nb\n", "<div>\n*a*\n</div>\n", "<?a?>\n", "<![CDATA[a]]>\n", "a < b > c & d\n",
}
