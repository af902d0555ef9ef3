package secrets

import "strings"

// maxCheck is how many bytes are read to decide whether a text is a token. A token is then
// masked to its end.
const maxCheck = 96

// token finds the token that begins with a word at i.
func (f *finder) token(i int, w *word) span {
	if w.bound && (!f.bounded(i) || i > 1 && (f.s[i-1] == '/' || f.s[i-1] == '+') && isAlnum(f.s[i-2]) && isAlnum(w.text[len(w.text)-1])) {
		return none // inside a word, or in base64
	}
	from := i + len(w.text)
	if w.fixed {
		to := f.while(from, w.least+1, isAlnum)
		if to-from != w.least || w.digit && !mixed(f.s[from:to]) {
			return none
		}
		return span{i, to}
	}
	if dot := f.while(from, w.before+1, isAlnum); w.before > 0 && (dot-from != w.before || f.byteAt(dot) != '.') {
		return none
	}
	to := from
	for to < len(f.s) && to < from+max(maxCheck, w.least) && (isWord(f.s[to]) || f.joins(to)) {
		to++
	}
	if to-from < w.least || w.digit && !mixed(f.s[from:to]) {
		return none
	}
	return span{i, f.tokenEnd(to)}
}

// joins reports whether the characters at i join two parts of a token.
func (f *finder) joins(i int) bool {
	after := f.while(i, 4, isJoint)
	return after > i && isWord(f.byteAt(after))
}

// tokenEnd returns the end of the token that continues at i.
func (f *finder) tokenEnd(i int) int {
	for i < len(f.s) && (isWord(f.s[i]) || f.joins(i)) {
		i++
	}
	return f.while(i, 2, func(c byte) bool { return c == '=' })
}

// mixed reports whether a text has at least 8 letters and digits in a row, with both of them.
func mixed(s string) bool {
	letters, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		default:
			letters, digits = 0, 0
		}
		if digits > 0 && letters > 0 && letters+digits >= 8 {
			return true
		}
	}
	return false
}

// infix finds the token around a word.
func (f *finder) infix(i int, w *word) span {
	from, to := i, i+len(w.text)
	for from > f.done && i-from < maxCheck && (isWord(f.s[from-1]) && w.text[0] != ':' || isDigit(f.s[from-1])) {
		from--
	}
	end := f.while(to, max(w.least, 1), func(c byte) bool { return isWord(c) || c == '.' || c == '~' || c == '=' })
	if i-from < w.before || end-to < w.least {
		return none
	}
	return span{from, f.tokenEnd(end)}
}

// jwtPart is the minimum length in bytes of each part of a JSON Web Token.
const jwtPart = 10

func (f *finder) jwt(i int) span {
	if !f.bounded(i) {
		return none
	}
	if i >= f.runEnd { // once for each run of letters, since more tokens may begin in it
		f.runEnd = f.while(i, len(f.s), isWord)
	}
	end := f.runEnd
	if end-i < jwtPart || f.byteAt(end) != '.' || f.while(end+1, jwtPart, isWord) < end+1+jwtPart {
		return none
	}
	return span{i, f.tokenEnd(end)}
}

// maxKey is the maximum length in bytes of a private key.
const maxKey = 64 << 10

// pem finds the private key whose first line has BEGIN at i.
func (f *finder) pem(i int) span {
	from := i
	for from > f.done && i-from < 8 && (f.s[from-1] == '-' || f.s[from-1] == ' ') {
		from--
	}
	for from < i && f.s[from] == ' ' {
		from++
	}
	label := f.s[i:min(len(f.s), i+120)]
	close := strings.Index(label, "----")
	if i-from < 4 || close < 0 || !foldContains(label[:close], "private key") {
		return none
	}
	i = f.while(i+close, 8, func(c byte) bool { return c == '-' })
	body := f.s[i:min(len(f.s), i+maxKey)]
	if next := strings.Index(body, "BEGIN "); next >= 0 {
		body = body[:next]
	}
	if end := strings.Index(body, "END "); end > 0 && body[end-1] == '-' || end > 1 && body[end-2:end] == "- " {
		last := f.s[i+end : min(len(f.s), i+end+120)]
		if close := strings.Index(last, "----"); close >= 0 {
			return span{from, f.while(i+end+close, 8, func(c byte) bool { return c == '-' })}
		}
	}
	if end := f.keyEnd(i); end > i {
		return span{from, end}
	}
	return none // only a mention
}

func (f *finder) lines(i int) span {
	if end := f.keyEnd(i); end > i {
		return span{i, end}
	}
	return none
}

// keyEnd returns the end of a private key without a last line, whose lines after i are headers
// and base64, or i if there are no such lines.
func (f *finder) keyEnd(i int) int {
	end, base64 := i, false
	for {
		broken := false
		for i < len(f.s) && !isAlnum(f.s[i]) && f.s[i] != '/' {
			if f.escaped(i) {
				i++
			}
			broken = broken || f.s[i] == '\n' || f.s[i-1] == '\\'
			i++
		}
		from := i
		i = f.while(i, len(f.s), func(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' })
		switch name := f.while(i, 40, isWord); {
		case i == from:
			return end
		case i-from >= 16:
			end, base64 = i, true
		case strings.Trim(f.s[from:i], "0123456789") == "" && !base64, broken && strings.Trim(f.s[from:i], "0123456789") == "":
			// a line number
		case !base64 && f.byteAt(name) == ':':
			i = f.lineEnd(name, len(f.s))
			end = i
		case base64 && broken && (i == len(f.s) || isSpace(f.s[i]) || f.s[i] == '\\' || isQuote(f.s[i])):
			return i // the last line is shorter
		default:
			return end
		}
	}
}

func foldContains(s, lower string) bool {
	for i := 0; i+len(lower) <= len(s); i++ {
		if foldPrefix(s[i:], lower) {
			return true
		}
	}
	return false
}
