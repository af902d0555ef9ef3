-- Drives a headless Neovim against the server: hover, inbox, thread and reply,
-- an agent's thread, diagnostics of a project's config.json and of a task message,
-- and a fix of that. The test gives the server's command line, the ids to look at
-- and a file for the answers in the environment.

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

local ok, failure = pcall(function()
  local id, agent = os.getenv("SIGNALBOX_ID"), os.getenv("SIGNALBOX_AGENT_THREAD")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "# Notes", "", "see " .. id .. " for the login bug", "and " .. agent .. "." })
  local client = vim.lsp.start_client({
    name = "signalbox",
    cmd = vim.fn.json_decode(os.getenv("SIGNALBOX_CMD")),
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  local ready = vim.wait(10000, function()
    local c = vim.lsp.get_client_by_id(client)
    return c ~= nil and c.initialized
  end, 10)
  assert(ready, "the server did not answer initialize")

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

  result.agentHover = hover(3)
  result.agentThread = command("signalbox.thread", agent).text

  result.escalations = command("signalbox.escalations").text
  local answer_to = { id = os.getenv("SIGNALBOX_ESCALATION"), action = "split", body = "Smaller, from Neovim.", dryRun = true }
  result.preview = command("signalbox.respond", answer_to).text
  answer_to.dryRun = nil
  result.responded = command("signalbox.respond", answer_to).text
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
    escalations = result.escalations, preview = result.preview, responded = result.responded, task = result.task,
    message = result.message, action = result.action, left = result.left, mended = result.mended,
  }))
  out:close()
  vim.lsp.stop_client(client)
end)
if not ok then
  io.stderr:write(tostring(failure) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
