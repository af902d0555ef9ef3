package secrets

import "strings"

// header finds the value of the header whose name begins at i.
func (f *finder) header(i int, w *word) span {
	end := f.identifierEnd(i + len(w.text))
	if rest := f.s[i+len(w.text) : end]; rest != "" && (w.kind != cookie || rest != "s" && rest != "2") {
		return none
	}
	var st style
	p, ok := f.valueStart(end, &st)
	if !ok || st.strict || st.bare {
		return none
	}
	p = f.newLine(f.while(p, 16, isBlank))
	slashes := f.while(p, 8, func(c byte) bool { return c == '\\' })
	from, to := p, 0
	if isQuote(f.byteAt(slashes)) {
		from = slashes + 1
		to = f.closing(from, f.s[slashes], slashes-p)
	} else if f.byteAt(end) != ':' && f.byteAt(end) != '=' {
		return none // code
	} else {
		to = f.lineEnd(p, maxValue)
		if q := strings.IndexAny(f.s[p:to], "\"'`"); q >= 0 {
			to = p + q
		}
		for to > p && (f.s[to-1] == '\\' || f.s[to-1] == ' ') {
			to--
		}
	}
	if to <= f.noSecretEnd {
		return none // an earlier header with the same end had no secret
	}
	if from >= to {
		return none
	}
	if w.kind == header {
		from = f.pastScheme(from, to)
	}
	v := head(f.s[from:to])
	if v == "" || placeholder(v) || !hasSecret(v, w.kind) {
		f.noSecretEnd = to
		return none
	}
	return f.extend(span{from, to})
}

// pastScheme returns the position after the name of a scheme such as Bearer, or from.
func (f *finder) pastScheme(from, to int) int {
	p := f.while(from, 24, func(c byte) bool { return isLetter(c) || c == '-' || isDigit(c) })
	if p > from && p < to && f.s[p] == ' ' && !mixed(f.s[from:p]) {
		return f.while(p, 4, isBlank)
	}
	if strings.HasPrefix(f.s[from:to], "AWS4-") {
		return from + strings.IndexByte(f.s[from:to]+" ", ' ')
	}
	return from
}

// hasSecret reports whether the value of a header contains a secret.
func hasSecret(v string, k kind) bool {
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
		if k == cookie {
			name, value, ok := strings.Cut(part, "=")
			if !ok || strings.Trim(name, "=:") == "" || foldPrefix(name, "path") || foldPrefix(name, "max-age") || foldPrefix(name, "samesite") {
				continue
			}
			part = value
		}
		if len(part) >= 6 && (hasDigit(part) || strings.HasSuffix(part, "=") || k == cookie && len(part) >= 8) && hasLetter(part) && !program(part) && !placeholder(part) {
			return true
		}
	}
	return false
}

// scheme finds the secret that directly follows a word.
func (f *finder) scheme(i int, w *word) span {
	if w.bound && !f.bounded(i) {
		return none
	}
	p := f.while(i+len(w.text), 4, isBlank)
	if w.text == "identified by " && f.byteAt(p) != '`' {
		return f.value(p, &word{kind: password}, style{})
	}
	to := f.while(p, maxCheck, func(c byte) bool { return isWord(c) || isJoint(c) })
	v := f.s[p:to]
	if len(v) < 12 || changes(v) < 3 || !hasDigit(v) && !strings.HasSuffix(v, "=") || code(v) {
		return none
	}
	return span{p, f.tokenEnd(to)}
}
