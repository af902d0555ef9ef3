package linked

import (
	"encoding/binary"
	"strconv"
)

// The names by which the parts of a module know each other and their host.
const (
	// FirstModule is what the later parts and the door import the first one's table,
	// memory and variables from.
	FirstModule = "signalbox.first"
	// HostModule has the function Load of the host, which takes the number of a
	// part and returns when that part's functions stand in the table.
	HostModule = "signalbox.host"
	Load       = "load"

	tableName = "signalbox.table"
)

// Parts is a module in pieces, each a module of its own. All of them share the first
// one's memory, variables and table of functions.
type Parts struct {
	// First has what every call needs, and the exports of the whole. In the place of
	// a function of another part it has one that knocks at the door and then calls
	// what stands in the table.
	First []byte
	// Door calls the host once for each part whose functions are asked for. It
	// is instantiated behind First, before anything runs. Nil if there is nothing later.
	Door []byte
	// Count is how many parts there are, the first among them.
	Count int

	whole *linkedModule
}

// Later gives a part from 1 to Count-1. Once it is instantiated its functions stand
// in the table, and its door is closed. It reads the bytes that were split.
func (p Parts) Later(part int) []byte { return p.whole.later(part) }

// Split takes a module apart as its list of parts says, see [Finish]. A module
// without the list is all First. The error is one for a module with a list that does
// not fit it, or of a kind that Go does not link.
//
// Every function keeps its index, in each part, so that no code has to be read: a
// body is taken as it is, or replaced by a call through the table, in which Go's
// linker lists every function.
func Split(module []byte) (Parts, error) {
	list, err := read(module)
	if err != nil {
		return Parts{}, err
	}
	whole := Parts{First: module, Count: 1}
	var runs []byte
	marked := false
	for _, s := range list {
		if content, ok := s.named(partsSection); ok {
			runs, marked = content, true
		}
	}
	if !marked {
		return whole, nil
	}
	m, err := parse(list)
	if err != nil {
		return Parts{}, err
	}
	parts, count, ok := readParts(runs, len(m.bodies))
	if !ok {
		return Parts{}, errFormat
	}
	if count == 1 {
		return whole, nil
	}
	m.parts, m.doors = parts, count-1
	return Parts{First: m.first(list), Door: m.door(), Count: count, whole: m}, nil
}

// linkedModule is what the parts are made of.
type linkedModule struct {
	types    []byte // without their count
	params   []int  // the number of parameters of each type
	imports  []byte // without their count
	imported int    // how many functions that is
	typeOf   []int  // of each function but the imported ones
	bodies   [][]byte
	slots    []int // where each function stands in the table
	table    int   // the table's size
	memory   int   // pages that the memory begins with
	globals  []global
	exports  []byte // without their count
	exported int    // how many that is

	parts []int // of each function
	doors int   // how many parts there are besides the first
}

// global is the type of a variable and whether it changes.
type global struct{ kind, mutable byte }

// parse reads the sections that the parts are made of.
func parse(list []section) (*linkedModule, error) {
	m := &linkedModule{}
	seen := map[byte]bool{}
	for _, s := range list {
		r := reader{s.content, false}
		switch s.id {
		case customSection:
			continue
		case typeSection:
			m.readTypes(&r)
		case importSection:
			m.readImports(&r)
		case functionSection:
			m.readFunctions(&r)
		case tableSection:
			m.readTable(&r)
		case memorySection:
			m.readMemory(&r)
		case globalSection:
			m.readGlobals(&r)
		case exportSection:
			m.readExports(&r)
		case elementSection:
			m.readElements(&r)
		case codeSection:
			m.readCode(&r)
		case dataSection:
			r.rest = nil // stays as it is
		default:
			return nil, errFormat
		}
		if seen[s.id] || !r.whole() {
			return nil, errFormat
		}
		seen[s.id] = true
	}
	// Every function has a type that is there, a body, and a place in the table.
	if len(m.typeOf) != len(m.bodies) || len(m.slots) != len(m.bodies) {
		return nil, errFormat
	}
	for i, t := range m.typeOf {
		if t >= len(m.params) || m.slots[i] < 0 || m.slots[i] >= m.table {
			return nil, errFormat
		}
	}
	return m, nil
}

