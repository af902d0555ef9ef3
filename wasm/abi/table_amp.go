package abi

// The shapes that several ops of amp/0.1 share, named after the fields of
// core/amp.
const (
	fileParams  = `"id","filename","contentType","size","digest","url","scanStatus"`
	draftParams = `"id","idempotencyKey","from","to","subject","priority"?,"millis","expires"?,"inReplyTo"?,"threadId"?,"type","text"?,"context"?,"attachments":[{` + fileParams + `,"uploaded","expires"}]?,"routed"?`
	idShape     = `{"valid","seconds","millis","suffix","dashes"}`
)

func ampReading() []Shape {
	return []Shape{
		{
			Op: AMPMessage, Input: "a message, as it was sent or as it is stored",
			Result: `{"version","id","from","to","subject","priority","time":` + sentShape + `,"expires":` + sentShape + `,"signature","signatureId","inReplyTo","threadId","idempotencyKey","payload":{"type","text","context","attachments":[{` + fileParams + `,"uploaded":` + sentShape + `,"expires":` + sentShape + `}]},"local":{"received":` + sentShape + `,"readAt":` + sentShape + `,"status","method","verified"},"security":{"trustLevel","flags":[…],"quarantineId","windowScan","riskScore","riskLevel","wrapped"},` + listsShape + `}`,
			About:  `Reads a message. "faults" lists every rule that it breaks, "notes" what real senders do and a reader copes with; it can be shown with either. Only from, to, subject, priority, inReplyTo and the payload are signed. "context" is the message's own object, or null. "signatureId" names a signature, so that it is found again under another message's id. "local" and "security" are the word of whoever stored the message, and never a reason to trust it; a "riskScore" of -1 is none. Nothing in an attachment is a path: amp.filename and amp.attachmentId say what may be one.`,
		},
		{
			Op: AMPPayloadBytes, Input: "a payload, the object alone",
			Result: "the bytes that are hashed",
			About:  `Sorts members by code point at every level, drops white space, and keeps the digits of numbers and raw UTF-8.`,
		},
		{
			Op: AMPPayloadHash, Input: "a payload, the object alone",
			Result: "the digest of these bytes, as the signed text has it",
			About:  `The SHA-256 digest of what amp.payloadBytes gives, in base64.`,
		},
		{
			Op: AMPSigned, Input: "a message",
			Result: "the bytes that its signature must fit",
			About:  `The signed text, over the payload as it is stored. A message whose signed text is not certain is Malformed.`,
		},
		{
			Op: AMPVerify, Params: `"messageLength"`, Input: "a message, and after it a public key in PEM or DER",
			Result: `{"verified","step","payload","signed","fault":` + faultShape + `}`,
			About:  `Holds a message against one key. "step" is the form in which the message was signed: as stored, without the empty attachments or without the trust wrapper, each perhaps followed by ", with" and what its sender wrote in another way; or not verified. "payload" and "signed" are then the bytes that were hashed and signed, and "fault" is null; without a step it says what is wrong. A key that cannot be read is Malformed.`,
		},
		{
			Op: AMPJudge, Params: `"now","messageLength","keys":[…]?,"pin"?,"self":[…]?,"earlier":[{"signatureId","id","idempotencyKey"?}]?`, Input: "a message, and after it the public keys of its sender",
			Result: `{"state","reason","step","key","flags":[…]}`,
			About:  `Says in one word how far a message can be trusted: verified, external, untrusted, unsigned, key unknown, key mismatch, replayed, expired or sent before. "now" is in Unix milliseconds, "keys" are the lengths of the keys in bytes, "pin" the fingerprint of the key that was first seen of the sender, "self" the reader's addresses (those of anybody where there are none), "earlier" the signatures of messages that came before. "key" is the fingerprint of the key that fits. "flags" are those of amp.flags.`,
		},
		{
			Op: AMPThreads, Params: `"links":[{"id","inReplyTo"?}]`,
			Result: `{"places":[{"thread","parent","depth","missing","cycle"}]}`,
			About:  `Groups messages by what they reply to, a place for each in their order. "parent" is a message's number in the list, from 0, or -1; "missing" tells of a reply to a message that is not there, "cycle" of one that was taken out of a circle.`,
		},
		{
			Op: AMPFlags, Input: "the text of a message",
			Result: `{"flags":[…]}`,
			About:  `Categories of suspicious words: a hint for a person, and nothing may depend on it.`,
		},
		{
			Op: AMPUnwrap, Input: "the text of a message",
			Result: `{"texts":[…]}`,
			About:  `The texts that could stand in a trust wrapper, at most two, or none. Only a signature can tell which it was.`,
		},
	}
}

