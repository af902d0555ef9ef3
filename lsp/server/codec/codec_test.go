package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// frameOf returns a content in its frame.
func frameOf(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// pipe reads from one end, and notes the errors that are written to the other.
type pipe struct {
	io.Reader
	t      testing.TB
	events []string
}

func (p *pipe) Write(frame []byte) (int, error) {
	_, content, _ := bytes.Cut(frame, []byte("\r\n\r\n"))
	var r Reply
	if err := json.Unmarshal(content, &r); err != nil {
		p.t.Error(err)
	}
	p.events = append(p.events, fmt.Sprintf("error %s %d %s", r.ID, r.Error.Code, r.Error.Message))
	return len(frame), nil
}

// readAll reads a stream and notes everything that happens.
func readAll(t testing.TB, r io.Reader) []string {
	p := &pipe{Reader: r, t: t}
	s := New(p, slog.New(slog.DiscardHandler))
	for {
		m, err := s.Next()
		switch {
		case err != nil:
			return append(p.events, "end "+err.Error())
		case m.Method != "":
			p.events = append(p.events, strings.TrimRight(fmt.Sprintf("call %s %s %s", m.Method, m.ID, m.Params), " "))
		default:
			p.events = append(p.events, fmt.Sprintf("response %s %s%s", m.ID, m.Result, m.Error))
		}
	}
}

func TestCodecReads(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":7,"method":"good"}`
	const heard = `call good 7`
	tests := []struct {
		name string
		in   string
		want []string
	}{
		{"nothing", "", nil},
		{"request", frameOf(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x": [1]}}`), []string{`call a 1 {"x": [1]}`}},
		{"notification", frameOf(`{"jsonrpc":"2.0","method":"a","params":[]}`), []string{`call a  []`}},
		{"null params", frameOf(`{"jsonrpc":"2.0","id":1,"method":"a","params":null}`), []string{`call a 1`}},
		{"string id", frameOf(`{"jsonrpc":"2.0","id":"x","method":"a"}`), []string{`call a "x"`}},
		{"negative id", frameOf(`{"jsonrpc":"2.0","id":-5,"method":"a"}`), []string{`call a -5`}},
		{"response", frameOf(`{"jsonrpc":"2.0","id":1,"result":null}`), []string{`response 1 null`}},
		{"error response", frameOf(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`), []string{`response 1 {"code":1,"message":"m"}`}},
		{"two frames", frameOf(good) + frameOf(good), []string{heard, heard}},
		{"white space around content", frameOf(" \r\n" + good + "\n "), []string{heard}},

		{"lower-case header", "content-length: 40\r\n\r\n" + good, []string{heard}},
		{"no space after colon", "Content-Length:40\r\n\r\n" + good, []string{heard}},
		{"bare newlines", "Content-Length: 40\n\n" + good, []string{heard}},
		{"content type before", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 40\r\n\r\n" + good, []string{heard}},
		{"content type after", "Content-Length: 40\r\ncontent-type: application/json; charset=utf8\r\n\r\n" + good, []string{heard}},
		{"the same length twice", "Content-Length: 40\r\nContent-Length: 40\r\n\r\n" + good, []string{heard}},
		{"blank lines between", "\r\n\n" + frameOf(good) + "\r\n\r\n" + frameOf(good) + "\n", []string{heard, heard}},

		{"different lengths", "Content-Length: 40\r\nContent-Length: 41\r\n\r\n" + good, []string{"end broken frame: the header has two different values for Content-Length"}},
		{"length missing", "Content-Type: x\r\n\r\n" + good, []string{"end broken frame: the header has no Content-Length"}},
		{"length empty", "Content-Length: \r\n\r\n", []string{`end broken frame: Content-Length is "", which is not a number`}},
		{"length no number", "Content-Length: 4x\r\n\r\n" + good, []string{`end broken frame: Content-Length is "4x", which is not a number`}},
		{"length negative", "Content-Length: -1\r\n\r\n", []string{`end broken frame: Content-Length is "-1", which is not a number`}},
		{"length beyond reason", "Content-Length: 99999999999\r\n\r\n" + good, []string{"end broken frame: Content-Length is 99999999999, which is out of range"}},
		{"length beyond integers", "Content-Length: 99999999999999999999\r\n\r\n", []string{"end broken frame: Content-Length is 99999999999999999999, which is out of range"}},
		{"garbage behind a frame", frameOf(good) + "hello\r\n" + frameOf(good), []string{heard, `end broken frame: "hello" is not a header`}},
		{"content without a frame", good + "\n", []string{`end broken frame: "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"good\"}" is not a header`}},
		{"garbage in a header", "Content-Length: 40\r\n@ @\r\n\r\n" + good, []string{`end broken frame: "@ @" is not a header`}},
		{"garbage without a newline", strings.Repeat("x", 5<<20), []string{"end broken frame: a line of the header is longer than 1024 bytes"}},
		{"endless header line", "X: " + strings.Repeat("y", 1<<20) + "\r\n" + frameOf(good), []string{"end broken frame: a line of the header is longer than 1024 bytes"}},
		{"content too long", "Content-Length: 38\r\n\r\n" + good + "\n" + frameOf(good), []string{"error null -32700 content is not JSON", `end broken frame: "\"}" is not a header`}},
		{"frame swallowed by content too short", "Content-Length: 60\r\n\r\n" + good + frameOf(good), []string{"error null -32700 content is not JSON", "end unexpected EOF"}},

		{"no content", "Content-Length: 0\r\n\r\n" + frameOf(good), []string{"error null -32700 content is not JSON", heard}},
		{"not JSON", frameOf("{{{") + frameOf(good), []string{"error null -32700 content is not JSON", heard}},
		{"two values", frameOf("{} {}") + frameOf(good), []string{"error null -32700 content is not JSON", heard}},
		{"not UTF-8", frameOf("{\"a\":\"\xff\"}") + frameOf(good), []string{"error null -32700 content is not UTF-8", heard}},
		{"UTF-16", frameOf("{\x00}\x00") + frameOf(good), []string{"error null -32700 content is not JSON", heard}},
		{"too deep", frameOf(strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)) + frameOf(good), []string{"error null -32700 content is not JSON", heard}},

		{"batch", frameOf("["+good+"]") + frameOf(good), []string{"error null -32600 batches are not supported", heard}},
		{"empty batch", frameOf("[]") + frameOf(good), []string{"error null -32600 batches are not supported", heard}},
		{"number", frameOf("5") + frameOf(good), []string{"error null -32600 content is not an object", heard}},
		{"null", frameOf("null") + frameOf(good), []string{"error null -32600 content is not an object", heard}},
		{"empty object", frameOf("{}") + frameOf(good), []string{`error null -32600 jsonrpc is not "2.0"`, heard}},
		{"no version", frameOf(`{"id":3,"method":"a"}`) + frameOf(good), []string{`error 3 -32600 jsonrpc is not "2.0"`, heard}},
		{"version 1", frameOf(`{"jsonrpc":"1.0","id":3,"method":"a"}`) + frameOf(good), []string{`error 3 -32600 jsonrpc is not "2.0"`, heard}},
		{"only an id", frameOf(`{"jsonrpc":"2.0","id":3}`) + frameOf(good), []string{"error 3 -32600 message has no method", heard}},
		{"method is a number", frameOf(`{"jsonrpc":"2.0","id":3,"method":1}`) + frameOf(good), []string{"error 3 -32600 method is not a name", heard}},
		{"method is null", frameOf(`{"jsonrpc":"2.0","id":3,"method":null}`) + frameOf(good), []string{"error 3 -32600 method is not a name", heard}},
		{"method is empty", frameOf(`{"jsonrpc":"2.0","id":3,"method":""}`) + frameOf(good), []string{"error 3 -32600 method is not a name", heard}},
		{"method in capitals", frameOf(`{"jsonrpc":"2.0","id":3,"METHOD":"a"}`) + frameOf(good), []string{`call a 3`, heard}},
		{"request and response", frameOf(`{"jsonrpc":"2.0","id":3,"method":"a","result":1}`) + frameOf(good), []string{"error 3 -32600 message is both a request and a response", heard}},
		{"params are a string", frameOf(`{"jsonrpc":"2.0","id":3,"method":"a","params":"x"}`) + frameOf(good), []string{"error 3 -32600 params are neither an object nor an array", heard}},
		{"null id", frameOf(`{"jsonrpc":"2.0","id":null,"method":"a"}`) + frameOf(good), []string{"error null -32600 id is neither a short string nor an integer", heard}},
		{"fraction id", frameOf(`{"jsonrpc":"2.0","id":1.5,"method":"a"}`) + frameOf(good), []string{"error null -32600 id is neither a short string nor an integer", heard}},
		{"object id", frameOf(`{"jsonrpc":"2.0","id":{},"method":"a"}`) + frameOf(good), []string{"error null -32600 id is neither a short string nor an integer", heard}},
		{"long id", frameOf(`{"jsonrpc":"2.0","id":"`+strings.Repeat("x", 300)+`","method":"a"}`) + frameOf(good), []string{"error null -32600 id is neither a short string nor an integer", heard}},
		{"response to null", frameOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`) + frameOf(good), []string{heard}},
		{"response without id", frameOf(`{"jsonrpc":"2.0","result":1}`) + frameOf(good), []string{heard}},

		{"ends in a header's name", "Content-Len", []string{"end unexpected EOF"}},
		{"ends in a header", "Content-Length: 9\r\n", []string{"end unexpected EOF"}},
		{"ends in a content", "Content-Length: 40\r\n\r\n{", []string{"end unexpected EOF"}},
		{"ends in an oversized content", "Content-Length: 20000000\r\n\r\n{", []string{"end unexpected EOF"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if n := len(want); n == 0 || !strings.HasPrefix(want[n-1], "end") {
				want = append(want, "end EOF")
			}
			if diff := cmp.Diff(want, readAll(t, strings.NewReader(tt.in))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestCodecOversized: a frame over the limit costs no memory, is answered by its id
// if that is in its beginning, and the next frame is read.
func TestCodecOversized(t *testing.T) {
	const size = 100 << 20
	tests := []struct{ name, head, want string }{
		{"request", `{"jsonrpc":"2.0","id":"big","method":"a","params":"`, `error "big" 1007 frame of 104857600 bytes is too large`},
		{"notification", `{"jsonrpc":"2.0","method":"a","params":"`, `error null 1007 frame of 104857600 bytes is too large`},
		{"response", `{"jsonrpc":"2.0","id":1,"result":"`, `error null 1007 frame of 104857600 bytes is too large`},
		{"id that is none", `{"jsonrpc":"2.0","id":[1],"method":"a","params":"`, `error null 1007 frame of 104857600 bytes is too large`},
		{"garbage", `xxxx`, `error null 1007 frame of 104857600 bytes is too large`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := io.MultiReader(
				strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", size, tt.head)),
				io.LimitReader(filler{}, int64(size-len(tt.head))),
				strings.NewReader(frameOf(`{"jsonrpc":"2.0","id":2,"method":"next"}`)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := readAll(t, in)
			runtime.ReadMemStats(&after)
			if diff := cmp.Diff([]string{tt.want, `call next 2`, "end EOF"}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
				t.Errorf("allocated %d bytes for a frame that is not kept", used)
			}
		})
	}
}

// filler is an endless stream of x.
type filler struct{}

func (filler) Read(p []byte) (int, error) {
	p = p[:min(len(p), len(fill))]
	return copy(p, fill), nil
}

var fill = strings.Repeat("x", 64<<10)

func TestCodecLimitIsExact(t *testing.T) {
	body := func(n int) string {
		const head = `{"jsonrpc":"2.0","id":1,"method":"`
		return head + strings.Repeat("m", n-len(head)-2) + `"}`
	}
	if got := readAll(t, strings.NewReader(frameOf(body(MaxFrame)))); !strings.HasPrefix(got[0], "call mmm") {
		t.Errorf("a frame of the limit: got %.80s", got[0])
	}
	if got := readAll(t, strings.NewReader(frameOf(body(MaxFrame+1)))); !strings.HasPrefix(got[0], "error null 1007") {
		t.Errorf("a frame over the limit: got %.80s", got[0])
	}
}

// TestCodecPromise: a header that promises much and delivers little costs little.
func TestCodecPromise(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := readAll(t, strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n{", MaxFrame)))
	runtime.ReadMemStats(&after)
	if diff := cmp.Diff([]string{"end unexpected EOF"}, got); diff != "" {
		t.Error(diff)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("allocated %d bytes", used)
	}
}

func TestCodecWrites(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, slog.New(slog.DiscardHandler))
	if err := s.Write(&Reply{Version: "2.0", ID: json.RawMessage("-1"), Result: json.RawMessage(`"<é>"`)}); err != nil {
		t.Fatal(err)
	}
	want := "Content-Length: 44\r\n\r\n" + `{"jsonrpc":"2.0","id":-1,"result":"<é>"}`
	want = strings.Replace(want, "44", fmt.Sprint(len(want)-len("Content-Length: 44\r\n\r\n")), 1)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := s.Write(func() {}); err == nil {
		t.Error("a value that is not JSON was written")
	}
}

// FuzzCodec: whatever arrives, the codec does not panic or hang, reads a good frame
// before it, and ends with the stream or with a broken frame.
func FuzzCodec(f *testing.F) {
	for _, seed := range []string{
		"", "\r\n", "x", frameOf(`{"jsonrpc":"2.0","id":1,"method":"a"}`), frameOf("[]"), frameOf("{"),
		"Content-Length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "Content-Length: 9\r\n\r\n", "Content-Length: x\r\n\r\n",
		"content-LENGTH:1\n\n5", "Content-Type: a\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
		frameOf(`{"jsonrpc":"2.0","id":null,"result":1}`), "Content-Length: 1073741824\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		good := frameOf(`{"jsonrpc":"2.0","id":7,"method":"good"}`)
		events := readAll(t, io.MultiReader(strings.NewReader(good), bytes.NewReader(in)))
		if events[0] != `call good 7` {
			t.Errorf("lost the frame before %q: %q", in, events)
		}
		end := events[len(events)-1]
		if end != "end EOF" && end != "end unexpected EOF" && !strings.HasPrefix(end, "end broken frame: ") {
			t.Errorf("ended with %q", end)
		}
	})
}
