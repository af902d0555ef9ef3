package setup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// codexHooks returns our commands at Codex's events. The one that may wait for an answer has
// the same timeout with every setting, since Codex has to trust a changed hook again. For
// the beginning of tool calls, a hook runs only for Codex's questions.
func (m machine) codexHooks() []want {
	before, _ := m.hooks("codex", hookSeconds, permission)[0].edit.(program)
	asked := m.hooks("codex", hidingSeconds, permission)[0].with(func(e *program) { e.other = before.value })
	question := m.hooks("codex", hookSeconds, "PreToolUse")[0].with(func(e *program) { e.matcher = "request_user_input" })
	return append(m.hooks("codex", hookSeconds, "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"), asked, question)
}

// codexTools returns the section of Codex's configuration: our server and, if they are
// known, the hashes of the hooks that Codex may run.
func (m machine) codexTools(hashes map[string]string) want {
	return want{"tools", "tables", tables{edit.Block{Begin: "# signalbox: begin", End: "# signalbox: end"}, m, hashes}}
}

// quoteTOML returns a basic string. TOML has all of Go's escapes used below except \x.
func quoteTOML(s string) string {
	if strings.ContainsAny(s, "\n\r") || strings.Contains(strconv.Quote(s), `\x`) {
		data, err := json.Marshal(s)
		if err == nil {
			return string(data)
		}
	}
	return strconv.Quote(s)
}

func listTOML(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quoteTOML(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// codexTimeout is how long Codex may take to list its hooks.
const codexTimeout = 20 * time.Second

// trustHooks returns Codex's configuration with the hashes of our hooks, because Codex
// silently skips hooks that are not trusted. Codex itself reports the hashes, which changes
// nothing. Each person trusts the hooks of a project in Codex.
func trustHooks(m machine) ([]file, error) {
	if m.project != "" {
		return nil, errors.New("have each person trust the hooks of this project: start codex here and type /hooks")
	}
	command := onPath(m, "codex")
	if command == "" {
		return nil, errors.New("codex is not on the PATH, and runs no hooks that it was not told to trust: start it and type /hooks")
	}
	hashes, err := codexHashes(m, command)
	if err != nil {
		return nil, fmt.Errorf("codex does not tell its hooks (%w): start it and type /hooks to trust them", err)
	}
	return []file{{filepath.Join(m.dir("CODEX_HOME", ".codex"), "config.toml"), []want{m.codexTools(hashes)}}}, nil
}

// codexHashes asks "codex app-server" for the hashes of our hooks.
func codexHashes(m machine, command string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), codexTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, "app-server")
	cmd.Dir = m.home
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		// It ends when its input ends. It is killed only later: the script that npm puts on
		// the PATH would leave the program it started running.
		in.Close()
		stop := time.AfterFunc(2*time.Second, cancel)
		defer stop.Stop()
		_ = cmd.Wait()
	}()
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 16<<20)
	ask := func(id int, method string, params any) (json.RawMessage, error) {
		line, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
		if err != nil {
			return nil, err
		}
		if _, err := in.Write(append(line, '\n')); err != nil {
			return nil, err
		}
		return answerTo(answers, id)
	}
	if _, err := ask(1, "initialize", map[string]any{
		"clientInfo": map[string]string{"name": "signalbox", "version": "0"}, "capabilities": map[string]bool{"experimentalApi": true},
	}); err != nil {
		return nil, err
	}
	if _, err := in.Write([]byte(`{"method":"initialized"}` + "\n")); err != nil {
		return nil, err
	}
	list, err := ask(2, "hooks/list", map[string]any{"cwds": []string{m.home}})
	if err != nil {
		return nil, err
	}
	return m.hashesIn(list, filepath.Join(m.dir("CODEX_HOME", ".codex"), "hooks.json"))
}

func answerTo(lines *bufio.Scanner, id int) (json.RawMessage, error) {
	for lines.Scan() {
		var a struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &a) != nil || a.ID == nil || *a.ID != id {
			continue
		}
		if a.Error != nil {
			return nil, errors.New(a.Error.Message)
		}
		return a.Result, nil
	}
	return nil, errors.Join(errors.New("it ended"), lines.Err())
}

// hashesIn returns the hashes of our hooks in a file: of hooks whose command is exactly the
// one that setup writes.
func (m machine) hashesIn(list json.RawMessage, path string) (map[string]string, error) {
	var all struct {
		Data []struct {
			Hooks []struct {
				Key     string `json:"key"`
				Hash    string `json:"currentHash"`
				Command string `json:"command"`
			} `json:"hooks"`
		} `json:"data"`
	}
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, err
	}
	hashes := make(map[string]string)
	for _, folder := range all.Data {
		for _, h := range folder.Hooks {
			if strings.HasPrefix(h.Key, path+":") && h.Command == m.shell("hook", "codex") && h.Hash != "" {
				hashes[h.Key] = h.Hash
			}
		}
	}
	if len(hashes) == 0 {
		return nil, fmt.Errorf("it lists none of %q", path)
	}
	return hashes, nil
}
