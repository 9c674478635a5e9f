--- What the keys of a week do. Each action runs in a task.
local Model = require('novablend.week.model')
local booking = require('novablend.booking')
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local text = require('novablend.text')
local ui = require('novablend.ui')

--- The place, for questions.
local function place(session) return text.place(session.salon) end

--- Asks for the service that the free times are for.
local function choose_service(session)
  if #(session.salon.services or {}) == 0 then return ui.notify(place(session) .. ' has no services to choose from') end
  local service = choose.service(session.salon)
  if not service then return end
  local is_offered = choose.by_id(choose.staff_of(session.salon, service.id), session.staff_id)
  session:show({ service_id = service.id or vim.NIL, staff_id = is_offered and session.staff_id or vim.NIL })
end

local function choose_staff(session)
  if #(session.salon.staff or {}) == 0 then return ui.notify(place(session) .. ' has no staff to choose from') end
  local member = choose.member(session.salon, session.service_id)
  if member then session:show({ staff_id = member.id or vim.NIL }) end
end

--- The appointment of the cell under the cursor, or one that the user chooses.
local function appointment(session)
  local cell = session:selected()
  local all = cell and Model.appointments(cell) or {}
  if #all > 1 then return choose.one('Appointment at ' .. place(session), all, text.appointment) end
  if cell and #all == 0 then ui.notify('there is no appointment at this time') end
  return all[1]
end

local function cancel(session)
  local chosen = appointment(session)
  if chosen then booking.cancel(chosen) end
end

--- Shows the free times to which an appointment can be moved.
---@param session novablend.WeekSession
---@param chosen? novablend.Appointment by default the one under the cursor
local function start_moving(session, chosen)
  chosen = chosen or appointment(session)
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

--- The service of a booking, if it has not been chosen for the week.
local function booked_service(session, member)
  if session.service_id then return { id = session.service_id } end
  local services = vim.tbl_filter(function(service)
    return not member or not member.services or vim.tbl_contains(member.services, service.id)
  end, session.salon.services or {})
  return choose.service(vim.tbl_extend('force', session.salon, { services = services }))
end

--- The staff member of a booking: the one of the column, the one who was chosen, or one whom the user chooses.
local function booked_member(session, cell, service_id)
  if cell.member then return cell.member end
  if session.staff_id then return { id = session.staff_id } end
  if #cell.staff < 2 then return cell.staff[1] or {} end
  return choose.member(vim.tbl_extend('force', session.salon, { staff = cell.staff }), service_id)
end

--- Books the time under the cursor. Asks for what has not been chosen.
local function book(session, cell)
  local service = booked_service(session, cell.member)
  local member = service and booked_member(session, cell, service.id)
  if not member then return end
  booking.book({
    salonId = session.salon.id,
    serviceId = service.id,
    staffId = member.id,
    appointmentTime = cell.free.appointmentTime,
  }, session.salon)
  session:reload()
end

--- Moves the appointment that gets a new time to the one under the cursor.
local function move_to(session, cell)
  local is_moved = booking.move(session.moving, cell.free.appointmentTime, {
    serviceId = session.service_id,
    staffId = cell.member and cell.member.id or session.staff_id,
  })
  if is_moved then stop_moving(session) else session:reload() end
end

--- Lists the appointments of the cell under the cursor, and asks what to do with one of them.
local function open(session)
  local cell = session:selected()
  local all = cell and Model.appointments(cell) or {}
  if #all == 0 then return cell and ui.notify('there is no appointment at this time') end
  local prompt = ('%d appointments at %s'):format(#all, place(session))
  local chosen = #all == 1 and all[1] or choose.one(prompt, all, text.appointment)
  if not chosen then return end
  local question = ('%s, %s'):format(text.appointment(chosen), place(session))
  local answer = choose.one(question, { 'Move', 'Cancel', 'Keep it' }, function(each) return each end)
  if answer == 'Move' then start_moving(session, chosen) end
  if answer == 'Cancel' then booking.cancel(chosen) end
end

--- Books the time under the cursor, or moves an appointment to it. Where nothing is free, opens what is booked.
local function accept(session)
  local cell, column = session:selected()
  if cell and cell.free then return (session.moving and move_to or book)(session, cell) end
  if cell and #Model.appointments(cell) > 0 and not session.moving then return open(session) end
  if column then ui.notify(('this time cannot be booked: %s'):format(column.day.reason or 'it is not free')) end
end

--- Ends moving, or shows the week again, or closes it.
local function escape(session)
  if session.moving then return stop_moving(session) end
  if session.day then return session:show_day(nil) end
  session.view:close()
end

--- Shows the staff or the seats of the day under the cursor, or the week again.
local function show_day(session)
  if not session.week then return end
  local _, column = session.view:selected()
  session:show_day(not session.day and column and column.day.date or nil)
end

local function move_column(by)
  return function(session) session:move_column(by) end
end

local function turn(by)
  return function(session) session:turn(by) end
end

local function today(session)
  session:show({ start = 'today', day = session.day and 'first' or vim.NIL, first = 1 })
end

---@param name string
---@param keys string[]
---@param label string?
---@param run fun(session: novablend.WeekSession)
local function action(name, keys, label, run) return { name = name, keys = keys, label = label, run = run } end

---@type novablend.Action[]
return {
  action('book', { 'b', '<CR>' }, 'book', accept),
  action('open', { 'o' }, 'open', open),
  action('move', { 'm' }, 'move', start_moving),
  action('cancel', { 'x' }, 'cancel', cancel),
  action('service', { 's' }, 'service', choose_service),
  action('staff', { 'w' }, 'staff', choose_staff),
  action('day', { 'd' }, 'day', show_day),
  action('previous', { '[' }, 'before', turn(-1)),
  action('next', { ']' }, 'after', turn(1)),
  action('today', { 't' }, 'today', today),
  action('resolve', { 'r' }, 'resolve', function() changes.resolve() end),
  action('reload', { 'R' }, 'reload', function(session) session:reload() end),
  action('help', { '?' }, 'help', function(session) ui.help(session.day and 'novablend-day' or 'novablend-week') end),
  action('close', { 'q' }, 'close', function(session) session.view:close() end),
  action('back', { '<Esc>' }, nil, escape),
  action('left', { 'h', '<Left>' }, nil, move_column(-1)),
  action('right', { 'l', '<Right>' }, nil, move_column(1)),
}