func (m *linkedModule) readTypes(r *reader) {
	n := r.number()
	m.types = r.rest
	for range n {
		r.expect(function)
		params := r.number()
		r.bytes(params)
		r.bytes(r.number())
		// Go's have at most five. Each call that stands in for a function passes all.
		if r.broken = r.broken || params > 16; r.broken {
			return
		}
		m.params = append(m.params, params)
	}
}

func (m *linkedModule) readImports(r *reader) {
	m.imported = r.number()
	m.imports = r.rest
	for range m.imported {
		r.bytes(r.number())
		r.bytes(r.number())
		r.expect(kindFunction)
		r.number()
		if r.broken {
			return
		}
	}
}

func (m *linkedModule) readFunctions(r *reader) {
	for range r.number() {
		m.typeOf = append(m.typeOf, r.number())
		if r.broken {
			return
		}
	}
	m.slots = make([]int, len(m.typeOf))
	for i := range m.slots {
		m.slots[i] = -1
	}
}

func (m *linkedModule) readTable(r *reader) {
	r.expect(1, funcref, 0) // one, without a greatest size
	m.table = r.number()
}

func (m *linkedModule) readMemory(r *reader) {
	r.expect(1, 0)
	m.memory = r.number()
}

func (m *linkedModule) readGlobals(r *reader) {
	for range r.number() {
		g := global{r.byte(), r.byte()}
		if op := r.byte(); op != i32Const && op != i64Const {
			r.broken = true
		}
		r.signed()
		r.expect(end)
		if r.broken {
			return
		}
		m.globals = append(m.globals, g)
	}
}

func (m *linkedModule) readExports(r *reader) {
	m.exported = r.number()
	m.exports = r.rest
	r.rest = nil
}

func (m *linkedModule) readElements(r *reader) {
	r.expect(1, 0, i32Const)
	slot := r.signed()
	r.expect(end)
	for range r.number() {
		i := r.number() - m.imported
		if r.broken || i >= len(m.slots) {
			r.broken = true
			return
		}
		if i >= 0 {
			m.slots[i] = slot
		}
		slot++
	}
}

func (m *linkedModule) readCode(r *reader) {
	for range r.number() {
		m.bodies = append(m.bodies, r.bytes(r.number()))
		if r.broken {
			return
		}
	}
}

// void is the number of the type that is added to the others: no parameters and no
// results.
func (m *linkedModule) void() int { return len(m.params) }

func (m *linkedModule) withVoid() []byte {
	out := binary.AppendUvarint(nil, uint64(len(m.params)+1))
	return append(append(out, m.types...), function, 0, 0)
}

// doorOf is where in the table the door of a part stands, behind everything else.
func (m *linkedModule) doorOf(part int) int { return m.table + part - 1 }

// first is the module with other parts' functions replaced.
func (m *linkedModule) first(list []section) []byte {
	size := 0
	code := m.code(0, func(out []byte, i int) []byte {
		out = appendSigned(append(out, i32Const), m.doorOf(m.parts[i]))
		out = binary.AppendUvarint(append(out, callIndirect), uint64(m.void()))
		return m.appendCall(append(out, 0), i)
	})
	out := make([]section, 0, len(list))
	for _, s := range list {
		switch s.id {
		case customSection:
			continue
		case typeSection:
			s.content = m.withVoid()
		case tableSection:
			s.content = binary.AppendUvarint([]byte{1, funcref, 0}, uint64(m.table+m.doors))
		case exportSection:
			s.content = m.allExports()
		case codeSection:
			s.content = code
		}
		size += len(s.content) + 8
		out = append(out, s)
	}
	return write(out, size)
}

// allExports are those of the whole, and the table and the variables.
func (m *linkedModule) allExports() []byte {
	out := binary.AppendUvarint(nil, uint64(m.exported+1+len(m.globals)))
	out = append(out, m.exports...)
	out = append(appendName(out, tableName), kindTable, 0)
	for i := range m.globals {
		out = binary.AppendUvarint(append(appendName(out, globalName(i)), kindGlobal), uint64(i))
	}
	return out
}

func globalName(i int) string { return "signalbox.global." + strconv.Itoa(i) }

