package secrets

import (
	"cmp"
	"strings"
)

// maxCommandLine is how many bytes before an option are searched for its command.
const maxCommandLine = 512

// commands are programs and their options that take a password. It follows a space ("-p"), is
// in the same word ("-p*"), follows a user name with a colon or percent sign (":-u"), or
// follows the equals sign of a pair ("=-b").
var commands = [...]struct{ name, options string }{
	{"curl", ":-u :--user :-U :--proxy-user :-u* :-U* =-b =--cookie =-b*"},
	{"wget", ":--user"},
	{"http", ":-a"},
	{"https", ":-a"},
	{"xh", ":-a"},
	{"sshpass", "-p -p*"},
	{"mysql", "-p*"},
	{"mysqldump", "-p*"},
	{"mysqladmin", "-p*"},
	{"mysqlimport", "-p*"},
	{"mysqlshow", "-p*"},
	{"mysqlcheck", "-p*"},
	{"mariadb", "-p*"},
	{"mariadb-dump", "-p*"},
	{"mariadb-admin", "-p*"},
	{"mongo", "-p"},
	{"mongosh", "-p"},
	{"mongodump", "-p"},
	{"mongorestore", "-p"},
	{"mongoexport", "-p"},
	{"mongoimport", "-p"},
	{"login", "-p -p*"}, // of docker, podman, az, cf, oc, helm registry
	{"redis-cli", "-a"},
	{"ldapsearch", "-w"},
	{"ldapadd", "-w"},
	{"ldapmodify", "-w"},
	{"ldapdelete", "-w"},
	{"ldappasswd", "-w -a -s"},
	{"ldapwhoami", "-w"},
	{"sqlcmd", "-P -P*"},
	{"bcp", "-P -P*"},
	{"tsql", "-P"},
	{"isql", "-P"},
	{"zip", "-P"},
	{"unzip", "-P"},
	{"7z", "-p*"},
	{"7za", "-p*"},
	{"rar", "-p*"},
	{"unrar", "-p*"},
	{"ssh-keygen", "-N -P"},
	{"openssl", "-k -K"},
	{"smbclient", ":-U"},
	{"rpcclient", ":-U"},
	{"net", ":-U"},
	{"influx", "-p"},
	{"cqlsh", "-p"},
	{"clickhouse-client", "-p"},
	{"rabbitmqadmin", "-p -p*"},
	{"ipmitool", "-P"},
	{"snmpwalk", "-A -X"},
	{"htpasswd", "-b"},
}

// option finds the password of the option at i, if its command takes one there.
func (f *finder) option(i int, w *word) span {
	options := f.commandAt(i)
	if options == "" {
		return none
	}
	name, p := w.text[1:], i+len(w.text)
	together := false
	switch c := f.byteAt(p); {
	case isBlank(c), c == '=':
		p = f.while(p+1, 8, isBlank)
	default:
		together = true
	}
	list := " " + options + " "
	if together {
		name += "*"
	}
	signs := ""
	switch {
	case strings.Contains(list, " :"+name+" "):
		signs = ":%"
	case strings.Contains(list, " ="+name+" "):
		signs = "="
	case !strings.Contains(list, " "+name+" "):
		return none
	}
	for n := 2; name == "-b" && signs == "" && n > 0; n-- { // htpasswd -b file user password
		p = f.while(f.while(p, 256, func(c byte) bool { return !isSpace(c) }), 8, isBlank)
	}
	return f.argument(p, signs)
}

// argument finds a password in the argument at p. Unless signs is empty, it begins after the
// first of them.
func (f *finder) argument(p int, signs string) span {
	slashes := f.while(p, 8, func(c byte) bool { return c == '\\' })
	from, to := p, 0
	if q := f.byteAt(slashes); isQuote(q) {
		from = slashes + 1
		to = f.closing(from, q, slashes-p)
	} else {
		to = f.wordEnd(p, maxValue, true)
	}
	if from >= to {
		return none
	}
	if signs != "" {
		at := strings.IndexAny(f.s[from:to], signs)
		if at < 0 {
			return none
		}
		from += at + 1
		if slashes := f.while(from, 8, func(c byte) bool { return c == '\\' }); from == to && isQuote(f.byteAt(slashes)) {
			return f.argument(from, "") // user:"password"
		}
	}
	if v := f.s[from:to]; len(v) < 3 || v[0] == '-' || placeholder(head(v)) {
		return none
	}
	return f.extend(span{from, to})
}

// commandAt returns the options of the command whose option is at i, or "". The command is the
// last word before i on the line that is a known command.
func (f *finder) commandAt(i int) string {
	if from := i - maxCommandLine; f.scanned < from {
		f.scanned, f.options = from, ""
	}
	for start := f.scanned; start < i; start++ {
		c := f.s[start]
		if c == '\n' && f.byteAt(start-1) != '\\' || c == '|' || c == ';' || f.escaped(start) {
			f.options = ""
			if c == '\\' {
				start++
			}
			continue
		}
		if !isAlnum(c) {
			continue
		}
		end := f.while(start, i-start, isWord)
		if c := f.byteAt(end); isBlank(c) && f.byteAt(start-1) != '-' && f.byteAt(start-1) != '.' {
			f.options = cmp.Or(optionsOf(f.s[start:end]), f.options)
		}
		start = end - 1
	}
	f.scanned = i
	return f.options
}

// optionsOf returns the options of a command, or "".
func optionsOf(name string) string {
	for i := range commands {
		if commands[i].name == name {
			return commands[i].options
		}
	}
	return ""
}
