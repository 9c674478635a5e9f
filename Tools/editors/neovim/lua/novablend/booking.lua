--- Booking, moving, and cancelling. `book`, `ask`, `move`, and `cancel` run in a task and return whether
--- something was changed.
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local config = require('novablend.config')
local problems = require('novablend.problem')
local program = require('novablend.program')
local text = require('novablend.text')
local ui = require('novablend.ui')

local M = {}

--- The phone number of the last booking, offered for the next one.
local last_phone

--- A confirmed or previewed appointment in one line.
---@param appointment novablend.Appointment
---@param place string the name of the salon with its place
local function describe(appointment, place)
  return text.join(', ', text.time(appointment), text.what(appointment), appointment.price, place)
end

--- What the user should know about a change, although it is possible.
local function warnings(result)
  local messages = vim.tbl_map(function(warning) return warning.message end, result.warnings or {})
  return messages[1] and ' Warning: ' .. table.concat(messages, '; ') or ''
end

--- Previews a change, asks for confirmation, and makes it. If the time cannot be booked, asks for one of the
--- alternatives.
---@param method string
---@param params table
---@param verb { preview: string, done: string, yes: string, no: string, now: string? }
---@param place string the name of the salon with its place
local function make(method, params, verb, place)
  local preview, problem = program.call(method, vim.tbl_extend('force', params, { dryRun = true }), 'checking')
  if preview then
    local appointment = describe(preview.appointment, place)
    local now = verb.now and (' (now %s)'):format(verb.now) or ''
    local question = ('%s %s%s?%s'):format(verb.preview, appointment, now, warnings(preview))
    if not choose.confirm(question, verb.yes, verb.no) then return false end
    local result
    result, problem = changes.make(method, params, appointment)
    if result then
      ui.notify(('%s %s'):format(verb.done, describe(result.appointment, place)))
      return true
    end
    if not problem then return false end
  end
  local alternatives = problem.data.alternatives or {}
  if #alternatives == 0 then
    problems.show(problem)
    return false
  end
  local time = choose.one(('%s (%s)'):format(problem.message, place), alternatives, function(time) return time end)
  return time and make(method, vim.tbl_extend('force', params, { appointmentTime = time }), verb, place) or false
end

--- Books a time. Asks for the phone number.
---@param params { salonId: string, appointmentTime: string, serviceId: string?, staffId: string? }
---@param salon novablend.Salon
---@return boolean
function M.book(params, salon)
  local place = text.place(salon)
  local phone = choose.input('Phone for ' .. place, last_phone or config.options.phone)
  if not phone then return false end
  if phone == '' then
    ui.notify('nothing was booked: a booking needs a phone number', vim.log.levels.WARN)
    return false
  end
  last_phone = phone
  return make('appointments/book', vim.tbl_extend('force', params, { phone = phone }),
    { preview = 'Book', done = 'Booked', yes = 'Book', no = 'Do not book' }, place)
end

--- Asks for everything that a booking needs.
---@param name? string the name or id of a salon
function M.ask(name)
  local salon = choose.salon(name)
  local service = salon and choose.service(salon)
  local member = service and choose.member(salon, service.id)
  if not member then return false end
  local params = { salonId = salon.id, serviceId = service.id, staffId = member.id }
  params.appointmentTime = choose.time(params, text.place(salon))
  return params.appointmentTime ~= nil and M.book(params, salon)
end

--- The options of free times to which an appointment can be moved with its service, its seats, and the staff
--- member whom the customer chose.
---@param appointment novablend.Appointment
---@return { serviceId: string?, staffId: string?, seats: integer? }
function M.options_of(appointment)
  local is_chosen = not appointment.staffAssigned
  return {
    serviceId = appointment.serviceId,
    staffId = is_chosen and appointment.staffId or nil,
    seats = appointment.seats,
  }
end

--- Moves an appointment to a time, or to one that the user chooses.
---@param appointment novablend.Appointment
---@param time? string
---@param options? { serviceId: string?, staffId: string? } what the time is for, if it is chosen
---@return boolean
function M.move(appointment, time, options)
  local old = M.options_of(appointment)
  options = options or old
  local moved = { salonId = appointment.salonId, appointmentId = appointment.id }
  local place = choose.place({ id = appointment.salonId, name = appointment.salonName })
  time = time or choose.time(vim.tbl_extend('error', moved, options), place)
  if not time then return false end
  local params = { id = appointment.id, version = appointment.version, appointmentTime = time }
  if options.serviceId ~= old.serviceId then params.serviceId = options.serviceId end
  if options.staffId ~= old.staffId then params.staffId = options.staffId end
  if old.staffId and not options.staffId then params.anyStaff = true end
  return make('appointments/reschedule', params,
    { preview = 'Move to', done = 'Moved to', yes = 'Move', no = 'Do not move', now = text.time(appointment) }, place)
end

---@param appointment novablend.Appointment
---@return boolean
function M.cancel(appointment)
  local params = { id = appointment.id, version = appointment.version }
  return make('appointments/cancel', params,
    { preview = 'Cancel', done = 'Cancelled', yes = 'Cancel the appointment', no = 'Keep it' },
    choose.place({ id = appointment.salonId, name = appointment.salonName }))
end

return M
