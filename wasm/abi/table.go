package abi

// Spec describes one op. Argument 1 is always a JSON object of parameters; no bytes
// mean an empty object. An op refuses a member it does not know, so that a host never
// thinks an older module obeyed it. Argument 2 holds the bytes of the format.
type Spec struct {
	Op Op
	// Name is the format's prefix and the name of the call.
	Name string
	// Args are the arguments of the call in the clients, as "name: type, name?: type".
	// A question mark follows the name of an argument that may be missing.
	//
	// An argument is a parameter, except in two cases. "..." marks an object whose
	// members are parameters. "*" marks bytes of argument 2: the last such argument
	// ends where argument 2 ends, and the lengths of the others are parameters, called
	// "nameLength", or "name" for a list.
	//
	// A type is text, int, bytes, random8 or random16 (so many random bytes, passed as
	// hexadecimal digits), words like "read|unread", a type of wasm/client, or a list
	// of one of these, as "text[]".
	Args string
	// Input says what argument 2 is, or is empty if it must be.
	Input string
	// Result is the name of a type in wasm/client, "{name: type}" for an object with
	// one member, which the call returns alone, or a phrase that describes bytes. The
	// phrase begins with "text: " if they are a text. Where bytes follow a line of
	// JSON, the type has a field for them with the tag "rest".
	Result string
	// About says what the call does. It begins with a verb.
	About string
	// ByHand names the clients, go and js, where the call is written by hand.
	ByHand string
}

// Ops describes every op, in the order of their numbers: 1 to 99 are general, 100
// to 199 SAMP, 200 to 299 ATSF, 300 to 399 tasks of AMP/1.0, 400 to 499 amp/0.1, 500
// to 549 about all formats, and 550 to 599 make text safe to show. A number is never
// changed or used again.
//
// From this list and the types of wasm/client abigen writes the constants, the
// module's dispatch and encoders, the calls of both clients, the types of JavaScript,
// and the tables in wasm/README.md. The module does not carry it.
func Ops() []Spec {
	all := []Spec{{
		Op: 1, Name: "info",
		Result: "Info",
		About:  "Says what the module is.",
	}}
	for _, format := range [][]Spec{sampOps(), atsfReading(), atsfWriting(), agnMessages(), agnRecords(), ampReading(), ampWriting(), mailOps(), renderOps()} {
		all = append(all, format...)
	}
	return all
}
