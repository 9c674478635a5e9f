--- The grid of a week: a column for each day, and a row for each start time.
local dates = require('novablend.dates')

local M = {}

---@class novablend.Free
---@field staff? novablend.StaffMember
---@field time string the value of appointmentTime
---@field count? integer how many seats are free, if there are several

---@class novablend.Cell
---@field date string
---@field clock string the start time, such as `09:30`
---@field free novablend.Free[]
---@field is_unconfirmed? boolean whether the free times may be taken
---@field is_taken? boolean
---@field starting novablend.Appointment[] appointments that begin at this time
---@field running novablend.Appointment[] appointments that have begun before

---@class novablend.Week
---@field days novablend.Day[]
---@field clocks string[] the start times, in order
---@field cells table<string, novablend.Cell> by date and clock, joined with T

---@param week novablend.Week
---@param date string
---@param clock string
---@return novablend.Cell
local function cell_at(week, date, clock)
  local key = date .. 'T' .. clock
  local cell = week.cells[key]
  if not cell then
    cell = { date = date, clock = clock, free = {}, starting = {}, running = {} }
    week.cells[key] = cell
  end
  return cell
end

--- Adds the times of a staff member, or of the salon.
---@param week novablend.Week
---@param times novablend.Availability
---@param member? novablend.StaffMember
---@param day novablend.Day
local function add_times(week, times, member, day)
  for kind, list in pairs({ free = day.free, unconfirmed = day.unconfirmed }) do
    for index, time in ipairs(list) do
      local cell = cell_at(week, day.date, (dates.split(time)))
      cell.is_unconfirmed = kind == 'unconfirmed' or nil
      local count = kind == 'free' and (day.freeCounts or {})[index] or nil
      local value = dates.appointment_time(times, day, time)
      table.insert(cell.free, { staff = member, time = value, count = count })
    end
  end
  for _, list in ipairs({ day.taken or {}, day.own or {} }) do
    for _, time in ipairs(list) do cell_at(week, day.date, (dates.split(time))).is_taken = true end
  end
end

--- The date and time on the salon's clock at which an appointment begins or ends.
local function reading(time) return time:match('^(.-)T(%d%d:%d%d)') end

---@param week novablend.Week
---@param appointment novablend.Appointment
local function begin(week, appointment)
  local date, clock = reading(appointment.when and appointment.when['local'] or appointment.appointmentTime)
  for _, day in ipairs(week.days) do
    if day.date == date then table.insert(cell_at(week, date, clock).starting, appointment) end
  end
end

--- Adds an appointment to the rows after its first one.
---@param week novablend.Week
---@param appointment novablend.Appointment
local function continue(week, appointment)
  if not appointment.when or not appointment.when['end'] then return end
  local first = table.concat({ reading(appointment.when['local']) }, 'T')
  local last = table.concat({ reading(appointment.when['end']) }, 'T')
  for _, day in ipairs(week.days) do
    for _, clock in ipairs(week.clocks) do
      local time = day.date .. 'T' .. clock
      if first < time and time < last then
        table.insert(cell_at(week, day.date, clock).running, appointment)
      end
    end
  end
end

---@param loaded { times: novablend.Availability, staff: novablend.StaffMember? }[] one for each staff member
---@param appointments novablend.Appointment[]
---@param count integer the number of days
---@return novablend.Week
function M.new(loaded, appointments, count)
  local week = { days = vim.list_slice(loaded[1].times.days, 1, count), clocks = {}, cells = {} }
  for _, each in ipairs(loaded) do
    for index = 1, #week.days do add_times(week, each.times, each.staff, each.times.days[index]) end
  end
  for _, appointment in ipairs(appointments) do begin(week, appointment) end
  local seen = {}
  for _, cell in pairs(week.cells) do seen[cell.clock] = true end
  week.clocks = vim.tbl_keys(seen)
  table.sort(week.clocks)
  for _, appointment in ipairs(appointments) do continue(week, appointment) end
  return week
end

---@param cell novablend.Cell
---@return novablend.Appointment[]
function M.appointments(cell)
  return vim.list_extend(vim.list_extend({}, cell.starting), cell.running)
end

return M
