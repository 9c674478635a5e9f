--- The grid of a week or a day: columns, and a row for each start time. In a week, a column is a day; in a day, it is a
--- staff member, or a seat where there is no staff.
local text = require('novablend.text')

local M = {}

---@class novablend.Column
---@field id string
---@field title string
---@field day novablend.Day
---@field member? novablend.StaffMember whose column it is
---@field seat? integer

---@class novablend.Cell
---@field row string
---@field date string its own date, which is that of the day after if it is past midnight
---@field clock string the start time, such as `09:30`
---@field free? novablend.Slot the time, if it can be booked
---@field staff novablend.StaffMember[] who is free, as far as the grid shows it
---@field member? novablend.StaffMember whose column it is
---@field is_taken? boolean
---@field starting novablend.Appointment[] appointments that begin at this time
---@field running novablend.Appointment[] appointments that began earlier and have not ended

---@class novablend.Grid
---@field columns novablend.Column[]
---@field clocks string[] the rows in order: start times, where `24:30` is half an hour past the midnight after the day
---@field cells table<string, novablend.Cell> by column and row
---@field left_out? integer how many columns do not fit

--- What a week loads.
---@class novablend.Week
---@field days novablend.Day[] opening days
---@field count integer how many days were asked for, of which these are the last
---@field appointments novablend.Appointment[]
---@field staff novablend.StaffMember[] of the salon, or the one who was chosen
---@field shows_names boolean whether a free time names who is free
---@field seats integer of a salon without staff

---@param grid novablend.Grid
---@param column novablend.Column
---@param row string
---@return novablend.Cell?
function M.cell(grid, column, row) return column and row and grid.cells[column.id .. '\n' .. row] end

local midnight = 24

--- The row of a time on an opening day.
---@param day string the opening day
---@param date string
---@param clock string
local function row_of(day, date, clock)
  local hours, minutes = clock:match('(%d+):(%d+)')
  return ('%02d:%s'):format(date > day and hours + midnight or hours, minutes)
end

--- The date and the clock time of a row.
---@param day string the opening day
---@param row string
---@return string date
---@return string clock
local function time_of(day, row)
  local hours, minutes = row:match('(%d+):(%d+)')
  if tonumber(hours) < midnight then return day, row end
  return text.add_days(day, 1), ('%02d:%s'):format(hours - midnight, minutes)
end

--- The clock time of a row, with a mark if it is past midnight.
---@param row string
---@return string
function M.label(row)
  local _, clock = time_of('2000-01-01', row)
  return clock == row and clock or clock .. '⁺'
end

---@param grid novablend.Grid
---@param column novablend.Column
---@param row string
---@return novablend.Cell
local function make_cell(grid, column, row)
  local cell = M.cell(grid, column, row)
  if not cell then
    local date, clock = time_of(column.day.date, row)
    cell = { row = row, date = date, clock = clock, staff = {}, starting = {}, running = {}, member = column.member }
    grid.cells[column.id .. '\n' .. row] = cell
  end
  return cell
end

--- The date and time on the salon's clock.
local function reading(time) return time:match('^(.-)T(%d%d:%d%d)') end

---@param day novablend.Day
---@param slot novablend.Slot
local function row_of_slot(day, slot) return row_of(day.date, reading(slot.appointmentTime)) end

local function is_taken(slot) return slot.state == 'taken' or slot.state == 'own' end

--- Shows a time in a cell.
---@param cell novablend.Cell
---@param slot novablend.Slot
---@param staff novablend.StaffMember[] who is free
local function add_slot(cell, slot, staff)
  cell.is_taken = is_taken(slot)
  -- When the clock is set back, a cell has two times, of which the first one is shown.
  if cell.is_taken or cell.free then return end
  cell.free, cell.staff = slot, staff
end

--- Until when the hours of a day go past midnight; nil if they do not.
---@param day novablend.Day?
---@return string?
local function end_past_midnight(day)
  local start, finish = ((day and day.hours) or ''):match('(%d%d:%d%d)%-(%d%d:%d%d)$')
  return start and finish <= start and finish or nil
end

