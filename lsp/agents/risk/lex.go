package risk

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxInput is how many bytes of a command are read. Of a longer one the last command that
	// was begun is not judged: its end is not known.
	maxInput = 256 << 10
	// maxDepth is how deep commands within commands are read.
	maxDepth = 12
)

// A word is one word of a command.
type word struct {
	// text is the word without its quotes. What a variable or a command puts in is left as it
	// is written.
	text string
	// open is set if a part that is not known before it runs is in it: a variable or a command.
	// raw is set if none of it was quoted.
	open, raw bool
	line      int
	// inner are the commands that are put in.
	inner []command
}

// A command is a simple command, or a group of them.
type command struct {
	words []word
	// writes are the files that the output is written to.
	writes []word
	// docs are the texts that are its input: heredocs and here-strings.
	docs []word
	// fed is set if the output of the command before it is its input.
	fed bool
	// group are the commands of a subshell.
	group []command
}

// A lexer reads the text of a shell, as far as it can be read: nothing is an error.
type lexer struct {
	text  string
	at    int
	line  int
	depth int
	// literal is set where a backslash is no escape, as in PowerShell and cmd.
	literal bool

	list []command
	now  command
	// docs begin with the next line. The first of them, placed, know whose input they are.
	docs   []heredoc
	placed int
}

type heredoc struct {
	end  string
	tabs bool // are taken from the lines
	of   int  // the command in list that reads it
}

// read returns the commands of a text whose first line has a number.
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

// end ends the command that is being read. fed says whether the next one reads its output.
func (l *lexer) end(fed bool) {
	if c := &l.now; len(c.words)+len(c.writes)+len(c.docs)+len(c.group) > 0 {
		l.list = append(l.list, l.now)
	}
	for ; l.placed < len(l.docs); l.placed++ {
		l.docs[l.placed].of = len(l.list) - 1
	}
	l.now = command{fed: fed}
}

// commands reads until the end of the text.
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
		case c == '(' && len(l.now.words) == 0:
			inner, line := l.enclosed()
			l.now.group = append(l.now.group, read(inner, line, l.depth+1, l.literal)...)
		case c == '<' && l.peek(1) == '<':
			l.here()
		case c == '<' && l.peek(1) != '(':
			l.step(1)
			l.file() // which is read
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

// simple reads a word. Digits before a redirection are no word.
func (l *lexer) simple() {
	before := l.at
	w := l.word()
	if next := l.peek(0); w.raw && (next == '>' || next == '<') && w.text != "" && strings.Trim(w.text, "0123456789") == "" {
		return
	}
	if l.at == before {
		l.step(1) // what no word begins with
		return
	}
	if w.raw && w.text == "" {
		return // the end of a line that goes on
	}
	if w.raw && strings.HasSuffix(w.text, "=") && l.peek(0) == '(' { // a list of values
		l.enclosed()
	}
	l.now.words = append(l.now.words, w)
}

// redirect reads the file that output is written to, after ">".
func (l *lexer) redirect() {
	switch l.peek(0) {
	case '>', '|', '!':
		l.step(1)
	case '&': // a copy of another output, or a file
		l.step(1)
		if w := l.file(); w.text != "" && w.text != "-" && strings.Trim(w.text, "0123456789") != "" {
			l.now.writes = append(l.now.writes, w)
		}
		return
	}
	if w := l.file(); w.text != "" || w.open {
		l.now.writes = append(l.now.writes, w)
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
		l.now.docs = append(l.now.docs, l.file())
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

// heredocs reads the texts of the heredocs that were begun in the line before.
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
			l.put(&w, &b)
		case (c == '<' || c == '>') && l.peek(1) == '(' && b.Len() == 0:
			l.step(1)
			l.inside(&w, &b)
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

// escape reads a character after an escape. An escaped end of a line is nothing.
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

// ansi reads a text in $'…', whose escapes are left as they are but for quotes.
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
			l.put(w, b)
		default:
			b.WriteByte(c)
			l.step(1)
		}
	}
	l.step(1)
}

// put reads a variable, or a command whose output is put in.
func (l *lexer) put(w *word, b *strings.Builder) {
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
		l.inside(w, b)
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
		for name(l.text[from+1]) && name(l.peek(0)) {
			l.step(1)
		}
		b.WriteString(l.text[from:l.at])
		w.open = true
	default:
		b.WriteByte('$')
		l.step(1)
	}
}

func name(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// inside reads commands in parentheses, which are put in.
func (l *lexer) inside(w *word, b *strings.Builder) {
	inner, line := l.enclosed()
	w.open = true
	b.WriteString("(" + inner + ")")
	if !strings.HasPrefix(inner, "(") { // arithmetic
		w.inner = append(w.inner, read(inner, line, l.depth+1, l.literal)...)
	}
}

// enclosed steps over what stands in parentheses and returns it, with the number of its first
// line. Parentheses in quotes do not count.
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
