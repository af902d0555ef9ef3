package risk

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxInput is how many bytes of a text are read. If a text is longer, its last command that
	// was read is not judged: its end is not known.
	maxInput = 256 << 10
	// maxDepth is how deeply nested commands are read.
	maxDepth = 12
)

// A word is one word of a command.
type word struct {
	// text is the word without its quotes. Variables and command substitutions stay as they are
	// written.
	text string
	// open is set if the word has a variable or a command substitution, whose value is not known
	// before the command runs. raw is set if no part of the word was quoted.
	open, raw bool
	line      int
	// inner are the commands of its command substitutions.
	inner []command
}

// A command is a simple command, or a group of them.
type command struct {
	words []word
	// writes are the files to which its output is redirected.
	writes []word
	// docs are the heredocs and here-strings that are its input.
	docs []word
	// fed is set if it reads the output of the command before it.
	fed bool
	// group are the commands of a subshell.
	group []command
}

// A lexer reads the commands of a shell as far as it can. It reports no errors.
type lexer struct {
	text  string
	at    int
	line  int
	depth int
	// literal is set if a backslash is not an escape character, as in PowerShell and cmd.
	literal bool

	list    []command
	current command
	// docs are the heredocs whose texts begin on the next line. The first placed of them know
	// the command that reads them.
	docs   []heredoc
	placed int
}

type heredoc struct {
	end  string
	tabs bool // leading tabs are removed from its lines
	of   int  // the index in list of the command that reads it
}

// read returns the commands of a text. line is the number of its first line.
func read(text string, line, depth int, literal bool) []command {
	if depth > maxDepth {
		return nil
	}
	cut := len(text) > maxInput
	if cut {
		text = text[:maxInput]
	}
	l := lexer{text: text, line: line, depth: depth, literal: literal}
	l.commands()
	if cut && len(l.list) > 0 {
		l.list = l.list[:len(l.list)-1]
	}
	return l.list
}

func (l *lexer) peek(i int) byte {
	if l.at+i < len(l.text) {
		return l.text[l.at+i]
	}
	return 0
}

func (l *lexer) step(n int) {
	for range n {
		if l.at < len(l.text) {
			if l.text[l.at] == '\n' {
				l.line++
			}
			l.at++
		}
	}
}

// end ends the current command. fed is set if the next command reads its output.
func (l *lexer) end(fed bool) {
	if c := &l.current; len(c.words)+len(c.writes)+len(c.docs)+len(c.group) > 0 {
		l.list = append(l.list, l.current)
	}
	for ; l.placed < len(l.docs); l.placed++ {
		l.docs[l.placed].of = len(l.list) - 1
	}
	l.current = command{fed: fed}
}

// commands reads all commands up to the end of the text.
func (l *lexer) commands() {
	for l.at < len(l.text) {
		switch c := l.peek(0); {
		case c == '\n':
			l.end(false)
			l.step(1)
			l.heredocs()
		case c == ' ', c == '\t', c == '\r':
			l.step(1)
		case c == '#':
			l.comment()
		case c == '|':
			l.step(1)
			fed := l.peek(0) != '|'
			if l.peek(0) == '|' || l.peek(0) == '&' {
				l.step(1)
			}
			l.end(fed)
		case c == ';', c == ')':
			l.step(1)
			l.end(false)
		case c == '&' && l.peek(1) == '>':
			l.step(2)
			l.redirect()
		case c == '&':
			l.step(1)
			l.end(false)
		case c == '(' && len(l.current.words) == 0:
			inner, line := l.enclosed()
			l.current.group = append(l.current.group, read(inner, line, l.depth+1, l.literal)...)
		case c == '<' && l.peek(1) == '<':
			l.here()
		case c == '<' && l.peek(1) != '(':
			l.step(1)
			l.file() // an input file
		case c == '>' && l.peek(1) != '(':
			l.step(1)
			l.redirect()
		default:
			l.simple()
		}
	}
	l.end(false)
}

func (l *lexer) comment() {
	for l.at < len(l.text) && l.peek(0) != '\n' {
		l.step(1)
	}
}

