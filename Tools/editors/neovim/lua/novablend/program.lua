--- The process of `novablend serve`. It is started by the first request, and again after it has ended.
local config = require('novablend.config')
local problems = require('novablend.problem')
local task = require('novablend.task')
local ui = require('novablend.ui')

-- Neovim 0.10 calls it vim.uv.
local uv = vim.uv or vim.loop

local M = {}

--- Milliseconds before the program is started again automatically, by the number of its recent starts. There
--- are no more recent starts than pauses.
local pauses = { 0, 500, 1000, 2000, 4000 }
--- How long a start is recent, in milliseconds.
local recent = 30000

---@alias novablend.Callback fun(problem: novablend.Problem?, result: table?)

--- The channel of the process; nil if none is running.
---@type integer?
local channel
---@type table<integer, { method: string, callback: novablend.Callback, sent: integer }>
local pending = {}
local last_id = 0
--- When the process sent its last message.
local last_message = 0
--- The last lines of the standard error of the process.
---@type string[]
local errors = {}
--- When the program was started recently, without the starts before `stop`.
---@type integer[]
local starts = {}
--- Whether the process has responded. A process that ends before its first response is started
--- again only by a command.
local has_responded = false
--- Whether the process is too old. If the program was updated, a new process is not.
local is_outdated = false
---@type table<string, table<fun(change: novablend.Change?), boolean>>
local listeners = {}

--- Calls the listeners of a changed resource, or all of them.
---@param change? novablend.Change
function M.announce(change)
  local called = {}
  for name, functions in pairs(listeners) do
    if not change or name == change.resource then called = vim.tbl_extend('force', called, functions) end
  end
  for listener in pairs(called) do listener(change) end
end

local function receive(line)
  local is_json, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if not is_json or type(message) ~= 'table' then return end
  last_message = uv.now()
  if message.method == 'resource/didChange' then return M.announce(message.params) end
  local call = pending[message.id]
  if message.method or not call then return end
  pending[message.id] = nil
  has_responded = true
  if not message.error then return call.callback(nil, message.result) end
  local problem = problems.of(message.error, call.method)
  is_outdated = is_outdated or problem.name == 'outdated'
  call.callback(problem)
end

--- A function that calls `receive_line` with each line of a stream.
---@param receive_line fun(line: string)
local function lines(receive_line)
  local rest = ''
  return function(_, parts)
    rest = rest .. parts[1]
    for index = 2, #parts do
      local line = rest
      rest = parts[index]
      if line ~= '' then receive_line(line) end
    end
  end
end

--- Ends the calls of a process that has ended.
---@param problem novablend.Problem
local function finish(problem)
  local ended, should_restart = pending, has_responded
  channel, pending, has_responded, is_outdated = nil, {}, false, false
  for _, call in pairs(ended) do call.callback(problem) end
  -- Let the windows load their contents again, which starts the program.
  if not should_restart then return end
  local pause = pauses[#starts] or 0
  if pause == 0 then M.announce() else vim.defer_fn(M.announce, pause) end
end

local send

--- Starts the program if it is not running. Returns why it cannot be started.
---@return novablend.Problem?
local function start()
  if channel then return nil end
  if vim.fn.executable(config.options.program) == 0 then return problems.missing() end
  starts = vim.tbl_filter(function(time) return time > uv.now() - recent end, starts)
  if #starts == #pauses then return problems.keeps_ending(#starts, recent / 1000, errors) end
  table.insert(starts, uv.now())
  errors = {}
  local this
  this = vim.fn.jobstart(config.command('serve'), {
    on_stdout = lines(receive),
    on_stderr = lines(function(line)
      table.insert(errors, line)
      if #errors > 2 then table.remove(errors, 1) end
    end),
    on_exit = function(_, code)
      if this == channel then finish(problems.ended(code, errors)) end
    end,
  })
  channel = this
  for resource in pairs(listeners) do send('resource/subscribe', { resource = resource }, function() end) end
end

--- Ends a call that got no response in time. A process that has sent nothing since the call is ended, too: it would
--- not answer the next call either, and what it was doing is in its journal.
---@param id integer
local function expire(id)
  local call = pending[id]
  if not call then return end
  if last_message <= call.sent then
    local pid = M.pid()
    if pid then uv.kill(pid, 'sigkill') end
    return finish(problems.unanswered())
  end
  pending[id] = nil
  call.callback(problems.unanswered())
end

function send(method, params, callback)
  last_id = last_id + 1
  local id = last_id
  pending[id] = { method = method, callback = callback, sent = uv.now() }
  vim.defer_fn(function() expire(id) end, config.options.timeout * 1000)
  local request = { jsonrpc = '2.0', id = id, method = method }
  request.params = next(params) and params or vim.empty_dict()
  -- If this fails, the process has just ended, and on_exit follows.
  pcall(vim.fn.chansend, channel, vim.json.encode(request) .. '\n')
end

--- Sends a request. The callback is called once, later.
---@param method string
---@param params table
---@param callback novablend.Callback
function M.request(method, params, callback)
  if is_outdated and not next(pending) then M.stop() end
  local problem = start()
  if not problem then return send(method, params, callback) end
  vim.schedule(function() callback(problem) end)
end

--- Sends a request, and waits for the response in a task.
---@param method string
---@param params table
---@param doing? string what the user is told in the meantime
---@return table? result
---@return novablend.Problem?
function M.call(method, params, doing)
  local finish_progress = doing and ui.show_progress(doing)
  local problem, result = task.await(function(callback) M.request(method, params, callback) end)
  if finish_progress then finish_progress() end
  return result, problem
end

--- Calls `listener` with each change of a resource, and with nil after the program has ended. Returns a
--- function that ends this.
---@param resource string
---@param listener fun(change: novablend.Change?)
---@return fun()
function M.follow(resource, listener)
  if not listeners[resource] then
    listeners[resource] = {}
    if channel then send('resource/subscribe', { resource = resource }, function() end) end
  end
  listeners[resource][listener] = true
  return function()
    if not listeners[resource] then return end
    listeners[resource][listener] = nil
    if next(listeners[resource]) then return end
    listeners[resource] = nil
    if channel then send('resource/unsubscribe', { resource = resource }, function() end) end
  end
end

--- Ends the process. The next request starts a new one.
function M.stop()
  starts = {}
  if not channel then return end
  vim.fn.jobstop(channel)
  finish(problems.ended(0, errors))
end

-- When the editor exits, its windows are not loaded again.
vim.api.nvim_create_autocmd('VimLeavePre', {
  group = vim.api.nvim_create_augroup('NovaBlendProgram', {}),
  callback = function() pending, listeners = {}, {} end,
})

--- The process id; nil if no process is running.
---@return integer?
function M.pid()
  local is_running, pid = pcall(vim.fn.jobpid, channel or 0)
  return is_running and pid or nil
end

return M
