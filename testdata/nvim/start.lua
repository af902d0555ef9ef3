-- Neovim 0.7, which Debian 12 has, lacks vim.lsp.start of the page that is tested
-- here. This does the part of it that the page uses.
if not vim.lsp.start then
  local running
  vim.lsp.start = function(config)
    running = running or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, running)
    return running
  end
end
