package secrets

import "strings"

// judge reports whether v is a secret. It is the value of a name that contains w.
func judge(v string, w *word, st style) bool {
	v = head(v)
	if placeholder(v) {
		return false
	}
	switch {
	case st.bare:
		if st.quoted {
			return w.kind == password && w.text != "pass" && len(v) >= 5 && !label(v) && !isBlank(v[0]) || st.upper && random(v, 16, 2)
		}
		return random(v, 10, 2) && !code(v) && (w.kind == password || len(v) >= 16)
	case w.kind == provider:
		return anyPart(v, 14, 1)
	case (st.strict || st.pair) && w.kind == password:
		return len(v) >= 6 && hasDigit(v) && hasLetter(v) && !code(v)
	case st.strict || v[0] == '/' && !st.env:
		return anyPart(v, 15, 2)
	case w.kind == password && st.quoted:
		return len(v) >= 3 && !label(v) && (w.text != "pass" || hasDigit(v) && !strings.Contains(v, " "))
	case w.kind == password && st.env:
		return len(v) >= 3
	case w.kind == password && st.yaml && len(v) >= 5 && !code(v) && !reserved(v):
		return true
	case w.kind == password && st.flag && st.ends && hasDigit(v) && hasLetter(v) && !program(v):
		return len(v) >= 5 && !reserved(v)
	case w.kind == password:
		return len(v) >= 5 && (hasDigit(v) && (hasLetter(v) || st.ends) || strings.ContainsAny(v, "!@#$%^")) && !code(v) && !reserved(v)
	case st.quoted:
		return len(v) >= 8 && (graphic(v) && hasDigit(v) && hasLetter(v) && !wordy(v) || anyPart(v, 16, 2))
	case st.env:
		return len(v) >= 8 && !label(v) && hasLetter(v)
	case st.flag:
		return len(v) >= 6 && hasDigit(v) && hasLetter(v) && !code(v)
	}
	return random(v, 16, 2) && !code(v) || len(v) >= 10 && mixed(v) && !code(v) && changes(v) >= 3
}

// head returns the part of a value that is checked.
func head(v string) string { return v[:min(len(v), 512)] }

// placeholder reports whether a value is a placeholder, such as ${NAME}, <name> or ****.
func placeholder(v string) bool {
	if strings.Trim(v, v[:min(1, len(v))]) == "" || strings.Trim(v, "*xX.•_-…") == "" {
		return true
	}
	switch v[0] {
	case '$':
		return len(v) > 1 && (isLetter(v[1]) || v[1] == '_') && strings.Trim(v, "$_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "" ||
			len(v) > 1 && strings.IndexByte("{([", v[1]) >= 0
	case '{':
		return true
	case '<':
		return strings.IndexByte(v, '>') > 0
	case '[':
		return v[len(v)-1] == ']'
	case '%':
		return len(v) == 2 || len(v) > 1 && (v[1] == '(' || v[1] == '{') || v[len(v)-1] == '%'
	}
	return strings.Contains(v, Masked) || strings.Contains(v, "${") || strings.Contains(v, "{{")
}

// label reports whether a value is a description of a secret or of a required value.
func label(v string) bool {
	if hasDigit(v) {
		return false
	}
	for _, word := range [...]string{"password", "passphrase", "secret", "token", "credential", "api key", "api_key", "api-key"} {
		if foldContains(v, word) {
			return true
		}
	}
	return reserved(v)
}

// reserved reports whether a value is the name of a type, a constant or an algorithm.
func reserved(v string) bool {
	const names = " string str text varchar null nil none true false required optional hidden undefined any bytes boolean bool object number integer unset " +
		"int64 int32 uint64 utf8 utf-8 sha256 sha512 sha1 md5 argon2 argon2id bcrypt base64 "
	return strings.Contains(names, " "+strings.ToLower(v)+" ")
}

// code reports whether a value looks like code.
func code(v string) bool { return program(v) || wordy(v) }

// program reports whether a value has characters of code, or is a chain of names.
func program(v string) bool {
	if strings.ContainsAny(v, "()[]{}") || strings.Contains(v, "->") || strings.Contains(v, "::") || strings.IndexByte("$&*@/.!", v[0]) >= 0 {
		return true
	}
	// A chain of names, such as config.auth2.
	first, rest, ok := strings.Cut(v, ".")
	if last := v[strings.LastIndexByte(v, '.')+1:]; ok && len(first) < 4 && len(last) > 2 && strings.IndexFunc(last, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
		return true
	}
	return ok && first != "" && !hasDigit(first) && rest != "" && isLetter(rest[0]) && len(first) < 16
}

// wordy reports whether a value looks like an identifier: mostly pronounceable words, written
// together, and at most two numbers.
func wordy(v string) bool {
	words, inWords, others, numbers := 0, 0, 0, 0
	for i := 0; i < len(v); {
		from := i
		for i < len(v) && isUpper(v[i]) {
			i++
		}
		if i-from <= 1 {
			for i < len(v) && isLower(v[i]) {
				i++
			}
		}
		switch {
		case i-from >= 3 && strings.ContainsAny(v[from:i], "aeiouyAEIOUY"):
			words++
			inWords += i - from
		case i > from:
			others += i - from
		case isDigit(v[i]):
			for i < len(v) && isDigit(v[i]) {
				i++
			}
			others += i - from
			numbers++
		case strings.IndexByte("_.-/", v[i]) >= 0:
			i++
		default:
			return false
		}
	}
	return words >= 2 && inWords > 2*others && inWords >= 4*words && numbers <= 2
}

// graphic reports whether a value is printable ASCII without spaces.
func graphic(v string) bool {
	return strings.IndexFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

func hasDigit(v string) bool { return strings.ContainsAny(v, "0123456789") }

func hasLetter(v string) bool {
	for i := range len(v) {
		if isLetter(v[i]) || v[i] >= 0x80 {
			return true
		}
	}
	return false
}

// anyPart reports whether a part of a value, between spaces, quotes and the like, looks random.
func anyPart(v string, minLength, minDigits int) bool {
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`,;\\", r) }) {
		if random(part, minLength, minDigits) && !wordy(part) {
			return true
		}
	}
	return false
}

// random reports whether a value looks random: it has at least minLength bytes and minDigits
// digits, and digits and letters alternate.
func random(v string, minLength, minDigits int) bool {
	digits, letters := 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c <= ' ' || c > '~' || strings.IndexByte("(){}[]<>\"'`,;|\\$*?!", c) >= 0:
			return false
		}
	}
	return len(v) >= minLength && letters >= 2 && digits >= minDigits && changes(v) >= 3+len(v)/16
}

// changes counts the changes between small letters, capital letters and digits.
func changes(v string) (n int) {
	last := byte(0)
	for i := range len(v) {
		is := byte(0)
		switch c := v[i]; {
		case isDigit(c):
			is = 1
		case isLower(c):
			is = 2
		case isUpper(c):
			is = 3
		}
		if is != 0 && last != 0 && is != last {
			n++
		}
		last = is
	}
	return n
}