--- The opening day of an appointment: the day before, if it begins in hours that go past midnight.
---@param week novablend.Week
---@param appointment novablend.Appointment
---@return string
local function opening_day(week, appointment)
  local date, clock = reading(appointment.start)
  local before = text.add_days(date, -1)
  for _, day in ipairs(week.days) do
    local last = day.date == before and end_past_midnight(day)
    if last and clock < last then return before end
  end
  return date
end

--- Adds an appointment to the rows after its start and before its end.
---@param grid novablend.Grid
---@param column novablend.Column
---@param appointment novablend.Appointment
local function continue(grid, column, appointment)
  if not appointment['end'] then return end
  local first = table.concat({ reading(appointment.start) }, 'T')
  local last = table.concat({ reading(appointment['end']) }, 'T')
  for _, row in ipairs(grid.clocks) do
    local time = table.concat({ time_of(column.day.date, row) }, 'T')
    if first < time and time < last then table.insert(make_cell(grid, column, row).running, appointment) end
  end
end

--- Adds appointments to a grid that has its free times.
---@param week novablend.Week
---@param grid novablend.Grid
---@param placed { [1]: novablend.Column, [2]: novablend.Appointment }[]
local function add_appointments(week, grid, placed)
  for _, each in ipairs(placed) do
    local day = each[1].day.date
    if opening_day(week, each[2]) == day then
      table.insert(make_cell(grid, each[1], row_of(day, reading(each[2].start))).starting, each[2])
    end
  end
  local seen = {}
  for _, cell in pairs(grid.cells) do seen[cell.row] = true end
  grid.clocks = vim.tbl_keys(seen)
  table.sort(grid.clocks)
  for _, each in ipairs(placed) do continue(grid, each[1], each[2]) end
end

---@param staff novablend.StaffMember[]
---@param ids? string[]
local function members(staff, ids)
  return vim.tbl_filter(function(member) return vim.tbl_contains(ids or {}, member.id) end, staff)
end

