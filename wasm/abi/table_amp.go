package abi

func ampReading() []Spec {
	return []Spec{
		{
			Op: 400, Name: "amp.message", Args: "*message: bytes", Input: "a message, as it was sent or as it is stored",
			Result: "Mail",
			About:  `Reads a message. "faults" lists every rule that it breaks, and "notes" what real senders do and a reader copes with; a message with either can be shown. Only from, to, subject, priority, inReplyTo and the payload are signed. "context" is the message's own object, or null. "signatureId" names a signature, so that it is found again under another message's id. "local" and "security" are the word of whoever stored the message, and never a reason to trust it; a "riskScore" of -1 is none. Nothing in an attachment is a path: amp.filename and amp.attachmentId say what may be one.`,
		},
		{
			Op: 401, Name: "amp.payloadBytes", Args: "*payload: bytes", Input: "a payload, the object alone",
			Result: "the bytes that are hashed",
			About:  `Returns a payload as it is hashed: sorts members by code point at every level, drops white space, and keeps the digits of numbers and raw UTF-8.`,
		},
		{
			Op: 402, Name: "amp.payloadHash", Args: "*payload: bytes", Input: "a payload, the object alone",
			Result: "text: the digest of these bytes, as the signed text has it",
			About:  `Computes the SHA-256 digest of the bytes from amp.payloadBytes, in base64.`,
		},
		{
			Op: 403, Name: "amp.signed", Args: "*message: bytes", Input: "a message",
			Result: "the bytes that its signature must fit",
			About:  `Returns the signed text, with the payload as it is stored. A message whose signed text is not certain is Malformed.`,
		},
		{
			Op: 404, Name: "amp.verify", Args: "*message: bytes, *key: bytes", Input: "a message, and after it a public key in PEM or DER",
			Result: "MailVerdict",
			About:  `Verifies a message with one key. A signature that does not fit is not an error. "step" is the form in which the message was signed; "payload" and "signed" are then the bytes that were hashed and signed, and "fault" is null. When the step is "not verified", the fault says what is wrong. A key that cannot be read is Malformed.`,
		},
		{
			Op: 405, Name: "amp.judge", Args: "*message: bytes, ...known: MailKnown", Input: "a message, and after it the public keys of its sender",
			Result: "MailTrust",
			About:  `Says in one word how far a message can be trusted. "now" is in Unix milliseconds, "keys" lists the lengths of the keys in bytes, "pin" is the fingerprint of the key that was first seen of the sender, "self" lists the reader's addresses (anybody's where there are none), and "earlier" the signatures of messages that came before. "key" is the fingerprint of the key that fits. "flags" come from amp.flags.`,
		},
		{
			Op: 406, Name: "amp.threads", Args: "links: MailLink[]",
			Result: "{places: MailPlace[]}",
			About:  `Groups messages by what they reply to, a place for each in their order. "parent" is a message's index in the list, or -1. "missing" marks a reply to a message that is not there, and "cycle" one that was taken out of a circle.`,
		},
		{
			Op: 407, Name: "amp.flags", Args: "*text: text", Input: "the text of a message",
			Result: "{flags: text[]}",
			About:  `Lists categories of suspicious words in a text: a hint for a person, and nothing may depend on it.`,
		},
		{
			Op: 408, Name: "amp.unwrap", Args: "*text: text", Input: "the text of a message",
			Result: "{texts: text[]}",
			About:  `Returns the texts that could stand in a trust wrapper, at most two, or none. Only a signature can tell which it was.`,
		},
	}
}

