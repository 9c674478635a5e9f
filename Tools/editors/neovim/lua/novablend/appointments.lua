--- The list of appointments, with the bookings and changes in doubt.
local booking = require('novablend.booking')
local changes = require('novablend.changes')
local list = require('novablend.list')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

---@class novablend.AppointmentItem
---@field appointment? novablend.Appointment
---@field doubt? novablend.Doubt

---@param doubt novablend.Doubt
local function doubt_row(doubt)
  return {
    id = doubt.key,
    cells = { ('IN DOUBT  %s: %s  (r resolve, D discard)'):format(doubt.title, doubt.reason) },
    group = 'Warning',
    item = { doubt = doubt },
  }
end

---@param appointment novablend.Appointment
local function appointment_row(appointment)
  return {
    id = appointment.id,
    cells = {
      appointment.when and text.time(appointment.when) or appointment.appointmentTime,
      appointment.salonName or appointment.salonId,
      text.join(' with ', appointment.service or appointment.serviceId, appointment.staff),
      appointment.phone or '',
    },
    item = { appointment = appointment },
  }
end

---@param salon? string
---@return novablend.Loaded?
---@return novablend.Problem?
local function load(salon)
  local result, problem = program.call('appointments/list', { salonId = salon })
  if not result then return nil, problem end
  local rows = vim.tbl_map(doubt_row, (changes.doubts()))
  for _, appointment in ipairs(result.appointments) do
    table.insert(rows, appointment_row(appointment))
  end
  return { rows = rows, notes = { text.source(result.provenance) }, empty = 'no appointments' }
end

--- A key that does something with the appointment under the cursor.
local function action(key, label, run)
  return { key = key, label = label, run = function(item)
    if item and item.appointment then run(item.appointment) end
  end }
end

--- Shows the appointments in a window.
---@param salon? string the name or id of a salon
function M.show(salon)
  list.show({
    name = 'appointments',
    resources = { 'appointments' },
    actions = {
      action('m', 'move', booking.move),
      action('x', 'cancel', booking.cancel),
      action('w', 'week', function(appointment)
        local time = appointment.when and appointment.when['local'] or appointment.appointmentTime
        require('novablend.week').open(appointment.salonId, time:sub(1, 10))
      end),
      { key = 'r', label = 'resolve', run = changes.resolve },
      { key = 'D', label = 'discard', run = function(item)
        if item and item.doubt then changes.discard(item.doubt) end
      end },
    },
    load = function() return load(salon) end,
  })
end

return M
