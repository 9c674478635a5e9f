--- Booking, moving, and cancelling. `book`, `ask`, `move`, and `cancel` run in a task and return whether
--- something was changed.
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local config = require('novablend.config')
local problems = require('novablend.problem')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

--- The phone number of the last booking, offered for the next one.
local last_phone

--- A confirmed or previewed appointment in one line.
local function describe(result)
  local what = text.join(' with ', result.service, result.staff)
  return text.join(', ', text.time(result.when), what, result.salon and result.salon.name)
end

--- Previews a change, asks for confirmation, and makes it. If the time cannot be booked, asks for one of the
--- alternatives.
---@param method string
---@param params table
---@param verb { preview: string, done: string, yes: string, no: string }
local function make(method, params, verb)
  local preview, problem = program.call(method, vim.tbl_extend('force', params, { dryRun = true }))
  if preview then
    local question = ('%s %s?'):format(verb.preview, describe(preview))
    if not choose.confirm(question, verb.yes, verb.no) then return false end
    local result
    result, problem = changes.make(method, params, describe(preview))
    if result then
      vim.notify(('NovaBlend: %s %s'):format(verb.done, describe(result)))
      return true
    end
    if not problem then return false end
  end
  local alternatives = problem.data.alternatives or {}
  if #alternatives == 0 then
    problems.show(problem)
    return false
  end
  local time = choose.one(problem.message, alternatives, function(time) return time end)
  return time and make(method, vim.tbl_extend('force', params, { appointmentTime = time }), verb) or false
end

--- Books a time. Asks for the phone number.
---@param params { salonId: string, appointmentTime: string, serviceId: string?, staffId: string? }
---@return boolean
function M.book(params)
  local phone = choose.input('Phone', last_phone or config.options.phone)
  if not phone then return false end
  last_phone = phone
  return make('appointments/book', vim.tbl_extend('force', params, { phone = phone }),
    { preview = 'Book', done = 'Booked', yes = 'Book', no = 'Do not book' })
end

--- Asks for everything that a booking needs.
---@param name? string the name or id of a salon
function M.ask(name)
  local salon = choose.salon(name)
  local service = salon and choose.service(salon)
  local member = service and choose.member(salon, service.id)
  if not member then return false end
  local params = { salonId = salon.id, serviceId = service.id, staffId = member.id }
  params.appointmentTime = choose.time(params)
  return params.appointmentTime ~= nil and M.book(params)
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
  time = time or choose.time(vim.tbl_extend('error', moved, options))
  if not time then return false end
  local params = { id = appointment.id, version = appointment.version, appointmentTime = time }
  if options.serviceId ~= old.serviceId then params.serviceId = options.serviceId end
  if options.staffId ~= old.staffId then params.staffId = options.staffId end
  if old.staffId and not options.staffId then params.anyStaff = true end
  return make('appointments/reschedule', params,
    { preview = 'Move to', done = 'Moved to', yes = 'Move', no = 'Do not move' })
end

---@param appointment novablend.Appointment
---@return boolean
function M.cancel(appointment)
  local params = { id = appointment.id, version = appointment.version }
  return make('appointments/cancel', params,
    { preview = 'Cancel', done = 'Cancelled', yes = 'Cancel the appointment', no = 'Keep it' })
end

return M
