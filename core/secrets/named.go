package secrets

import "strings"

const (
	maxName  = 48   // how many bytes of a name are read on each side of a word
	maxValue = 1024 // how many bytes of a value are checked; a secret is masked to its end
)

// style is how a text assigns a value to a name.
type style struct {
	quoted  bool // the value is in quotes
	env     bool // NAME=value, as in a shell or its files
	yaml    bool // NAME: value
	flag    bool // --name value
	strict  bool // in prose or a table: the value must look random
	first   bool // the name is the first of several quoted texts
	pair    bool // the value is the second of them
	ends    bool // the name ends in the word
	bare    bool // only a space is between name and value
	element bool // <name>value</name>
	upper   bool // the name has no small letters
}

// named finds the value of the name that contains a word at i.
func (f *finder) named(i int, w *word) span {
	end := f.identifierEnd(i + len(w.text))
	if !f.namesSecret(i, end, w) {
		return none
	}
	st := style{}
	start := i
	for start > 0 && i-start < maxName && inName(f.s[start-1]) {
		start--
	}
	if start > 0 && f.s[start-1] == '\\' && start < i {
		start++ // the letter of \n
	}
	st.flag = f.s[start] == '-'
	st.element = f.byteAt(start-1) == '<'
	name := f.s[start:end]
	if name == "PASS" || (name == "PWD" || name == "OLDPWD") && f.byteAt(start-1) != ';' {
		return none // a passed test, a working directory
	}
	before := start - 2
	for before > start-6 && isBlank(f.byteAt(before)) {
		before--
	}
	st.first = isQuote(f.byteAt(start-1)) && strings.IndexByte("([", f.byteAt(before)) >= 0 || f.byteAt(start-1) == '"' && f.byteAt(start-2) == '\\'
	st.ends = end == i+len(w.text)
	st.upper = strings.IndexFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' }) < 0
	if name == "pass" && isBlank(f.byteAt(end)) && isLetter(f.byteAt(end+1)) {
		return none // the verb
	}
	p, ok := f.valueStart(end, &st)
	if !ok {
		return none
	}
	at := f.value(p, w, st)
	if w.kind != password && at != none && foldContains(head(f.s[at.from:at.to]), strings.ToLower(name)) {
		return none // the value repeats the name
	}
	return at
}

// identifierEnd returns the end of the identifier that continues at i.
func (f *finder) identifierEnd(i int) int {
	end := f.while(i, maxName, inName)
	for end > i && (f.s[end-1] == '.' || f.s[end-1] == '-') {
		end--
	}
	return end
}

// attributes are the last words of names that describe a secret, such as token_count.
const attributes = " s ly id ids name names type types count counts length len limit size ms sec seconds minutes timeout interval file files path url uri dir usage used expiry expires expired " +
	"expiration at in ttl index kind field label hint policy regex pattern prefix suffix version budget max min ref arn placeholder provider " +
	"endpoint scope scopes manager error message status required enabled disabled reset strength changed stdin prompt method format algorithm " +
	"alg ing ed er ers ize izer ized izing ization phrase-hint env class input field-id rate window spec schema list map store "

// compounds are the endings that may follow a word without a separator, as in tokenvalue.
const compounds = " key keybase value text data accesskey hash string base base64 plain plaintext "

// namesSecret reports whether the identifier that ends at end, with a word in it at i, can be
// the name of a secret.
func (f *finder) namesSecret(i, end int, w *word) bool {
	j := i + len(w.text)
	if w.bound && isLetter(f.byteAt(i-1)) && !(isUpper(f.s[i]) && isLower(f.s[i-1])) && !f.bounded(i) {
		return false
	}
	if end <= j {
		return true
	}
	rest := f.s[j:end]
	k := 0
	for k < len(rest) && isLetter(rest[k]) && (isUpper(rest[k]) == isUpper(f.s[j-1]) || k > 0 && isLower(rest[k])) {
		k++ // letters that belong to the same word
	}
	if k > 0 && !(isUpper(rest[0]) && isLower(f.s[j-1])) && isLetter(f.s[j-1]) {
		if joined := " " + strings.ToLower(rest[:k]) + " "; !strings.Contains(compounds, joined) {
			return false
		}
	}
	return !strings.Contains(attributes, " "+strings.ToLower(lastWord(rest))+" ")
}

// lastWord returns the last word of an identifier, without digits and separators at its end.
func lastWord(s string) string {
	s = strings.TrimRight(s, "_-.0123456789")
	i := len(s)
	for i > 0 && isLetter(s[i-1]) {
		i--
		if isUpper(s[i]) && i > 0 && isLower(s[i-1]) {
			break
		}
	}
	return s[i:]
}

