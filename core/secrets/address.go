package secrets

import "strings"

// maxAddress is the maximum length in bytes of a user name and password in an address.
const maxAddress = 1024

// address finds the password in an address whose user name and password begin at p, after
// "://".
func (f *finder) address(p int) span {
	end := f.while(p, maxAddress, func(c byte) bool {
		return !isSpace(c) && !isQuote(c) && strings.IndexByte("/?#<>\\", c) < 0
	})
	at := strings.LastIndexByte(f.s[p:end], '@')
	if at <= 0 {
		return none
	}
	user, pass, ok := strings.Cut(f.s[p:p+at], ":")
	switch {
	case ok && pass != "" && !placeholder(pass) && random(user, 20, 2):
		return span{p, p + at}
	case ok && pass != "" && !placeholder(pass):
		return span{p + at - len(pass), p + at}
	case len(user) >= 16 && mixed(user) && random(user, 16, 2):
		return span{p, p + len(user)}
	}
	return none
}

// login finds the password in user:password@tcp(host), whose "@" is at i.
func (f *finder) login(i int) span {
	from := i
	for from > f.done && i-from < maxAddress/4 && !isSpace(f.s[from-1]) && !isQuote(f.s[from-1]) {
		from--
	}
	colon := strings.IndexByte(f.s[from:i], ':')
	if colon < 0 || from+colon+1 == i || placeholder(f.s[from+colon+1:i]) {
		return none
	}
	return span{from + colon + 1, i}
}