--- The grid with a column for each day.
---@param week novablend.Week
---@param count integer how many columns fit
---@return novablend.Grid
function M.of_week(week, count)
  local grid, placed = { columns = {}, clocks = {}, cells = {} }, {}
  -- What does not fit is the rest of the hours of the day before, which the days before show.
  for _, day in ipairs(vim.list_slice(week.days, math.max(1, #week.days - count + 1))) do
    local column = { id = day.date, title = text.day(day), day = day }
    table.insert(grid.columns, column)
    for _, slot in ipairs(day.slots) do
      local free = week.shows_names and members(week.staff, slot.staff) or {}
      add_slot(make_cell(grid, column, row_of_slot(day, slot)), slot, free)
    end
    for _, appointment in ipairs(week.appointments) do table.insert(placed, { column, appointment }) end
  end
  add_appointments(week, grid, placed)
  return grid
end

--- Whether two periods overlap. One without an end lasts a moment.
---@param one { start: string, end: string? }
---@param other { start: string, end: string? }
local function overlap(one, other)
  return one.start < (other['end'] or other.start .. '~') and other.start < (one['end'] or one.start .. '~')
end

--- When a slot begins and ends.
---@param slot novablend.Slot
local function period(slot) return { start = slot.appointmentTime, ['end'] = slot['end'] } end

--- Whether an appointment begins on a day, or takes a time of it.
---@param week novablend.Week
---@param day novablend.Day
---@param appointment novablend.Appointment
local function is_on(week, day, appointment)
  if opening_day(week, appointment) == day.date then return true end
  for _, slot in ipairs(day.slots) do
    if overlap(appointment, period(slot)) then return true end
  end
  return false
end

--- The first seats that no earlier appointment occupies at the time of one.
---@param appointment novablend.Appointment
---@param until_by_seat table<integer, string> when each seat is free again
---@return integer[]
local function take_seats(appointment, until_by_seat)
  local start, taken, seat = appointment.start, {}, 0
  while #taken < (appointment.seats or 1) do
    seat = seat + 1
    if (until_by_seat[seat] or '') <= start then
      until_by_seat[seat] = appointment['end'] or start .. '~'
      table.insert(taken, seat)
    end
  end
  return taken
end

--- The columns of the staff of a day, and what is in them. What belongs to no one of the staff has its own column.
local function place_staff(week, day, appointments)
  local columns, placed, by_id = {}, {}, {}
  for _, member in ipairs(week.staff) do
    by_id[member.id] = { id = member.id, title = member.name, day = day, member = member }
    table.insert(columns, by_id[member.id])
  end
  local other = { id = '\n', title = 'Anyone', day = day }
  local function has_no_one(slot) return not is_taken(slot) and #members(week.staff, slot.staff) == 0 end
  local needs_other = #vim.tbl_filter(has_no_one, day.slots) > 0
  for _, appointment in ipairs(appointments) do
    local column = by_id[appointment.staffId or '']
    needs_other = needs_other or not column
    table.insert(placed, { column or other, appointment })
  end
  if needs_other then table.insert(columns, other) end
  return columns, placed
end

--- The columns of the seats of a day, and what is in them.
local function place_seats(week, day, appointments)
  local columns, placed, until_by_seat = {}, {}, {}
  local function column_of(seat)
    for index = #columns + 1, seat do
      columns[index] = { id = tostring(index), title = 'Seat ' .. index, day = day, seat = index }
    end
    return columns[seat]
  end
  column_of(week.seats)
  for _, appointment in ipairs(appointments) do
    for _, seat in ipairs(take_seats(appointment, until_by_seat)) do
      table.insert(placed, { column_of(seat), appointment })
    end
  end
  return columns, placed
end

--- Whether an appointment occupies a column at a time.
local function is_occupied(placed, column, slot)
  for _, each in ipairs(placed) do
    if each[1] == column and overlap(each[2], period(slot)) then return true end
  end
  return false
end

--- The seats that are free at a time: as many as the server says, those without an appointment first.
local function free_seats(columns, placed, slot)
  local order = {}
  for _, wanted in ipairs({ false, true }) do
    for _, column in ipairs(columns) do
      if is_occupied(placed, column, slot) == wanted then table.insert(order, column) end
    end
  end
  return vim.list_slice(order, 1, is_taken(slot) and 0 or slot.free or 1)
end

--- The columns in which a time is free.
local function free_columns(week, columns, placed, slot)
  if #week.staff == 0 then return free_seats(columns, placed, slot) end
  local free = is_taken(slot) and {} or vim.tbl_filter(function(column)
    return column.member and vim.tbl_contains(slot.staff or {}, column.member.id)
  end, columns)
  local last = columns[#columns]
  if #free == 0 and not is_taken(slot) and not last.member then return { last } end
  return free
end

--- The grid of one day, with a column for each staff member, or each seat.
---@param week novablend.Week
---@param date string
---@param first integer the first column that is shown
---@param count integer how many columns fit
---@return novablend.Grid
function M.of_day(week, date, first, count)
  local day = vim.tbl_filter(function(each) return each.date == date end, week.days)[1] or week.days[1]
  local appointments = vim.tbl_filter(function(each) return is_on(week, day, each) end, week.appointments)
  table.sort(appointments, function(one, other) return one.start < other.start end)
  local columns, placed = (#week.staff > 0 and place_staff or place_seats)(week, day, appointments)
  local grid = { columns = columns, clocks = {}, cells = {} }
  for _, slot in ipairs(day.slots) do
    local row = row_of_slot(day, slot)
    local free = free_columns(week, columns, placed, slot)
    for _, column in ipairs(columns) do
      local is_free = vim.tbl_contains(free, column)
      local cell = make_cell(grid, column, row)
      if is_free then
        add_slot(cell, slot, { column.member })
      elseif not column.member then
        cell.is_taken = true
      end
    end
  end
  add_appointments(week, grid, placed)
  grid.left_out = math.max(0, #columns - count)
  grid.columns = vim.list_slice(columns, first, first + count - 1)
  return grid
end

---@param cell novablend.Cell
---@return novablend.Appointment[]
function M.appointments(cell)
  return vim.list_extend(vim.list_extend({}, cell.starting), cell.running)
end

return M
