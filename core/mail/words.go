package mail

import "strings"

// The tables below cover English, and common words of other languages. Words are in lower case.
// The tables are switches for speed, since the index looks up each word of each message.

// The meanings of phrases, anywhere in a part.
const (
	courtesy = '~' // an offer, which asks for nothing; the rest of the part belongs to it
	excuse   = '-' // no reply is wanted
	blank    = '.' // nothing, although its words would ask for something elsewhere
	consent  = '+' // consent, or that all is well
	request  = '?' // something is asked for
)

// phrases returns the phrases that begin with a word, separated by "|". Each is its meaning and
// the words after the first.
func phrases(first string) string {
	switch first {
	case "all":
		return ".i need|.we need|+good|+set|+clear|+fine"
	case "alles":
		return "+klar"
	case "any":
		return "?thoughts|?objections|?update|?updates|?news|?progress|?ideas|?preference"
	case "blocked":
		return "?on|?by|?until"
	case "can", "could", "would", "are":
		return "?you"
	case "do":
		return "-not need to reply|-not need to answer|-not need to respond|?you"
	case "don't":
		return "-need to reply|-need to answer|-need to respond|-need to do anything|-have to reply|-have to answer|" +
			"+worry"
	case "fair":
		return "+enough"
	case "following":
		return "?up"
	case "gentle", "friendly", "kind":
		return "?ping|?reminder"
	case "feel":
		return "~free to"
	case "got", "found", "on":
		return "+it"
	case "happy":
		return "~to help"
	case "i", "we":
		return "?need|?am blocked|?am stuck|?are blocked|?are stuck|?can't continue|?can't proceed|?can't go on|" +
			"?cannot continue|?cannot proceed|?cannot go on|+agree"
	case "i'm", "we're":
		return "?blocked|?stuck"
	case "if":
		return "~you need anything|~you have any questions"
	case "just":
		return "-letting you know|-so you know"
	case "kannst", "könntest", "magst":
		return "?du"
	case "keine":
		return "-antwort nötig|-antwort erforderlich"
	case "let":
		return "~me know if you need anything|~me know if you have any|~me know if you run into|" +
			"~me know if you see any|~me know if anything|~me know if there is anything|" +
			"~me know if there's anything|~me know if something|?me know"
	case "makes":
		return "+sense"
	case "my":
		return "+bad|+mistake"
	case "need":
		return "?you|?your|?a decision|?approval|?a review"
	case "needs":
		return "-no reply|-no answer|-no response|-no action|?you|?your|?a decision|?approval|?a review"
	case "never":
		return "+mind"
	case "no":
		return "-reply needed|-reply necessary|-reply required|-need to reply|-need to answer|-need to respond|" +
			"-need to do anything|-need for a reply|-answer needed|-answer required|-response needed|" +
			"-response necessary|-response required|-action needed|-action necessary|-action required|" +
			"-further action|-action on your|+problem|+problems|+errors|+issues|+worries"
	case "not":
		return ".urgent|.blocked|.stuck|+needed"
	case "nothing":
		return "-for you to do|-to do for you|-to do on your|-needed from you|-needed on your|-you need to do|.urgent|" +
			".else"
	case "of":
		return "+course"
	case "over":
		return "?to you"
	case "please", "pls", "plz", "kindly", "asap", "urgent", "awaiting", "ptal", "wdyt", "bitte":
		return "?"
	case "por":
		return "?favor"
	case "ready":
		return "?for review|?for your"
	case "requires", "pending":
		return "?your"
	case "s'il":
		return "?te|?vous"
	case "sounds", "looks":
		return "+good|+great|+fine"
	case "tell":
		return "?me"
	case "up":
		return "?to you|?for review"
	case "still":
		return "?waiting"
	case "vielen":
		return "+dank"
	case "was", "were", "longer":
		return ".blocked|.stuck"
	case "wait":
		return "?for you|?for your"
	case "waiting":
		return "?for you|?for your|?on you|?on your"
	case "want":
		return "?you|?your"
	case "well":
		return "+done"
	case "what", "everything":
		return ".i need|.we need"
	case "when":
		return "?you can"
	case "will":
		return "+do|?you"
	case "without":
		return "+errors|+problems|+issues"
	case "you":
		return "+are welcome|+are right|?need|?should|?must|?have to"
	case "you're":
		return "+welcome|+right"
	case "your":
		return "?call|?turn|?move"
	}
	return ""
}

