--- Bookings and changes. Each has an idempotency key, and none is sent again automatically: if its outcome
--- is not known, it is in doubt until `resolve` finds it out.
local choose = require('novablend.choose')
local problems = require('novablend.problem')
local program = require('novablend.program')
local text = require('novablend.text')
local ui = require('novablend.ui')

-- Neovim 0.10 calls it vim.uv.
local uv = vim.uv or vim.loop

local M = {}

---@class novablend.Doubt
---@field key string the idempotency key
---@field title string such as `booking, Tue 2026-11-24 10:00-11:30, Color, Peluquería Sol`
---@field reason string why the outcome is not known

---@class novablend.Request
---@field method string
---@field params table
---@field appointment string what is booked or changed
---@field reason string why the outcome is not known

--- The changes of this editor whose outcome is not known, by key.
---@type table<string, novablend.Request>
local open = {}

--- The nouns for the actions, and the outcomes that mean that an action was carried out.
local actions = {
  book = { noun = 'booking', done = 'booked' },
  reschedule = { noun = 'move', done = 'rescheduled' },
  cancel = { noun = 'cancellation', done = 'cancelled' },
}

local outcomes = {
  booked = 'Booked',
  rescheduled = 'Moved',
  cancelled = 'Cancelled',
  notBooked = 'Not booked',
  notRescheduled = 'Not moved',
  notCancelled = 'Not cancelled',
  notFound = 'Not found at the server',
  discarded = 'Discarded',
}

local function new_key()
  local hex = uv.random(16):gsub('.', function(byte) return ('%02x'):format(byte:byte()) end)
  return 'nvim-' .. hex
end

--- The appointment of a change, with its key if a different editor made it.
---@param key string
---@param resolution novablend.Resolution?
local function appointment_of(key, resolution)
  if open[key] then return open[key].appointment end
  local appointment = resolution and resolution.appointment
  return text.join(', ', appointment and text.appointment(appointment), 'key ' .. key)
end

---@param key string
---@param action string
---@param resolution novablend.Resolution?
local function title(key, action, resolution)
  return actions[action].noun .. ', ' .. appointment_of(key, resolution)
end

--- Adds or removes a change in doubt. The windows show it.
---@param key string
---@param request novablend.Request?
local function set_open(key, request)
  open[key] = request
  program.announce({ resource = 'appointments' })
end

---@param key string
---@param name string
---@param reason string
local function notify_doubt(key, name, reason)
  local advice = 'Do not repeat it; press r in :NovaBlend appointments to find out.'
  local key_note = name:find(key, 1, true) and '' or (' Its key is %s.'):format(key)
  ui.notify(('IN DOUBT: %s: %s. %s%s'):format(name, reason, advice, key_note), vim.log.levels.WARN)
end

--- Reports the outcome of a change. A change that is still in doubt stays open.
---@param resolution novablend.Resolution
local function report(resolution)
  local key = resolution.idempotencyKey
  if resolution.outcome == 'inDoubt' then
    return notify_doubt(key, title(key, resolution.action, resolution), resolution.reason)
  end
  local name = appointment_of(key, resolution)
  set_open(key, nil)
  local present = resolution.present and resolution.present.state
  local since = present and present ~= 'unchanged' and 'since then: ' .. present or nil
  local reason = text.join('; ', resolution.reason, since)
  reason = reason ~= '' and ': ' .. reason or ''
  ui.notify(('%s: %s%s'):format(outcomes[resolution.outcome], name, reason))
end

--- Finds out the outcome of a change that is no longer in doubt, because the program resolved it when it
--- started, or that was never sent. If the program does not know the key, the change was not made: it was
--- not sent, or the server rejected it.
---@param key string
---@param request novablend.Request
local function look_up(key, request)
  local result, problem = program.call('appointments/resolve', { idempotencyKey = key })
  local name = title(key, request.method:match('/(.*)'))
  if not result then return notify_doubt(key, name, problem.message) end
  local resolution = result.resolutions[1]
  if resolution then return report(resolution) end
  set_open(key, nil)
  ui.notify(('Not made from here: %s: %s'):format(name, result.hint or 'you can repeat it'), vim.log.levels.WARN)
end

--- The changes in doubt, of this editor and of others. Asks the journal, not the server.
---@return novablend.Doubt[]
function M.doubts()
  local result = program.call('appointments/resolve', { dryRun = true })
  return M.known_doubts(result and result.resolutions)
end

--- The changes in doubt of this editor, and those of a journal.
---@param resolutions? novablend.Resolution[]
---@return novablend.Doubt[]
function M.known_doubts(resolutions)
  local doubts, listed = {}, {}
  for _, resolution in ipairs(resolutions or {}) do
    local key = resolution.idempotencyKey
    listed[key] = true
    local name = title(key, resolution.action, resolution)
    table.insert(doubts, { key = key, title = name, reason = 'the outcome is not known' })
  end
  for key, request in pairs(open) do
    if not listed[key] then
      local name = title(key, request.method:match('/(.*)'))
      table.insert(doubts, { key = key, title = name, reason = request.reason })
    end
  end
  return doubts
end

--- Finds out the outcome of all changes in doubt, and reports it.
function M.resolve()
  local result, problem = program.call('appointments/resolve', {}, 'finding out what is in doubt')
  if not result then return problems.show(problem) end
  local missing = vim.deepcopy(open)
  for _, resolution in ipairs(result.resolutions) do
    missing[resolution.idempotencyKey] = nil
    report(resolution)
  end
  for key, request in pairs(missing) do look_up(key, request) end
  if #result.resolutions == 0 and not next(missing) then ui.notify('nothing is in doubt') end
end

--- Ends a doubt that the server cannot resolve.
---@param doubt novablend.Doubt
function M.discard(doubt)
  local question = ('Stop asking for the outcome of: %s (key %s)?'):format(doubt.title, doubt.key)
  if not choose.confirm(question, 'Discard', 'Keep it in doubt') then return end
  local result, problem = program.call('appointments/resolve', { discard = doubt.key })
  if not result then return problems.show(problem) end
  vim.tbl_map(report, result.resolutions)
end

--- Makes a change. If the program ends before it responds, it is started again to find out the outcome.
--- Returns neither a result nor a problem if the outcome has been reported.
---@param method string
---@param params table
---@param appointment string what is booked or changed
---@return table? result
---@return novablend.Problem?
function M.make(method, params, appointment)
  local key = new_key()
  params = vim.tbl_extend('force', params, { idempotencyKey = key })
  local name = ('%s, %s'):format(actions[method:match('/(.*)')].noun, appointment)
  local result, problem = program.call(method, params, 'sending the ' .. name)
  if not problem or not problems.is_in_doubt(problem) then return result, problem end
  set_open(key, { method = method, params = params, appointment = appointment, reason = problem.message })
  notify_doubt(key, name, problem.message)
  if problem.name == 'ended' or problem.name == 'unanswered' then M.resolve() end
  return nil, nil
end

return M
