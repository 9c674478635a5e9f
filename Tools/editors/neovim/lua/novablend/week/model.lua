--- The grid of a week: a column for each day, and a row for each start time.
local M = {}

---@class novablend.Cell
---@field date string
---@field clock string the start time, such as `09:30`
---@field free? novablend.Slot the time, if it can be booked
---@field staff novablend.StaffMember[] who is free, as far as the week shows it
---@field is_taken? boolean
---@field starting novablend.Appointment[] appointments that begin at this time
---@field running novablend.Appointment[] appointments that began earlier and have not ended

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
    cell = { date = date, clock = clock, staff = {}, starting = {}, running = {} }
    week.cells[key] = cell
  end
  return cell
end

--- The date and time on the salon's clock.
local function reading(time) return time:match('^(.-)T(%d%d:%d%d)') end

---@param week novablend.Week
---@param slot novablend.Slot
---@param staff novablend.StaffMember[]
local function add_slot(week, slot, staff)
  local cell = cell_at(week, reading(slot.appointmentTime))
  cell.is_taken = slot.state == 'taken' or slot.state == 'own'
  -- When the clock is set back, a cell has two times, of which the first one is shown.
  if cell.is_taken or cell.free then return end
  cell.free = slot
  cell.staff = vim.tbl_filter(function(member) return vim.tbl_contains(slot.staff or {}, member.id) end, staff)
end

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

---@param days novablend.Day[]
---@param staff novablend.StaffMember[] the staff members whose names are shown
---@param appointments novablend.Appointment[]
---@return novablend.Week
function M.new(days, staff, appointments)
  local week = { days = days, clocks = {}, cells = {} }
  for _, day in ipairs(days) do
    for _, slot in ipairs(day.slots) do add_slot(week, slot, staff) end
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
