--- The list of appointments, with the bookings and changes in doubt.
local booking = require('novablend.booking')
local changes = require('novablend.changes')
local choose = require('novablend.choose')
local list = require('novablend.list')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

---@class novablend.AppointmentItem
---@field appointment? novablend.Appointment
---@field doubt? novablend.Doubt

---@param doubt novablend.Doubt
local function doubt_row(doubt)
  local sentence = 'IN DOUBT  %s: %s. r finds out, D discards; do not repeat it. Its key is %s.'
  return {
    id = doubt.key,
    cells = { sentence:format(doubt.title, doubt.reason, doubt.key) },
    group = 'Warning',
    item = { doubt = doubt },
  }
end

---@param appointment novablend.Appointment
---@param salons table<string, novablend.Salon> by id
---@param shows_place boolean whether the place is necessary to tell the salons apart
local function appointment_row(appointment, salons, shows_place)
  local salon = salons[appointment.salonId] or { name = appointment.salonName or appointment.salonId }
  local cells = {
    text.time(appointment),
    salon.name,
    text.what(appointment),
    appointment.phone or '',
  }
  if shows_place then table.insert(cells, 3, salon.location or '') end
  return { id = appointment.id, cells = cells, item = { appointment = appointment } }
end

--- The salons by their ids, and whether two of them have one name.
---@return table<string, novablend.Salon>
---@return boolean
local function load_salons()
  local result = program.call('salons/list', { fields = { 'name', 'location' }, policy = 'cacheFirst' })
  local salons, names, are_namesakes = {}, {}, false
  for _, salon in ipairs(result and result.salons or {}) do
    are_namesakes = are_namesakes or names[salon.name] ~= nil
    salons[salon.id], names[salon.name] = salon, true
  end
  return salons, are_namesakes
end

---@param salon_id? string
---@return novablend.Loaded?
---@return novablend.Problem?
local function load(salon_id)
  local result, problem = program.call('appointments/list', { salonId = salon_id })
  -- What is in doubt is shown also if nothing can be loaded.
  if not result then return { rows = vim.tbl_map(doubt_row, (changes.known_doubts())), notes = {} }, problem end
  local rows = vim.tbl_map(doubt_row, (changes.doubts()))
  local salons, shows_place = load_salons()
  for _, appointment in ipairs(result.appointments) do
    table.insert(rows, appointment_row(appointment, salons, shows_place))
  end
  local notes = { text.source(result.provenance) }
  return { rows = rows, notes = notes, empty = 'no appointments', whole = { 1, shows_place and 5 or 4 } }
end

--- An action on the appointment under the cursor.
local function action(name, key, label, run)
  return { name = name, keys = { key }, label = label, run = function(item)
    if item and item.appointment then run(item.appointment) end
  end }
end

local actions = {
  action('move', 'm', 'move', booking.move),
  action('cancel', 'x', 'cancel', booking.cancel),
  action('week', 'w', 'week', function(appointment)
    require('novablend.week').open(appointment.salonId, appointment.start:sub(1, 10))
  end),
  { name = 'resolve', keys = { 'r' }, label = 'resolve', run = changes.resolve },
  { name = 'discard', keys = { 'D' }, label = 'discard', run = function(item)
    if item and item.doubt then changes.discard(item.doubt) end
  end },
}

--- Shows the appointments in a window. Runs in a task.
---@param name? string the name or id of a salon, by default of all
function M.show(name)
  local salon = name and choose.salon(name)
  if name and not salon then return end
  local id = salon and salon.id
  list.show({
    kind = 'appointments',
    salon_id = id,
    title = salon and 'Appointments at ' .. text.place(salon) or 'Appointments',
    resources = { 'appointments' },
    actions = actions,
    load = function() return load(id) end,
  })
end

return M
