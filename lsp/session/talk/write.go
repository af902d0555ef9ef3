package talk

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// NewThread describes a thread to create. Its time and context are filled in.
type NewThread = atsfstore.NewThread

// StaleError is the error for a message that was stored although thread.json could not be
// updated.
type StaleError = atsfstore.StaleError

const (
	// MaxLine is the length in bytes of the longest message.
	MaxLine = atsfstore.MaxLine
	// MaxImage is the size in bytes of the largest image.
	MaxImage = atsfstore.MaxAsset
	// NoAgent is the agent of a thread if the user named none. The format requires one.
	NoAgent = "unassigned"
)

// Image returns the block of an image. Its data is moved to assets/ when it is appended.
func Image(content []byte) (atsf.Block, error) {
	mime, ok := atsf.ImageType(content)
	switch {
	case !ok:
		return atsf.Block{}, errors.New("is no PNG, JPEG, GIF or WebP image (B1)")
	case len(content) > MaxImage:
		return atsf.Block{}, fmt.Errorf("is longer than %d bytes, and larger images are not shown (B1)", MaxImage)
	}
	data := strconv.AppendQuote(nil, base64.StdEncoding.EncodeToString(content))
	return atsf.Block{Type: atsf.TypeImage, Known: true, MimeType: mime, Inline: data}, nil
}

// NewID returns an id for a message.
func NewID() string { return atsfstore.NewID() }

// Prepare creates the .agent of the project's folder, if it is missing.
func (p *Project) Prepare() error {
	d, err := atsfstore.CreateDir(p.Folder, p.By)
	if err != nil {
		return err
	}
	return d.Close()
}

// Begin creates a thread in the project's folder or, unless that was chosen, in the checkout
// that contains it (rule L5). It creates a missing .agent.
func (p *Project) Begin(n NewThread) (*Open, error) {
	folder, err := filepath.EvalSymlinks(p.Folder)
	if err != nil {
		return nil, fmt.Errorf("threads: new: %w", err)
	}
	var tree worktree.Tree
	// If there is no readable repository, the folder itself is used.
	if repo, err := worktree.Find(folder); err == nil {
		var ok bool
		if tree, ok = repo.At(folder); ok && !p.Chosen {
			folder = cmp.Or(tree.Path, folder)
		}
	}
	d, err := atsfstore.CreateDir(folder, p.By)
	if err != nil {
		return nil, err
	}
	if n.Agent.ID == "" {
		config, err := d.Config()
		if err != nil {
			p.Warn("%v", err)
		}
		n.Agent.ID = cmp.Or(config.Defaults.AgentID, NoAgent)
	}
	n.Agent.Name = cmp.Or(n.Agent.Name, n.Agent.ID)
	n.Created = cmp.Or(n.Created, p.Now().UnixMilli())
	n.Context = atsf.Context{WorkingDir: folder, RelativeDir: ".", GitBranch: cmp.Or(n.Context.GitBranch, tree.Branch), GitCommit: tree.Head}
	if tree.Path != "" && !tree.Main && tree.Branch != "" {
		n.Context.Worktree = &atsf.Worktree{Path: tree.Path, Branch: tree.Branch}
	}
	name, err := d.Create(n)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &Open{Dir: d, Name: name, Path: d.Folder()}, nil
}
