package canon

// Cursor reads a JSON text in one pass, nested values included. It is always positioned before
// a value, which the caller reads with one of the methods. They return a *[SyntaxError] or the
// error of their callback.
type Cursor struct {
	reader
	depth int
}

// NewCursor returns a cursor before the value of a text. [Cursor.End] checks that nothing
// follows it.
func NewCursor(data []byte) *Cursor {
	c := &Cursor{reader: reader{data: data}}
	c.space()
	return c
}

// Kind returns the value's kind by its first byte, and Number for anything else.
func (c *Cursor) Kind() Kind {
	if c.pos == len(c.data) {
		return Number
	}
	switch c.data[c.pos] {
	case '{':
		return Mapping
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Value reads any value.
func (c *Cursor) Value() (v Value, err error) {
	err = c.value(c.depth, &v)
	return v, err
}

// Members reads an object, as [Object] does, and calls member before each value.
func (c *Cursor) Members(member func(key []byte) error) error {
	if c.Kind() != Mapping {
		return c.fail("not an object")
	}
	c.depth++
	err := c.members(c.depth, member)
	c.depth--
	return err
}

// Elements reads an array, and calls element before each value.
func (c *Cursor) Elements(element func() error) error {
	if c.Kind() != Array {
		return c.fail("not an array")
	}
	c.depth++
	err := c.elements(c.depth, element)
	c.depth--
	return err
}

// End returns an error if anything follows the value.
func (c *Cursor) End() error { return c.end() }