// valueStart returns the start of the value of a name that ends at p, and completes st. ok is
// false if nothing separates the two.
func (f *finder) valueStart(p int, st *style) (start int, ok bool) {
	end := p
	slashes := f.while(p, 8, func(c byte) bool { return c == '\\' })
	quoted := isQuote(f.byteAt(slashes))
	if quoted {
		p = slashes + 1
	}
	p = f.while(p, 4, func(c byte) bool { return c == ']' || c == '*' })
	if after, ok := f.skipToValue(p); ok {
		p, quoted = after, false
	}
	spaced := p
	p = f.while(p, 16, isBlank)
	spacedBy := p - spaced
	rest := f.s[p:]
	switch c := f.byteAt(p); {
	case c == '=', c == ':':
		st.env = st.upper && !quoted && spacedBy == 0
		p = f.while(p, 3, func(c byte) bool { return c == '=' || c == ':' || c == '>' || c == '~' })
		if c == ':' {
			p, st.flag = f.skipType(p), false
		}
		st.yaml = st.env && c == ':' && st.ends
		st.env = st.env && c == '=' && !isBlank(f.byteAt(p))
	case len(rest) > 2 && strings.Contains("?=!=+=||=&&=->", rest[:2]) && rest[0] != '=':
		p = f.while(p, 3, func(c byte) bool { return strings.IndexByte("?!+|&=->", c) >= 0 })
	case c == ',' && quoted && st.first:
		p, st.pair = p+1, true
	case c == '>' && st.element:
		return p + 1, true
	case c == '|' && spacedBy > 0:
		p, st.strict = p+1, true
	case spacedBy == 0:
		return 0, false
	case isQuote(c) || c == '\\' && isQuote(f.byteAt(p+1)):
		st.bare = !st.flag // PASSWORD 'x', as in SQL
	case st.flag:
	case st.upper:
		st.bare = true // ENV NAME x, in a Dockerfile
	case strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "was "):
		p += strings.IndexByte(rest, ' ')
		st.strict = true
	default:
		after, ok := f.looseStart(end, st)
		if ok {
			p = after
		}
		st.bare = !ok
	}
	return p, true
}

// skipToValue returns the position after the word value where a member of an object has the
// name and another has the value: "name": "API_KEY", "value": "x".
func (f *finder) skipToValue(p int) (int, bool) {
	skip := func(c byte) bool { return isSpace(c) || c == ',' || c == '\\' || c == '"' || c == '\'' }
	q := f.while(p, 64, skip)
	line := f.byteAt(q-1) == '\n'
	if f.byteAt(q) == 'n' && f.byteAt(q-1) == '\\' {
		q, line = f.while(q+1, 64, skip), true // an escaped line end
	}
	if c := f.byteAt(q); line && (c == '+' || c == '-') {
		q = f.while(q+1, 64, skip) // in a diff
	}
	if q == p || !foldPrefix(f.s[q:], "value") {
		return 0, false
	}
	q += len("value")
	q = f.while(q, 8, func(c byte) bool { return c == '\\' || c == '"' || c == '\'' })
	if c := f.byteAt(f.while(q, 4, isBlank)); c != ':' && c != '=' {
		return 0, false
	}
	return q, true
}

// skipType returns the position after the type of a variable: password: string = "x".
func (f *finder) skipType(p int) int {
	q := f.while(p, 4, isBlank)
	if c := f.byteAt(q); !isLetter(c) && c != '&' {
		return p
	}
	q = f.while(q, 32, func(c byte) bool { return isAlnum(c) || strings.IndexByte("_.[]<>|?&' ", c) >= 0 })
	if f.byteAt(q) == '=' && f.byteAt(q-1) == ' ' && f.byteAt(q+1) != '=' && f.byteAt(q+1) != '>' {
		return q + 1
	}
	return p
}

// looseStart returns the start of a value after more words, as in secret access key [None]: x,
// or after a type, as in password string = "x".
func (f *finder) looseStart(p int, st *style) (int, bool) {
	if strings.HasPrefix(f.s[p:], " for '") {
		if n := strings.Index(f.s[p:min(len(f.s), p+256)], "': "); n >= 0 {
			st.strict = true
			return p + n + len("': "), true // a question of git
		}
	}
	p = f.while(p, 40, func(c byte) bool { return isWord(c) || strings.IndexByte(" \t.()[]*", c) >= 0 })
	if c := f.byteAt(p); (c != ':' || !isBlank(f.byteAt(p+1))) && (c != '=' || !f.atQuote(f.while(p+1, 4, isBlank))) {
		return 0, false
	}
	st.strict = true
	return f.while(p, 3, func(c byte) bool { return c == '=' || c == ':' || c == '>' }), true
}