// informations returns, in the form of phrases, those at the start of a text for information.
func informations(first string) string {
	switch first {
	case "fyi", "psa":
		return "."
	case "f":
		return ".y i"
	case "for":
		return ".your information|.your info|.your reference|.your awareness|.information|.info|.reference|.awareness|.the record"
	case "heads":
		return ".up"
	case "headsup":
		return "."
	case "zur":
		return ".info|.information|.kenntnis"
	}
	return ""
}

// class is a set of roles that a word may have.
type class uint8

const (
	closing   class = 1 << iota // expresses thanks, consent, or that something is done
	stating                     // may begin a statement
	order                       // tells somebody to do something if it begins a part
	query                       // begins a question
	auxiliary                   // begins a question if a pronoun follows
	pronoun                     // such as you, they or that
	trouble                     // shows that not all is well, or that something is left
)

// classOf returns the roles that a word may have.
func classOf(w string) class {
	switch w {
	case "thanks", "thank", "thx", "thnx", "tnx", "ty", "tyvm", "cheers", "appreciated", "danke", "dank", "merci", "gracias", "grazie",
		"obrigado", "obrigada", "tack", "спасибо", "谢谢", "ありがとう", "ありがとうございます", "great", "perfect", "nice", "cool", "awesome",
		"excellent", "super", "wonderful", "brilliant", "ok", "okay", "alright", "sure", "yes", "yep", "noted", "understood", "agreed",
		"ack", "acknowledged", "roger", "received", "lgtm", "nevermind", "done", "fixed", "finished", "completed", "merged", "pushed",
		"deployed", "released", "shipped", "closed", "added", "updated", "committed", "rebased", "resolved", "renamed", "removed",
		"reverted", "published", "implemented", "migrated", "created", "cleaned", "bumped", "upgraded", "verified", "installed", "landed",
		"uploaded", "sent", "passed", "passes", "green", "works", "approved", "confirmed", "accepted", "ja", "passt", "erledigt", "fertig":
		return closing
	case "complete", "pass":
		return closing | order
	case "i", "we", "it", "that", "this", "these", "the", "all", "my", "our":
		return stating | pronoun
	case "i'm", "i'll", "i've", "we'll", "we've", "it's", "its", "that's", "both", "everything", "nothing", "no", "on", "in", "as", "for",
		"to", "from", "with", "so", "tests", "see", "sorry", "good", "many", "exactly", "here", "glad", "hope", "next", "then", "later", "today", "tomorrow":
		return stating
	case "fix", "use", "make", "run", "rerun", "change", "look", "send", "give", "take", "try", "don't", "keep", "stop", "start", "move",
		"pick", "set", "note", "test", "check", "review", "confirm", "decide", "choose", "approve", "reply", "answer", "help", "tell",
		"ask", "mark", "get", "have", "ensure", "verify", "merge", "rebase", "push", "pull", "deploy", "close", "open", "update", "add",
		"remove", "write", "read", "let", "wait", "go", "call", "rename", "proceed", "switch", "revert", "bump", "drop":
		return order
	case "do":
		return order | auxiliary
	case "who", "what", "when", "where", "which", "why", "how":
		return query
	case "is", "are", "am", "does", "did", "can", "shall", "will", "may":
		return auxiliary
	case "could", "should", "would":
		return auxiliary | trouble
	case "you", "he", "she", "they", "those", "there", "your", "any", "anyone", "anybody", "someone", "somebody":
		return pronoun
	case "but", "however", "except", "unless", "unsure", "if", "though", "although", "only", "without", "fail", "fails", "failing",
		"failed", "error", "errors", "broken", "breaks", "crash", "crashes", "stuck", "blocked", "missed", "missing", "wrong", "cannot",
		"not", "never", "yet", "still", "almost", "nearly", "partly", "partially", "remaining", "pending", "todo", "ready", "problem",
		"problems", "need", "needs", "needed", "might", "must", "unclear", "instead", "waiting", "asking", "requesting", "wondering",
		"advance":
		return trouble
	}
	switch {
	case strings.HasSuffix(w, "n't"):
		return trouble
	case len(w) > 4 && (strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")):
		return stating
	}
	return 0
}
