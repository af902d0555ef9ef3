package worktree

// HeadIn is for the fuzz target.
var HeadIn = headIn //nolint:gochecknoglobals // tests alone see it