// value finds the secret that begins at p, after white space and quotes.
func (f *finder) value(p int, w *word, st style) span {
	p = f.while(p, 16, isBlank)
	if f.byteAt(p) == '*' && f.byteAt(p+1) == '*' {
		p = f.while(p+2, 4, isBlank) // bold, in Markdown
	}
	p = f.newLine(p)
	if st.element {
		end := strings.IndexAny(f.s[p:min(len(f.s), p+maxValue)], "<\n")
		if end < 0 || f.s[p+end] != '<' || f.byteAt(p+end+1) != '/' {
			return none
		}
		st.quoted = true
		return f.judged(span{p, p + end}, w, st)
	}
	if prefix := f.while(p, 2, func(c byte) bool { return isLetter(c) || c == '@' || c == '$' }); f.atQuote(prefix) {
		p = prefix // b"x", f'x', @"x", $'x'
	}
	slashes := f.while(p, 8, func(c byte) bool { return c == '\\' })
	if isQuote(f.byteAt(slashes)) {
		st.quoted = true
		from := slashes + 1
		if q := f.s[p:from]; strings.HasPrefix(f.s[from:], q+q) {
			from += 2 * len(q)
		}
		if strings.IndexByte("+.,);]}:", f.byteAt(f.while(from, 2, isBlank))) >= 0 {
			return none // the end of a quoted text, not its beginning
		}
		return f.judged(span{from, f.closing(from, f.s[slashes], slashes-p)}, w, st)
	}
	if st.pair {
		return none
	}
	return f.judged(span{p, f.wordEnd(p, maxValue, st.env)}, w, st)
}

// atQuote reports whether a quote is at p, perhaps after backslashes.
func (f *finder) atQuote(p int) bool {
	return isQuote(f.byteAt(f.while(p, 8, func(c byte) bool { return c == '\\' })))
}

// newLine returns the start of an indented value behind the line end at p, or p if there is none.
// The value is in quotes, or is a YAML block after | or >.
func (f *finder) newLine(p int) int {
	q := p
	if c := f.byteAt(q); c == '|' || c == '>' {
		q = f.while(q+1, 2, func(c byte) bool { return c == '-' || c == '+' })
	}
	block := q > p
	q = f.while(q, 2, func(c byte) bool { return c == '\n' || c == '\r' })
	// In JSON the line end is an escape: \n, perhaps with more backslashes.
	if n := f.while(q, 8, func(c byte) bool { return c == '\\' }); n > q && f.byteAt(n) == 'n' {
		q = n + 1
	}
	next := f.while(q, 64, isBlank)
	if next > q && (block || isQuote(f.byteAt(next)) || f.byteAt(next) == '\\') {
		return next
	}
	return p
}

// closing returns the end of a text whose quotes have slashes backslashes before them. A text
// without a closing quote ends with its line.
func (f *finder) closing(from int, quote byte, slashes int) int {
	end := min(len(f.s), from+maxValue)
	for i := from; i < end; i++ {
		switch f.s[i] {
		case '\n', '\r':
			return i
		case quote:
			n := 0
			for i-n > from && f.s[i-n-1] == '\\' {
				n++
			}
			if n == 0 && i > from && f.byteAt(i+1) == quote {
				i++ // a doubled quote, as in SQL and YAML, is one in the text
				continue
			}
			if n <= slashes || slashes == 0 && n%2 == 0 {
				return i - min(n, slashes)
			}
		}
	}
	return end
}

// wordEnd returns the end of a value without quotes, at most from+limit. Only with env may it
// end in punctuation.
func (f *finder) wordEnd(from, limit int, env bool) int {
	i := from
	for end := min(len(f.s), from+limit); i < end && !isSpace(f.s[i]) && !f.escaped(i); {
		c := f.s[i]
		if isQuote(c) || c == '\\' && isQuote(f.byteAt(i+1)) || c == '<' || c == '>' || c == '\\' && f.byteAt(i+1) == '\\' {
			break
		}
		if (c == '&' || c == ';' || c == ',') && f.endsValue(i+1) {
			break
		}
		i++
	}
	for !env && i > from && strings.IndexByte(",;.)}]", f.s[i-1]) >= 0 {
		i--
	}
	return i
}

// endsValue reports whether the end of the text, a space, a quote or the next name with a
// value is at i.
func (f *finder) endsValue(i int) bool {
	end := f.while(i, maxName, func(c byte) bool { return inName(c) || c == ' ' })
	c := f.byteAt(end)
	return i >= len(f.s) || isSpace(f.s[i]) || isQuote(f.s[i]) || end > i && (c == '=' || c == ':')
}

func (f *finder) judged(at span, w *word, st style) span {
	if at.to <= at.from || !judge(f.s[at.from:at.to], w, st) {
		return none
	}
	return f.extend(at)
}

// extend returns a secret up to its end if only its beginning was read.
func (f *finder) extend(at span) span {
	if at.to-at.from >= maxValue {
		at.to = f.wordEnd(at.to, len(f.s), true)
	}
	return at
}