// simple reads a word of a command. Digits before a redirection do not count as a word.
func (l *lexer) simple() {
	before := l.at
	w := l.word()
	if next := l.peek(0); w.raw && (next == '>' || next == '<') && w.text != "" && strings.Trim(w.text, "0123456789") == "" {
		return
	}
	if l.at == before {
		l.step(1) // no word begins with this character
		return
	}
	if w.raw && w.text == "" {
		return // an escaped end of a line
	}
	if w.raw && strings.HasSuffix(w.text, "=") && l.peek(0) == '(' { // a list of values
		l.enclosed()
	}
	l.current.words = append(l.current.words, w)
}

// redirect reads the file that output is written to, after ">".
func (l *lexer) redirect() {
	switch l.peek(0) {
	case '>', '|', '!':
		l.step(1)
	case '&': // another file descriptor, or a file
		l.step(1)
		if w := l.file(); w.text != "" && w.text != "-" && strings.Trim(w.text, "0123456789") != "" {
			l.current.writes = append(l.current.writes, w)
		}
		return
	}
	if w := l.file(); w.text != "" || w.open {
		l.current.writes = append(l.current.writes, w)
	}
}

// file reads the word after a redirection.
func (l *lexer) file() word {
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.step(1)
	}
	return l.word()
}

// here reads the beginning of a heredoc, or a here-string.
func (l *lexer) here() {
	l.step(2)
	if l.peek(0) == '<' {
		l.step(1)
		l.current.docs = append(l.current.docs, l.file())
		return
	}
	tabs := l.peek(0) == '-'
	if tabs {
		l.step(1)
	}
	if w := l.file(); w.text != "" {
		l.docs = append(l.docs, heredoc{end: w.text, tabs: tabs, of: -1})
	}
}

// heredocs reads the texts of the heredocs that the preceding line began.
func (l *lexer) heredocs() {
	for _, d := range l.docs {
		line, start, end := l.line, l.at, len(l.text)
		for l.at < len(l.text) {
			from := l.at
			if n := strings.IndexByte(l.text[from:], '\n'); n < 0 {
				l.step(len(l.text) - from)
			} else {
				l.step(n + 1)
			}
			text := strings.TrimSuffix(strings.TrimSuffix(l.text[from:l.at], "\n"), "\r")
			if d.tabs {
				text = strings.TrimLeft(text, "\t")
			}
			if text == d.end {
				end = from
				break
			}
		}
		if d.of >= 0 && d.of < len(l.list) {
			l.list[d.of].docs = append(l.list[d.of].docs, word{text: l.text[start:end], line: line})
		}
	}
	l.docs, l.placed = nil, 0
}

// word reads one word, which may be empty.
func (l *lexer) word() word {
	w := word{raw: true, line: l.line}
	var b strings.Builder
	for l.at < len(l.text) {
		c := l.peek(0)
		switch {
		case c == '\'':
			w.raw = false
			l.single(&b)
		case c == '"':
			w.raw = false
			l.double(&w, &b)
		case c == '$' && l.peek(1) == '\'':
			w.raw = false
			l.step(1)
			l.ansi(&b)
		case c == '\\' && !l.literal, c == '`' && l.literal:
			l.escape(&b)
		case c == '$', c == '`':
			l.substitution(&w, &b)
		case (c == '<' || c == '>') && l.peek(1) == '(' && b.Len() == 0:
			l.step(1)
			l.parenthesized(&w, &b)
		case strings.IndexByte(" \t\r\n;&|<>()", c) >= 0:
			w.text = b.String()
			return w
		default:
			_, n := utf8.DecodeRuneInString(l.text[l.at:])
			b.WriteString(l.text[l.at : l.at+n])
			l.step(n)
		}
	}
	w.text = b.String()
	return w
}

