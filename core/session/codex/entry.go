package codex

import (
	"encoding/json"
	"strings"
)

// entry is the payload of any record, or the item in it. Members with different types in different
// kinds of records stay raw.
type entry struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Role      string          `json:"role"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Arguments json.RawMessage `json:"arguments"`
	Input     string          `json:"input"`
	Output    json.RawMessage `json:"output"`
	Content   json.RawMessage `json:"content"`
	Summary   json.RawMessage `json:"summary"`
	Tools     json.RawMessage `json:"tools"`
	Action    action          `json:"action"`
	Kinds     struct {
		Of []string `json:"content_item_kinds"`
	} `json:"internal_chat_message_metadata_passthrough"`
	Author    string `json:"author"`
	Recipient string `json:"recipient"`

	Folder   string          `json:"cwd"`
	Model    string          `json:"model"`
	Settings json.RawMessage `json:"thread_settings"`
	Usage    *tokens         `json:"usage"`
	Info     struct {
		Last *tokens `json:"last_token_usage"`
	} `json:"info"`
	Item json.RawMessage `json:"item"`
	Turn struct {
		Trigger string `json:"turn_trigger"`
	} `json:"turn_attribution"`
	Last    string          `json:"last_agent_message"`
	Message string          `json:"message"`
	Error   json.RawMessage `json:"error"`
	Reason  string          `json:"reason"`
	Title   string          `json:"thread_name"`

	Status   string            `json:"status"`
	Source   string            `json:"source"`
	Command  json.RawMessage   `json:"command"`
	All      *string           `json:"aggregated_output"`
	Stdout   string            `json:"stdout"`
	Stderr   string            `json:"stderr"`
	Exit     *int64            `json:"exit_code"`
	Success  *bool             `json:"success"`
	Duration *duration         `json:"duration"`
	Changes  map[string]change `json:"changes"`
	Server   string            `json:"server"`
	Tool     string            `json:"tool"`
	Result   json.RawMessage   `json:"result"`
	Items    json.RawMessage   `json:"content_items"`
	Invoked  struct {
		Server    string          `json:"server"`
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"invocation"`
	Query     string   `json:"query"`
	Path      string   `json:"path"`
	Text      string   `json:"text"`
	Kind      string   `json:"kind"`
	Thread    string   `json:"agent_thread_id"`
	AgentPath string   `json:"agent_path"`
	Event     string   `json:"event_id"`
	Started   string   `json:"new_thread_id"`
	Receivers []string `json:"receiver_thread_ids"`
}

type tokens struct {
	Input  int64 `json:"input_tokens"`
	Output int64 `json:"output_tokens"`
}

type duration struct {
	Seconds int64 `json:"secs"`
	Nanos   int64 `json:"nanos"`
}

// maxSeconds is the longest duration that is accepted, some 30 years.
const maxSeconds = 1e9

// millis returns the duration in milliseconds, or -1 if there is none.
func (d *duration) millis() int64 {
	const second = 1_000_000_000
	if d == nil || d.Seconds < 0 || d.Seconds > maxSeconds || d.Nanos < 0 || d.Nanos >= second {
		return -1
	}
	return d.Seconds*1000 + d.Nanos/1_000_000
}

// action describes a web search or the call of a shell.
type action struct {
	Type    string          `json:"type"`
	Query   string          `json:"query"`
	URL     string          `json:"url"`
	Pattern string          `json:"pattern"`
	Command json.RawMessage `json:"command"`
}

// part is one piece of a content.
type part struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ImageURL  json.RawMessage `json:"image_url"`
	Encrypted string          `json:"encrypted_content"`
	Data      string          `json:"data"`
	MimeType  string          `json:"mimeType"`
}

// parts reads a content: a text, a list of parts, or an object that contains one of these.
func parts(raw json.RawMessage) []part {
	var list []part
	var text string
	var holder struct {
		Content json.RawMessage `json:"content"`
		Items   []part          `json:"content_items"`
	}
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '[':
		decode(raw, &list)
	case '"':
		decode(raw, &text)
		list = []part{{Text: text}}
	case '{':
		decode(raw, &holder)
		if list = holder.Items; list == nil && len(holder.Content) > 0 && holder.Content[0] != '{' {
			list = parts(holder.Content)
		}
	}
	return list
}

// image returns the type and the data of an image, or "" if the part contains none in base64.
func (p *part) image() (mime, data string) {
	if p.Data != "" {
		return checkedBase64(p.MimeType, p.Data)
	}
	var url string
	decode(p.ImageURL, &url)
	url, isData := strings.CutPrefix(url, "data:")
	mime, data, isBase64 := strings.Cut(url, ";base64,")
	if !isData || !isBase64 {
		return "", ""
	}
	return checkedBase64(mime, data)
}

// checkedBase64 returns its arguments, or "" if data is not base64: such data might need escapes
// in a JSON string.
func checkedBase64(mime, data string) (string, string) {
	for i := range len(data) {
		c := data[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '+' && c != '/' && c != '=' && c != '-' && c != '_' {
			return "", ""
		}
	}
	return mime, data
}
