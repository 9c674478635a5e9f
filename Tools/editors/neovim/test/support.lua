--- What the tests share: an editor with the plugin, a server, and answers to questions.
local server = require('server')

local uv = vim.uv or vim.loop

local M = { wait = server.wait, sol = '5a100000-0000-4000-8000-000000000004' }

M.directory = vim.fn.tempname()
M.binaries = os.getenv('NOVABLEND_BIN')
--- Everything that the plugin has reported.
M.messages = {}
--- The questions that were asked.
M.questions = {}
local answers = {}

vim.fn.mkdir(M.directory, 'p')
vim.notify = function(message) table.insert(M.messages, message) end
vim.deprecate = function(name) error('this is deprecated: ' .. name) end

--- Answers a question once. The answer to a choice is a part of an item's text; nil chooses nothing.
local function answer(question, items, format)
  table.insert(M.questions, question)
  for index, each in ipairs(answers) do
    if question:find(each[1], 1, true) then
      table.remove(answers, index)
      if not items or not each[2] then return each[2] end
      for _, item in ipairs(items) do
        if format(item):find(each[2], 1, true) then return item end
      end
      error(('%s has no answer %s'):format(question, each[2]))
    end
  end
  error('this question is not expected: ' .. question)
end

vim.ui.select = function(items, options, callback)
  local format = options.format_item or tostring
  vim.schedule(function() callback(answer(options.prompt, items, format)) end)
end
vim.ui.input = function(options, callback)
  vim.schedule(function() callback(answer(options.prompt)) end)
end

--- Sets the answer to the next question that contains a text.
function M.answer(question, text) table.insert(answers, { question, text }) end

--- The options that connect a program to a server.
---@param url string
---@param name? string the directory of the cache and of the state, below that of the tests
function M.arguments(url, name)
  local base = M.directory .. '/' .. (name or 'editor')
  return { '--base-url', url, '--cache-dir', base .. '/cache', '--state-dir', base .. '/state' }
end

---@param url string
function M.use(url)
  require('novablend').setup({ program = M.binaries .. '/novablend', arguments = M.arguments(url) })
end

--- Lets the gateway refuse connections when the backend is stopped, as a machine without a server does.
local function refuse_without_backend()
  local stop = M.backend.stop
  function M.backend.stop()
    M.gateway.stop()
    stop()
  end
end

--- Starts a backend and a gateway, and connects the plugin to them.
function M.start()
  M.backend = server.start_backend(M.directory, 0)
  M.gateway = server.start_gateway(M.backend.port)
  refuse_without_backend()
  M.use(M.gateway.url)
end

--- Starts the backend again, on the same port.
function M.restart_backend()
  M.backend = server.start_backend(M.directory, M.backend.port)
  M.gateway.start()
  refuse_without_backend()
end

--- Runs a command of the program as a different person, and returns its output.
---@param ... string
function M.run(...)
  local command = vim.list_extend({ M.binaries .. '/novablend', ... }, M.arguments(M.backend.url, 'other'))
  local output, exit = {}, nil
  vim.fn.jobstart(command, {
    stdout_buffered = true, stderr_buffered = true,
    on_stdout = function(_, lines) vim.list_extend(output, lines) end,
    on_stderr = function(_, lines) vim.list_extend(output, lines) end,
    on_exit = function(_, code) exit = code end,
  })
  M.wait('the command ends', function() return exit end)
  assert(exit == 0, table.concat(output, '\n'))
  return table.concat(output, '\n')
end

--- The first time of a day with the usual hours, as `2026-11-24T10:00`. Ana and Carmen are free all day, and only
--- they work in the morning. On Saturdays, Bruno does, too.
function M.free_time()
  local last = os.date('%Y-%m-%d', os.time() + 6 * 86400)
  local options = { '--start', 'tomorrow', '--end', last, '--with', 'carmen', '--service', 'color', '--json' }
  for _, day in ipairs(vim.json.decode(M.run('slots', 'Sol', unpack(options))).days) do
    local free = day.free or {}
    if vim.tbl_contains(free, '12:30') and vim.tbl_contains(free, '16:30') then return day.date .. 'T' .. free[1] end
  end
end

--- How many appointments the backend has.
function M.booked()
  local list = vim.json.decode(M.run('appointments', '--json'))
  return #list.appointments
end

--- The text of all windows.
function M.screen()
  local lines = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    vim.list_extend(lines, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false))
  end
  return table.concat(lines, '\n')
end

--- Waits until the screen shows a text.
---@param text string
function M.wait_for(text)
  local succeeded = pcall(M.wait, text, function() return M.screen():find(text, 1, true) end)
  if not succeeded then error(('the screen does not show "%s":\n%s'):format(text, M.screen()), 2) end
end

--- Waits until a message contains a text.
---@param text string
function M.wait_for_message(text)
  local succeeded = pcall(M.wait, text, function() return table.concat(M.messages, '\n'):find(text, 1, true) end)
  if not succeeded then error(('no message has "%s": %s'):format(text, vim.inspect(M.messages)), 2) end
end

--- Types keys.
---@param keys string
function M.type(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'mx', false)
end

--- Puts the cursor on the first line that has a text, at the text.
---@param text string
function M.go_to(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local first = line:find(text, 1, true)
    if first then return vim.api.nvim_win_set_cursor(0, { number, first - 1 }) end
  end
  error(('there is no "%s" in:\n%s'):format(text, M.screen()))
end

function M.kill_program() uv.kill(require('novablend.program').pid(), 'sigkill') end

return M
