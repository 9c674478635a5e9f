--- What the keys of a week do. Each action runs in a task.
local Model = require('novablend.week.model')
local booking = require('novablend.booking')
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local text = require('novablend.text')

--- Asks for the service that the free times are for.
local function choose_service(session)
  local service = choose.service(session.salon)
  if not service then return end
  local is_offered = choose.by_id(choose.staff_of(session.salon, service.id), session.staff_id)
  session:show({ service_id = service.id or vim.NIL, staff_id = is_offered and session.staff_id or vim.NIL })
end

local function choose_staff(session)
  local member = choose.member(session.salon, session.service_id)
  if member then session:show({ staff_id = member.id or vim.NIL }) end
end

--- The appointment of the cell under the cursor, or one that the user chooses.
local function appointment(session)
  local cell = session:selected()
  local all = cell and Model.appointments(cell) or {}
  if #all > 1 then return choose.one('Appointment', all, text.appointment) end
  return all[1]
end

local function cancel(session)
  local chosen = appointment(session)
  if chosen then booking.cancel(chosen) end
end

--- Shows the free times to which an appointment can be moved.
local function start_moving(session)
  local chosen = appointment(session)
  if not chosen then return end
  local options = booking.options_of(chosen)
  session:show({
    moving = chosen,
    service_id = options.serviceId or vim.NIL,
    staff_id = options.staffId or vim.NIL,
  })
end

local function stop_moving(session)
  session:show({ moving = vim.NIL, service_id = vim.NIL, staff_id = vim.NIL })
end

--- Books the time under the cursor. Asks for what has not been chosen.
local function book(session, cell)
  local service_id, staff_id = session.service_id, session.staff_id
  if not service_id then
    local service = choose.service(session.salon)
    if not service then return end
    service_id = service.id
  end
  if not staff_id then
    local member = cell.staff[1] or {}
    if #cell.staff > 1 then member = choose.member({ staff = cell.staff }, service_id) end
    if not member then return end
    staff_id = member.id
  end
  booking.book({
    salonId = session.salon.id,
    serviceId = service_id,
    staffId = staff_id,
    appointmentTime = cell.free.appointmentTime,
  })
  session:reload()
end

--- Books the time under the cursor, or moves an appointment to it.
local function accept(session)
  local cell = session:selected()
  if not cell or not cell.free then return end
  if not session.moving then return book(session, cell) end
  local is_moved = booking.move(session.moving, cell.free.appointmentTime, {
    serviceId = session.service_id,
    staffId = session.staff_id,
  })
  if is_moved then stop_moving(session) else session:reload() end
end

--- Ends moving, or closes the week.
local function escape(session)
  if session.moving then stop_moving(session) else session.view:close() end
end

local function move_column(by)
  return function(session)
    if not session.view:move_column(by) then session:turn(by) end
  end
end

local function turn(by)
  return function(session) session:turn(by) end
end

---@type table<string, fun(session: novablend.WeekSession)>
return {
  ['<CR>'] = accept,
  b = accept,
  m = start_moving,
  x = cancel,
  s = choose_service,
  w = choose_staff,
  ['['] = turn(-1),
  [']'] = turn(1),
  t = function(session) session:show({ start = 'today' }) end,
  r = function() changes.resolve() end,
  R = function(session) session:reload() end,
  q = function(session) session.view:close() end,
  ['<Esc>'] = escape,
  ['?'] = function() vim.cmd('help novablend-week') end,
  h = move_column(-1),
  l = move_column(1),
  ['<Left>'] = move_column(-1),
  ['<Right>'] = move_column(1),
}