// code is a section with the bodies of a part's functions, and in the place of
// others one that is made of what call appends. More bodies may follow.
func (m *linkedModule) code(part int, call func(out []byte, i int) []byte, more ...[]byte) []byte {
	size := 0
	for i, body := range m.bodies {
		size += 16
		if m.parts[i] == part {
			size += len(body)
		}
	}
	out := binary.AppendUvarint(make([]byte, 0, size), uint64(len(m.bodies)+len(more)))
	var stub []byte
	for i, body := range m.bodies {
		if m.parts[i] != part {
			body = append(call(append(stub[:0], 0), i), end)
			stub = body
		}
		out = appendSized(out, body)
	}
	for _, body := range more {
		out = appendSized(out, body)
	}
	return out
}

// appendCall appends a call of a function through the table, with the parameters of
// the function that it stands in.
func (m *linkedModule) appendCall(out []byte, i int) []byte {
	t := m.typeOf[i]
	for p := range m.params[t] {
		out = binary.AppendUvarint(append(out, localGet), uint64(p))
	}
	out = appendSigned(append(out, i32Const), m.slots[i])
	out = binary.AppendUvarint(append(out, callIndirect), uint64(t))
	return append(out, 0)
}

// later is a part: its functions at their own indices, and behind them one that does
// nothing and stands in the door's place.
func (m *linkedModule) later(part int) []byte {
	imports := binary.AppendUvarint(nil, uint64(m.imported+2+len(m.globals)))
	imports = append(imports, m.imports...)
	imports = m.appendTable(imports)
	imports = append(appendImport(imports, FirstModule, "memory"), kindMemory, 0)
	imports = binary.AppendUvarint(imports, uint64(m.memory))
	for i, g := range m.globals {
		imports = append(appendImport(imports, FirstModule, globalName(i)), kindGlobal, g.kind, g.mutable)
	}
	functions := binary.AppendUvarint(nil, uint64(len(m.typeOf)+1))
	for _, t := range m.typeOf {
		functions = binary.AppendUvarint(functions, uint64(t))
	}
	functions = binary.AppendUvarint(functions, uint64(m.void()))
	code := m.code(part, m.appendCall, []byte{0, end})
	return write([]section{
		{typeSection, m.withVoid()},
		{importSection, imports},
		{functionSection, functions},
		{elementSection, m.elements(part)},
		{codeSection, code},
	}, len(code)+1<<16)
}

// elements puts a part's functions into the table, and closes its door.
func (m *linkedModule) elements(part int) []byte {
	var list []byte
	n := 1
	for i := 0; i < len(m.parts); {
		if m.parts[i] != part {
			i++
			continue
		}
		from := i
		for i < len(m.parts) && m.parts[i] == part && m.slots[i] == m.slots[from]+i-from {
			i++
		}
		list = appendElements(list, m.slots[from], m.imported+from, i-from)
		n++
	}
	list = appendElements(list, m.doorOf(part), m.imported+len(m.bodies), 1)
	return append(binary.AppendUvarint(nil, uint64(n)), list...)
}

// appendElements puts n functions, the first of which is index, into the table.
func appendElements(dst []byte, slot, index, n int) []byte {
	dst = appendSigned(append(dst, 0, i32Const), slot)
	dst = binary.AppendUvarint(append(dst, end), uint64(n))
	for i := range n {
		dst = binary.AppendUvarint(dst, uint64(index+i))
	}
	return dst
}

// door is a module with a function for each later part, which asks the host for it.
func (m *linkedModule) door() []byte {
	types := []byte{2, function, 0, 0, function, 1, i32, 0}
	imports := append(appendImport([]byte{2}, HostModule, Load), kindFunction, 1)
	imports = m.appendTable(imports)
	functions := binary.AppendUvarint(nil, uint64(m.doors))
	code := binary.AppendUvarint(nil, uint64(m.doors))
	for part := 1; part <= m.doors; part++ {
		functions = append(functions, 0)
		body := appendSigned([]byte{0, i32Const}, part)
		code = appendSized(code, append(body, call, 0, end))
	}
	elements := appendElements([]byte{1}, m.doorOf(1), 1, m.doors)
	return write([]section{
		{typeSection, types},
		{importSection, imports},
		{functionSection, functions},
		{elementSection, elements},
		{codeSection, code},
	}, 1<<10)
}

// appendTable appends the import of the first part's table.
func (m *linkedModule) appendTable(out []byte) []byte {
	out = append(appendImport(out, FirstModule, tableName), kindTable, funcref, 0)
	return binary.AppendUvarint(out, uint64(m.table+m.doors))
}

func appendImport(dst []byte, module, name string) []byte {
	return appendName(appendName(dst, module), name)
}
