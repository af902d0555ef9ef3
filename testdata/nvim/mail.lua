-- Drives a headless Neovim that was started with the block of docs/neovim.md as its
-- init.lua: hover, inbox, thread, reply, escalation and completion through what that
-- page defines, then the standard methods one by one. The test gives the ids to look
-- at and a file for the answers in the environment.

local function answer(method, params)
  local replies, err = vim.lsp.buf_request_sync(0, method, params, 10000)
  if err or not replies or vim.tbl_isempty(replies) then
    error(method .. ": " .. tostring(err or "no answer"))
  end
  for _, reply in pairs(replies) do
    if reply.error then
      error(method .. ": " .. reply.error.message)
    end
    return reply.result
  end
end

local function command(name, ...)
  return answer("workspace/executeCommand", { command = name, arguments = { ... } })
end

local ok, failure = xpcall(function()
  local id, agent = os.getenv("SIGNALBOX_ID"), os.getenv("SIGNALBOX_AGENT_THREAD")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, {
    "# Notes", "", "see " .. id .. " for the login bug", "and " .. agent .. ".", "to: al", "in [thread:log",
  })
  local client
  local ready = vim.wait(10000, function()
    for _, c in pairs(vim.lsp.buf_get_clients(0)) do
      client = c.id
    end
    return client ~= nil and vim.lsp.get_client_by_id(client).initialized
  end, 10)
  assert(ready, "the page's server did not answer initialize")

  local result = {}
  local function hover(line)
    return answer("textDocument/hover", {
      textDocument = vim.lsp.util.make_text_document_params(),
      position = { line = line, character = 8 },
    }).contents.value
  end
  -- The index is filled behind initialize.
  vim.wait(10000, function()
    result.inbox = command("signalbox.inbox")
    return #result.inbox.data.threads > 1
  end, 20)
  result.hover = hover(2)
  result.thread = command("signalbox.thread", id).text
  result.reply = command("signalbox.reply", { id = id, body = "Fixed, from Neovim." }).data
  result.after = command("signalbox.thread", id).text

  -- What the page promises, through what it defines.
  local page = {}
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  end
  local function run_lens(title)
    local found
    vim.wait(10000, function()
      for _, lens in ipairs(vim.lsp.codelens.get(0)) do
        found = found or lens.command.title == title and lens
      end
      return found
    end, 10)
    assert(found, "there is no lens " .. title .. " in " .. vim.api.nvim_buf_get_name(0) .. ": " .. text())
    vim.api.nvim_win_set_cursor(0, { found.range.start.line + 1, 0 })
    vim.ui.select = function(items, _, choose)
      for _, item in ipairs(items) do
        if item.lens.command.title == title then
          return choose(item)
        end
      end
    end
    vim.lsp.codelens.run()
  end
  local function append(line)
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { line })
  end
  vim.cmd("SignalboxInbox")
  page.inbox = text()
  run_lens("Open")
  page.thread = text()
  run_lens("Reply")
  page.draft = text()
  append("Fixed, from a draft.")
  vim.cmd("write")
  vim.cmd("write")
  page.modified = vim.bo.modified
  vim.cmd("SignalboxThread " .. id)
  page.after = text()
  vim.cmd("SignalboxCompose")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "To: al", "Thread: plan", "", "Shall we?" })
  local here = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 0, character = 6 } }
  for _, item in ipairs(answer("textDocument/completion", here).items) do
    if item.label == "alice" then
      vim.lsp.util.apply_text_edits({ item.textEdit }, 0, "utf-16")
    end
  end
  page.composed = text()
  run_lens("Send")
  vim.cmd("SignalboxSearch thread:plan")
  page.search = text()
  vim.cmd("SignalboxEscalations")
  page.escalations = text()
  run_lens("Answer")
  page.answer = text()
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "Action: sing" })
  append("Smaller, from Neovim.")
  page.refused = select(2, pcall(vim.cmd, "write"))
  page.kept = vim.bo.modified
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "Action: split" })
  vim.cmd("write")
  vim.cmd("SignalboxEscalations")
  page.answered = text()
  page.failed = select(2, pcall(vim.cmd, "SignalboxThread nothing-of-the-kind"))
  vim.cmd("buffer 1 | only")
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.startswith(vim.api.nvim_buf_get_name(buffer), "signalbox-text:") then
      vim.cmd("bdelete! " .. buffer)
    end
  end

  local document = vim.lsp.util.make_text_document_params()
  local function at(line, character, more)
    return vim.tbl_extend("force", { textDocument = document, position = { line = line, character = character } }, more or {})
  end
  local function place(location)
    return vim.fn.fnamemodify(vim.uri_to_fname(location.uri), ":t") .. ":" .. (location.range.start.line + 1) .. ":" .. location.range.start.character
  end
  local definitions = answer("textDocument/definition", at(2, 8))
  vim.lsp.util.jump_to_location(definitions[1], "utf-16")
  result.definition = place(definitions[1]) .. " " .. vim.fn.expand("%:t") .. ":" .. vim.fn.line(".")
  vim.cmd("buffer 1")
  local function labels(params)
    local list = {}
    for _, item in ipairs(answer("textDocument/completion", params).items) do
      table.insert(list, item.label .. "=" .. item.textEdit.newText)
    end
    return table.concat(list, " ")
  end
  result.recipients = labels(at(4, 6, { context = { triggerKind = 1 } }))
  result.threads = labels(at(5, 14, { context = { triggerKind = 1 } }))
  command("signalbox.send", { to = "alice", body = "It is as " .. id .. " says.", thread = "other" })
  local function places(list)
    local found = {}
    for _, location in ipairs(list) do
      table.insert(found, place(location))
    end
    return table.concat(found, " ")
  end
  result.references = places(answer("textDocument/references", at(2, 8, { context = { includeDeclaration = true } })))
  local symbols = {}
  for _, symbol in ipairs(answer("workspace/symbol", { query = "log" })) do
    table.insert(symbols, symbol.name .. " " .. place(symbol.location))
  end
  result.symbols = table.concat(symbols, " ")
  local links = answer("textDocument/documentLink", { textDocument = document })
  result.links = #links .. " " .. answer("documentLink/resolve", links[1]).target

  -- The thread's text has lenses, and one of them marks the message as read.
  local shown = vim.split(command("signalbox.thread", id).text, "\n")
  vim.cmd("new")
  vim.api.nvim_buf_set_name(0, "thread.md")
  vim.bo.filetype = "markdown"
  vim.api.nvim_buf_set_lines(0, 0, -1, false, shown)
  vim.lsp.buf_attach_client(0, client)
  local twin = { textDocument = vim.lsp.util.make_text_document_params() }
  local titles = {}
  for _, lens in ipairs(answer("textDocument/codeLens", twin)) do
    table.insert(titles, lens.command.title)
    if lens.command.title == "Mark read" then
      result.marked = command(lens.command.command, unpack(lens.command.arguments)).text
    end
  end
  result.lenses = table.concat(titles, " ")
  result.outline = #answer("textDocument/documentSymbol", twin)
  vim.cmd("bdelete!")
  vim.cmd("buffer 1")
  local mention = { textDocument = document, range = { start = at(2, 8).position, ["end"] = at(2, 8).position }, context = { diagnostics = {} } }
  titles = {}
  for _, action in ipairs(answer("textDocument/codeAction", mention)) do
    table.insert(titles, action.title)
  end
  result.mention = table.concat(titles, "; ")

  result.agentHover = hover(3)
  result.agentThread = command("signalbox.thread", agent).text

  local answer_to = { id = os.getenv("SIGNALBOX_ESCALATION"), action = "split", body = "Smaller, from Neovim." }
  result.responded = command("signalbox.respond", answer_to).text
  answer_to.dryRun = true
  result.preview = command("signalbox.respond", answer_to).text
  result.task = command("signalbox.task", os.getenv("SIGNALBOX_TASK")).text

  local function rule(d)
    return d.code or d.user_data.lsp.code
  end
  local function diagnostics(enough)
    local found = {}
    vim.wait(10000, function()
      found = vim.diagnostic.get(0)
      return enough(found)
    end, 20)
    return found
  end
  local function some(found)
    return #found > 0
  end

  vim.cmd("edit .agent/config.json")
  vim.lsp.buf_attach_client(0, client)
  local found = diagnostics(some)
  result.diagnostic = found[1] and rule(found[1]) .. " line " .. (found[1].lnum + 1)

  vim.cmd("edit message.json")
  vim.lsp.buf_attach_client(0, client)
  local message = diagnostics(some)[1]
  result.message = rule(message) .. " " .. (message.lnum + 1) .. ":" .. (message.col + 1) .. "-" .. (message.end_col + 1)
  vim.api.nvim_win_set_cursor(0, { message.lnum + 1, message.col })
  local range = vim.lsp.util.make_range_params()
  range.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
  local actions = answer("textDocument/codeAction", range)
  result.action = actions[1].title
  vim.lsp.util.apply_workspace_edit(actions[1].edit, vim.lsp.get_client_by_id(client).offset_encoding)
  result.left = #diagnostics(function(list)
    return #list == 0
  end)
  result.mended = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"

  local out = assert(io.open(os.getenv("SIGNALBOX_OUT"), "w"))
  out:write(vim.fn.json_encode({
    hover = result.hover, inbox = result.inbox.text, thread = result.thread, reply = result.reply, after = result.after,
    agentHover = result.agentHover, agentThread = result.agentThread, diagnostic = result.diagnostic,
    page = page, preview = result.preview, responded = result.responded, task = result.task,
    definition = result.definition, references = result.references, symbols = result.symbols, links = result.links,
    recipients = result.recipients, threads = result.threads, lenses = result.lenses, marked = result.marked, outline = result.outline,
    mention = result.mention,
    message = result.message, action = result.action, left = result.left, mended = result.mended,
  }))
  out:close()
  vim.lsp.stop_client(client)
end, debug.traceback)
if not ok then
  io.stderr:write(tostring(failure) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