func ampWriting() []Shape {
	return []Shape{
		{
			Op: AMPCompose, Params: draftParams,
			Result: `{"payload","signed","portability":[` + faultShape + `]}`,
			About:  `Puts a message together, without its signature. "signed" is what has to be signed: Ed25519 signs the text itself, RSA and ECDSA its SHA-256 digest. "portability" lists what other implementations hash in another way. "millis" and "expires" are Unix milliseconds; those of an attachment are texts, as a provider gave them. What the module would find fault with, or note, is refused.`,
		},
		{
			Op: AMPFinish, Params: draftParams, Input: "the bytes of the signature",
			Result: newMessage,
			About:  `Writes the message of a draft with its signature. Whether that fits is for amp.verify to say.`,
		},
		{
			Op: AMPReply, Input: "a message",
			Result: `{"from","to","subject","inReplyTo","threadId"}`,
			About:  `Begins the draft of an answer, from the message's receiver to its sender.`,
		},
		{
			Op: AMPReceive, Params: `"at","method"`, Input: "a message",
			Result: "its bytes with the receiver's notes",
			About:  `Notes when a message came ("at", in Unix milliseconds) and how, and that it is unread. What was signed stays to the byte.`,
		},
		{
			Op: AMPSetStatus, Params: `"status","at"?`, Input: "a stored message",
			Result: "its bytes with the new state",
			About:  `Gives a message the state unread, read or archived. "at" is when it was read, in Unix milliseconds. Every other byte stays.`,
		},
		{
			Op: AMPNewID, Params: `"millis","random"`,
			Result: "a message's id",
			About:  `Makes an id. "random" is 8 random bytes as 16 hexadecimal digits.`,
		},
		{
			Op: AMPNewAttachmentID, Params: `"millis","random"`,
			Result: "an attachment's id",
			About:  `As amp.newId.`,
		},
		{
			Op: AMPNewIdempotencyKey, Params: `"random"`,
			Result: "an idempotency key",
			About:  `Makes a key of 16 random bytes, 32 hexadecimal digits.`,
		},
	}
}

func ampNames() []Shape {
	return []Shape{
		{
			Op: AMPFilename, Input: "a file's name",
			Result: `{"safe","safeFault":` + faultShape + `,"clean","cleanFault":` + faultShape + `,"device"}`,
			About:  `"safe" is the name under which an attachment that was received may be stored, "clean" the one that a new attachment gets for a file of that name; either is empty where its fault is not null. "device" tells of the name of a device on Windows.`,
		},
		{
			Op: AMPDigest, Input: "the content of a file",
			Result: "the digest in the form of an attachment's",
			About:  `sha256: and 64 hexadecimal digits.`,
		},
		{
			Op: AMPCheckAttachment, Params: `"size","digest"`, Input: "the content of an attachment",
			Result: `{"fault":` + faultShape + `}`,
			About:  `Holds content against what a message says of it. With a fault it must not be opened, shown or stored under its name.`,
		},
		{
			Op: AMPKey, Input: "a public key in PEM or DER",
			Result: `{"algorithm","fingerprint","pem"}`,
			About:  `Reads a key: Ed25519, RSA or ECDSA P-256. Anything else, a private key too, is Malformed and not quoted.`,
		},
		{
			Op: AMPID, Input: "a message's id",
			Result: idShape,
			About:  `Takes an id apart; "millis" tells that it counts milliseconds. One that is valid is safe as the name of a file.`,
		},
		{
			Op: AMPAttachmentID, Input: "an attachment's id",
			Result: idShape,
			About:  `As amp.id.`,
		},
		{
			Op: AMPAddress, Input: "an address",
			Result: `{"valid","agent","domain"}`,
			About:  `Takes a full address apart. Neither part holds a separator of paths, but "agent" may be the name of a device.`,
		},
	}
}
