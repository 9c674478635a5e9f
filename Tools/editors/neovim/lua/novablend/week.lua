--- The week of a salon: free times, and appointments. |novablend-week| describes the keys.
local View = require('novablend.week.view')
local booking = require('novablend.booking')
local choose = require('novablend.choose')
local dates = require('novablend.dates')
local layout = require('novablend.week.layout')
local loader = require('novablend.week.loader')
local problems = require('novablend.problem')
local program = require('novablend.program')
local task = require('novablend.task')
local text = require('novablend.text')

local M = {}

---@class novablend.WeekState
---@field salon novablend.Salon
---@field start string a date, or today
---@field service_id? string
---@field staff_id? string
---@field moving? novablend.Appointment the appointment that gets a new time
---@field week? novablend.Week
---@field now? string the date at the salon
---@field zone? string
---@field notes string[] what to know about the lists
---@field problem? novablend.Problem why the week could not be loaded
---@field doubts novablend.Doubt[]
---@field is_loading boolean
---@field is_stale? boolean whether the shown times are those of other days, a different service, or others
---@field loads integer

---@type novablend.View?
local view
---@type novablend.WeekState
local state

local changes = require('novablend.changes')

local keys = {
  'b book', 'm move', 'x cancel', 's service', 'w staff', '[ ] other days', 't today', 'r resolve', 'R reload',
  'q close', '● yours', '○ booked',
}
--- What is below the name of the salon: the days, and what the free times are for.
local function subtitle()
  local days = state.week and state.week.days or {}
  local range = days[1] and days[1].date .. ' to ' .. days[#days].date
  local service = choose.by_id(state.salon.services, state.service_id)
  local member = choose.by_id(state.salon.staff, state.staff_id)
  local parts = { range or '', state.zone or '' }
  if service then table.insert(parts, choose.describe_service(service)) end
  if member then table.insert(parts, 'with ' .. member.name) end
  return parts
end

local function status()
  local lines = {}
  if state.moving then
    local name = text.appointment(state.moving)
    table.insert(lines, { ('Moving %s: Enter on a free time, Esc to keep it'):format(name), 'Warning' })
  end
  for _, doubt in ipairs(state.doubts) do
    table.insert(lines, { ('IN DOUBT: %s. r finds out; do not repeat it.'):format(doubt.title), 'Warning' })
  end
  for _, note in ipairs(state.notes) do table.insert(lines, { note, 'Warning' }) end
  if state.problem then table.insert(lines, { problems.text(state.problem), 'Error' }) end
  if state.is_loading and not state.week then table.insert(lines, { 'Loading…', 'Dim' }) end
  return lines
end

local function render()
  if not view then return end
  view:render({
    title = text.join(', ', state.salon.name, state.salon.location),
    subtitle = subtitle(),
    week = state.week,
    status = status(),
    keys = keys,
  })
end

local function load()
  state.loads = state.loads + 1
  local this, number = state, state.loads
  state.is_loading = true
  render()
  local fetched, problem = loader.load(state)
  if this ~= state or number ~= state.loads then return end
  state.is_loading, state.is_stale, state.problem = false, false, problem
  for name, value in pairs(fetched or {}) do state[name] = value end
  render()
end

local function reload() task.run(load) end

--- Changes what is shown, and loads it.
local function show(values)
  for name, value in pairs(values) do state[name] = value ~= vim.NIL and value or nil end
  state.is_stale = true
  reload()
end

--- Shows other days.
---@param by integer
local function turn(by)
  local first = state.week and state.week.days[1].date or dates.today()
  show({ start = dates.plus(first, by * layout.day_count()) })
end

--- Asks for the service that the free times are for.
local function choose_service()
  local service = choose.service(state.salon)
  if not service then return end
  local is_offered = choose.by_id(choose.staff_of(state.salon, service.id), state.staff_id)
  show({ service_id = service.id or vim.NIL, staff_id = is_offered and state.staff_id or vim.NIL })
end

local function choose_staff()
  local member = choose.member(state.salon, state.service_id)
  if member then show({ staff_id = member.id or vim.NIL }) end
end

--- The cell under the cursor; nil if the times are those of something else.
local function selected()
  if not state.is_stale then return (view:selected()) end
  vim.notify('NovaBlend: the times are being loaded')
end

--- The appointment of the cell under the cursor, or one that the user chooses.
local function appointment()
  local cell = selected()
  local all = cell and vim.list_extend(vim.list_extend({}, cell.starting), cell.running) or {}
  if #all > 1 then return choose.one('Appointment', all, text.appointment) end
  return all[1]
end

local function cancel()
  local chosen = appointment()
  if chosen then booking.cancel(chosen) end
end

--- Shows the free times to which an appointment can be moved.
local function start_moving()
  local chosen = appointment()
  if not chosen then return end
  local staff_id = not chosen.staffAssigned and chosen.staffId or vim.NIL
  show({ moving = chosen, service_id = chosen.serviceId or vim.NIL, staff_id = staff_id })
end

local function stop_moving() show({ moving = vim.NIL, service_id = vim.NIL, staff_id = vim.NIL }) end

--- Books the time under the cursor. Asks for what has not been chosen.
local function book(cell)
  local service_id, staff_id = state.service_id, state.staff_id
  if not service_id then
    local service = choose.service(state.salon)
    if not service then return end
    service_id = service.id
  end
  if not staff_id then
    local free = vim.tbl_map(function(each) return each.staff end, cell.free)
    local member = #free > 1 and choose.member({ staff = free }, service_id) or free[1] or {}
    if not member then return end
    staff_id = member.id
  end
  local time = cell.free[1].time
  for _, free in ipairs(cell.free) do
    if free.staff and free.staff.id == staff_id then time = free.time end
  end
  booking.book({ salonId = state.salon.id, serviceId = service_id, staffId = staff_id, appointmentTime = time })
  reload()
end

--- Books the time under the cursor, or moves an appointment to it.
local function accept()
  local cell = selected()
  if not cell or #cell.free == 0 then return end
  if not state.moving then return book(cell) end
  if booking.move(state.moving, cell.free[1].time) then stop_moving() else reload() end
end

local function close()
  if view then view:close() end
end

local function escape()
  if state.moving then stop_moving() else close() end
end

local function move_column(by)
  return function()
    if not view:move_column(by) then turn(by) end
  end
end

local actions = {
  ['<CR>'] = accept, b = accept, m = start_moving, x = cancel, s = choose_service, w = choose_staff,
  ['['] = function() turn(-1) end, [']'] = function() turn(1) end,
  t = function() show({ start = 'today' }) end,
  r = changes.resolve,
  R = reload, q = close, ['<Esc>'] = escape, ['?'] = function() vim.cmd('help novablend-week') end,
  h = move_column(-1), l = move_column(1), ['<Left>'] = move_column(-1), ['<Right>'] = move_column(1),
}

--- Sets the keys of the grid, and what happens until it is closed.
local function prepare(opened)
  local buffer = opened.grid.buffer
  for key, run in pairs(actions) do
    vim.keymap.set('n', key, function() task.run(run) end, { buffer = buffer, nowait = true })
  end
  local group = vim.api.nvim_create_augroup('NovaBlendWeek', {})
  local function on(event, options, run)
    options.group, options.callback = group, run
    vim.api.nvim_create_autocmd(event, options)
  end
  local ends = { program.follow('salons', reload), program.follow('appointments', reload) }
  on('CursorMoved', { buffer = buffer }, function() opened:show_selection() end)
  on('VimResized', {}, reload)
  on('BufWipeout', { buffer = buffer }, function()
    for _, finish in ipairs(ends) do finish() end
    vim.api.nvim_del_augroup_by_id(group)
    view = nil
    vim.schedule(function() opened:close() end)
  end)
end

--- Opens the week of a salon. Runs in a task.
---@param name? string the name or id of the salon
---@param start? string the first day, by default today
function M.open(name, start)
  local salon = choose.salon(name)
  if not salon then return end
  close()
  state = { salon = salon, start = start or 'today', notes = {}, doubts = {}, loads = 0, is_loading = false }
  view = View.open()
  prepare(view)
  reload()
end

return M
