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
---@field date string
---@field clock string the start time, such as `09:30`
---@field free? novablend.Slot the time, if it can be booked
---@field staff novablend.StaffMember[] who is free, as far as the grid shows it
---@field member? novablend.StaffMember whose column it is
---@field is_taken? boolean
---@field starting novablend.Appointment[] appointments that begin at this time
---@field running novablend.Appointment[] appointments that began earlier and have not ended

---@class novablend.Grid
---@field columns novablend.Column[]
---@field clocks string[] the start times, in order
---@field cells table<string, novablend.Cell> by column and clock
---@field left_out? integer how many columns do not fit

--- What a week loads.
---@class novablend.Week
---@field days novablend.Day[]
---@field appointments novablend.Appointment[]
---@field staff novablend.StaffMember[] of the salon, or the one who was chosen
---@field shows_names boolean whether a free time names who is free
---@field seats integer of a salon without staff

---@param grid novablend.Grid
---@param column novablend.Column
---@param clock string
---@return novablend.Cell?
function M.cell(grid, column, clock) return column and clock and grid.cells[column.id .. '\n' .. clock] end

---@param grid novablend.Grid
---@param column novablend.Column
---@param clock string
---@return novablend.Cell
local function make_cell(grid, column, clock)
  local cell = M.cell(grid, column, clock)
  if not cell then
    cell = { date = column.day.date, clock = clock, staff = {}, starting = {}, running = {}, member = column.member }
    grid.cells[column.id .. '\n' .. clock] = cell
  end
  return cell
end

--- The date and time on the salon's clock.
local function reading(time) return time:match('^(.-)T(%d%d:%d%d)') end

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

---@param appointment novablend.Appointment
---@return string date
---@return string clock
local function start_of(appointment) return reading(text.start(appointment)) end

--- Adds an appointment to the row of its start, and to those until its end.
---@param grid novablend.Grid
---@param column novablend.Column
---@param appointment novablend.Appointment
local function continue(grid, column, appointment)
  local finish = text.finish(appointment)
  if not finish then return end
  local first = table.concat({ start_of(appointment) }, 'T')
  local last = table.concat({ reading(finish) }, 'T')
  for _, clock in ipairs(grid.clocks) do
    local time = column.day.date .. 'T' .. clock
    if first < time and time < last then table.insert(make_cell(grid, column, clock).running, appointment) end
  end
end

--- Adds appointments to a grid that has its free times.
---@param grid novablend.Grid
---@param placed { [1]: novablend.Column, [2]: novablend.Appointment }[]
local function add_appointments(grid, placed)
  for _, each in ipairs(placed) do
    local date, clock = start_of(each[2])
    if each[1].day.date == date then table.insert(make_cell(grid, each[1], clock).starting, each[2]) end
  end
  local seen = {}
  for _, cell in pairs(grid.cells) do seen[cell.clock] = true end
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
---@return novablend.Grid
function M.of_week(week)
  local grid, placed = { columns = {}, clocks = {}, cells = {} }, {}
  for _, day in ipairs(week.days) do
    local column = { id = day.date, title = text.day(day), day = day }
    table.insert(grid.columns, column)
    for _, slot in ipairs(day.slots) do
      local _, clock = reading(slot.appointmentTime)
      add_slot(make_cell(grid, column, clock), slot, week.shows_names and members(week.staff, slot.staff) or {})
    end
    for _, appointment in ipairs(week.appointments) do table.insert(placed, { column, appointment }) end
  end
  add_appointments(grid, placed)
  return grid
end

--- Whether an appointment occupies a part of a day.
local function is_on(appointment, day)
  local date = start_of(appointment)
  local finish = text.finish(appointment)
  local last, clock = reading(finish or text.start(appointment))
  return date == day.date or date < day.date and (last > day.date or last == day.date and clock > '00:00')
end

--- The first seats that no earlier appointment occupies at the time of one.
---@param appointment novablend.Appointment
---@param until_by_seat table<integer, string> when each seat is free again
---@return integer[]
local function take_seats(appointment, until_by_seat)
  local start, taken, seat = text.start(appointment), {}, 0
  while #taken < (appointment.seats or 1) do
    seat = seat + 1
    if (until_by_seat[seat] or '') <= start then
      until_by_seat[seat] = text.finish(appointment) or start .. '~'
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
    local start, finish = text.start(each[2]), text.finish(each[2])
    local last = slot['end'] or slot.appointmentTime .. '~'
    if each[1] == column and start < last and (finish or start .. '~') > slot.appointmentTime then return true end
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
  local appointments = vim.tbl_filter(function(each) return is_on(each, day) end, week.appointments)
  table.sort(appointments, function(one, other) return text.start(one) < text.start(other) end)
  local columns, placed = (#week.staff > 0 and place_staff or place_seats)(week, day, appointments)
  local grid = { columns = columns, clocks = {}, cells = {} }
  for _, slot in ipairs(day.slots) do
    local _, clock = reading(slot.appointmentTime)
    local free = free_columns(week, columns, placed, slot)
    for _, column in ipairs(columns) do
      local is_free = vim.tbl_contains(free, column)
      local cell = make_cell(grid, column, clock)
      if is_free then
        add_slot(cell, slot, { column.member })
      elseif not column.member then
        cell.is_taken = true
      end
    end
  end
  add_appointments(grid, placed)
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