func ampWriting() []Spec {
	return append([]Spec{
		{
			Op: 409, Name: "amp.compose", Args: "...draft: MailDraft",
			Result: "MailLetter",
			About:  `Puts a message together, without its signature. "signed" is what has to be signed: Ed25519 signs the text itself, RSA and ECDSA its SHA-256 digest. "portability" lists what other implementations hash in another way. "millis" and "expires" are Unix milliseconds; the times of an attachment are texts, as a provider gave them. What the module would find fault with, or note, is refused.`,
		},
		{
			Op: 410, Name: "amp.finish", Args: "...draft: MailDraft, *signature: bytes", Input: "the bytes of the signature",
			Result: newMessage,
			About:  `Writes the message of a draft with its signature. Only amp.verify says whether the signature fits.`,
		},
		{
			Op: 411, Name: "amp.reply", Args: "*message: bytes", Input: "a message",
			Result: "MailReply",
			About:  `Begins the draft of an answer, from the message's receiver to its sender.`,
		},
		{
			Op: 412, Name: "amp.receive", Args: "*message: bytes, at: int, method: text", Input: "a message",
			Result: "its bytes with the receiver's notes",
			About:  `Notes when a message came ("at", in Unix milliseconds) and how, and that it is unread. What was signed stays to the byte.`,
		},
		{
			Op: 413, Name: "amp.setStatus", Args: "*message: bytes, status: unread|read|archived, at?: int", Input: "a stored message",
			Result: "its bytes with the new state",
			About:  `Sets a message's state to unread, read or archived. "at" is when it was read, in Unix milliseconds. Every other byte stays.`,
		},
		{
			Op: 414, Name: "amp.newId", Args: "millis: int, random: random8",
			Result: "text: a message's id",
			About:  `Makes a message's id from a time in Unix milliseconds. "random" is 8 random bytes as 16 hexadecimal digits.`,
		},
		{
			Op: 415, Name: "amp.newAttachmentId", Args: "millis: int, random: random8",
			Result: "text: an attachment's id",
			About:  `Makes an attachment's id, as amp.newId does.`,
		},
		{
			Op: 416, Name: "amp.newIdempotencyKey", Args: "random: random16",
			Result: "text: an idempotency key",
			About:  `Makes an idempotency key. "random" is 16 random bytes as 32 hexadecimal digits.`,
		},
	}, ampNames()...)
}

func ampNames() []Spec {
	return []Spec{
		{
			Op: 417, Name: "amp.filename", Args: "*name: text", Input: "a file's name",
			Result: "MailFilename",
			About:  `Says what may become of a file's name. "safe" is the name under which a received attachment may be stored, and "clean" the one that a new attachment gets for a file of that name; either is empty where its fault is not null. "device" means the name of a device on Windows.`,
		},
		{
			Op: 418, Name: "amp.digest", Args: "*content: bytes", Input: "the content of a file",
			Result: "text: the digest in the form that attachments have",
			About:  `Computes the digest of content: sha256: and 64 hexadecimal digits.`,
		},
		{
			Op: 419, Name: "amp.checkAttachment", Args: "size: int, digest: text, *content: bytes", Input: "the content of an attachment",
			Result: "{fault: Fault?}",
			About:  `Compares content with what a message says about it. With a fault it must not be opened, shown or stored under its name.`,
		},
		{
			Op: 420, Name: "amp.key", Args: "*key: bytes", Input: "a public key in PEM or DER",
			Result: "MailKey",
			About:  `Reads a public key: Ed25519, RSA or ECDSA P-256. Anything else, even a private key, is Malformed and not quoted.`,
		},
		{
			Op: 421, Name: "amp.id", Args: "*id: text", Input: "a message's id",
			Result: "MailID",
			About:  `Takes an id apart. "millis" means that it counts milliseconds. A valid id is safe as the name of a file.`,
		},
		{
			Op: 422, Name: "amp.attachmentId", Args: "*id: text", Input: "an attachment's id",
			Result: "MailID",
			About:  `Takes an attachment's id apart, as amp.id does.`,
		},
		{
			Op: 423, Name: "amp.address", Args: "*address: text", Input: "an address",
			Result: "MailAddress",
			About:  `Takes a full address apart. Neither part holds a separator of paths, but "agent" may be the name of a device.`,
		},
	}
}