// escape reads an escape and the character after it. An escaped end of a line adds nothing.
func (l *lexer) escape(b *strings.Builder) {
	l.step(1)
	if l.peek(0) == '\n' {
		l.step(1)
	} else if l.at < len(l.text) {
		_, n := utf8.DecodeRuneInString(l.text[l.at:])
		b.WriteString(l.text[l.at : l.at+n])
		l.step(n)
	}
}

func (l *lexer) single(b *strings.Builder) {
	l.step(1)
	for l.at < len(l.text) && l.peek(0) != '\'' {
		b.WriteByte(l.peek(0))
		l.step(1)
	}
	l.step(1)
}

// ansi reads a text in $'…'. It resolves only escaped quotes and backslashes.
func (l *lexer) ansi(b *strings.Builder) {
	l.step(1)
	for l.at < len(l.text) && l.peek(0) != '\'' {
		if l.peek(0) == '\\' && (l.peek(1) == '\'' || l.peek(1) == '\\') {
			l.step(1)
		}
		b.WriteByte(l.peek(0))
		l.step(1)
	}
	l.step(1)
}

func (l *lexer) double(w *word, b *strings.Builder) {
	l.step(1)
	for l.at < len(l.text) && l.peek(0) != '"' {
		switch c := l.peek(0); {
		case c == '\\' && !l.literal && strings.IndexByte("$`\"\\\n", l.peek(1)) >= 0, c == '`' && l.literal:
			l.escape(b)
		case c == '$', c == '`':
			l.substitution(w, b)
		default:
			b.WriteByte(c)
			l.step(1)
		}
	}
	l.step(1)
}

// substitution reads a variable or a command substitution.
func (l *lexer) substitution(w *word, b *strings.Builder) {
	switch {
	case l.peek(0) == '`':
		line := l.line
		l.step(1)
		from := l.at
		for l.at < len(l.text) && l.peek(0) != '`' {
			if l.peek(0) == '\\' {
				l.step(1)
			}
			l.step(1)
		}
		w.inner = append(w.inner, read(l.text[from:l.at], line, l.depth+1, l.literal)...)
		w.open = true
		b.WriteString("`" + l.text[from:l.at] + "`")
		l.step(1)
	case l.peek(1) == '(':
		l.step(1)
		b.WriteByte('$')
		l.parenthesized(w, b)
	case l.peek(1) == '{':
		from := l.at
		for l.at < len(l.text) && l.peek(0) != '}' && l.peek(0) != '\n' {
			l.step(1)
		}
		l.step(1)
		b.WriteString(l.text[from:l.at])
		w.open = true
	case strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789@*#?!-$", l.peek(1)) >= 0 && l.peek(1) != 0:
		from := l.at
		l.step(2)
		for isNameByte(l.text[from+1]) && isNameByte(l.peek(0)) {
			l.step(1)
		}
		b.WriteString(l.text[from:l.at])
		w.open = true
	default:
		b.WriteByte('$')
		l.step(1)
	}
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// parenthesized reads a substitution in parentheses.
func (l *lexer) parenthesized(w *word, b *strings.Builder) {
	inner, line := l.enclosed()
	w.open = true
	b.WriteString("(" + inner + ")")
	if !strings.HasPrefix(inner, "(") { // arithmetic
		w.inner = append(w.inner, read(inner, line, l.depth+1, l.literal)...)
	}
}

// enclosed steps over a text in parentheses and returns it with the number of its first line.
// Parentheses in quotes do not count.
func (l *lexer) enclosed() (inner string, line int) {
	l.step(1)
	from, open := l.at, 1
	line = l.line
	for l.at < len(l.text) {
		switch c := l.peek(0); {
		case c == '(':
			open++
		case c == ')':
			if open--; open == 0 {
				inner = l.text[from:l.at]
				l.step(1)
				return inner, line
			}
		case c == '\\' && !l.literal:
			l.step(1)
		case c == '\'' || c == '"':
			l.step(1)
			for l.at < len(l.text) && l.peek(0) != c {
				if c == '"' && l.peek(0) == '\\' && !l.literal {
					l.step(1)
				}
				l.step(1)
			}
		}
		l.step(1)
	}
	return l.text[from:], line
}
