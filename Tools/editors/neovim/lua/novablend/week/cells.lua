--- What a cell shows, and what it stands for.
local Model = require('novablend.week.model')
local text = require('novablend.text')

local M = {}

--- The minimum width of a cell that shows an appointment and who else is free.
local both_width = 13

---@param column novablend.Column
---@param cell novablend.Cell
---@return string names
---@return integer count
local function free_names(column, cell)
  -- In a day, the title of the column has the name.
  if column.id ~= column.day.date then return '', 1 end
  local names = vim.tbl_map(function(member) return member.name end, cell.staff)
  return table.concat(names, ', '), cell.free.free or #names
end

--- Who is free, or how many, as far as it fits.
---@param column novablend.Column
---@param cell novablend.Cell
---@param width integer
local function free_text(column, cell, width)
  local names, count = free_names(column, cell)
  local suffix = cell.free.state == 'unconfirmed' and '?' or ''
  -- A time past midnight is marked with its date, or only with the day, as far as it fits.
  if cell.date ~= column.day.date then suffix = suffix .. (' %s'):format(cell.date:sub(width < 12 and 9 or 6)) end
  if names ~= '' and vim.fn.strdisplaywidth(names .. suffix) <= width then return names .. suffix end
  local counted = ('%d free%s'):format(count, suffix)
  return count > 1 and #counted <= width and counted or 'free' .. suffix
end

--- Which line of an appointment this row shows: 1 in its first row.
local function line_number(model, column, cell, appointment)
  local number = 1
  for _, clock in ipairs(model.clocks) do
    local earlier = clock < cell.row and Model.cell(model, column, clock)
    if earlier and (vim.tbl_contains(earlier.starting, appointment)
      or vim.tbl_contains(earlier.running, appointment)) then number = number + 1 end
  end
  return number
end

--- The name of one of several appointments, or only their number.
local function counted(name, others, width)
  local long = ('%s +%d'):format(name, others)
  return vim.fn.strdisplaywidth(long) <= width and long or '×' .. others + 1
end

---@param model novablend.Grid
---@param column novablend.Column
---@param cell novablend.Cell
---@param appointment novablend.Appointment
---@param others integer how many other appointments have the same time
---@param width integer
local function appointment_text(model, column, cell, appointment, others, width)
  local staff = not column.member and (appointment.staff or appointment.staffId)
  local name = appointment.service or appointment.serviceId or (appointment.own and 'yours' or 'booked')
  local lines = others > 0 and { counted(name, others, width) } or vim.tbl_filter(function(line)
    return line ~= ''
  end, { name, staff or '', appointment.phone or '' })
  local line = lines[line_number(model, column, cell, appointment)] or ''
  -- The beginning of a phone number is of no use.
  return line == appointment.phone and vim.fn.strdisplaywidth(line) > width and '' or line
end

--- The appointment that a cell shows if it has several.
---@param appointments novablend.Appointment[]
---@return novablend.Appointment?
local function first_own(appointments)
  for _, appointment in ipairs(appointments) do
    if appointment.own then return appointment end
  end
  return appointments[1]
end

--- The mark and the text of the appointment that a cell shows, and its highlight group.
---@param model novablend.Grid
---@param column novablend.Column
---@param cell novablend.Cell
---@param width integer
---@return string? mark
---@return string text
---@return string group
local function appointment_of(model, column, cell, width)
  local shown = first_own(cell.starting) or first_own(cell.running)
  if not shown then return nil, '', '' end
  local others = #cell.starting + #cell.running - 1
  local mark = not cell.starting[1] and '│' or shown.own and '●' or '○'
  return mark, appointment_text(model, column, cell, shown, others, width), shown.own and 'Own' or 'Booked'
end

--- What a cell shows, in parts { text, highlight group }. The last column stays empty next to an appointment.
---@param model novablend.Grid
---@param column novablend.Column
---@param cell? novablend.Cell
---@param width integer
---@return { [1]: string, [2]: string? }[]
function M.parts(model, column, cell, width)
  if not cell then return {} end
  local half = math.floor(width / 2)
  local mark, name, group = appointment_of(model, column, cell, (cell.free and half or width) - 2)
  if not cell.free then
    if mark then return { { mark .. text.fit(name, width - 2), group } } end
    return { { ' ' }, { cell.is_taken and 'taken' or '', 'Dim' } }
  end
  if not mark then return { { ' ' }, { free_text(column, cell, width - 1), 'Free' } } end
  if width < both_width then return { { mark, group }, { free_text(column, cell, width - 2), 'Free' } } end
  return { { mark .. text.fit(name, half - 2), group }, { ' ' }, { free_text(column, cell, width - half - 1), 'Free' } }
end

--- What a cell stands for, in one line for each part.
---@param cell? novablend.Cell
---@param column novablend.Column
---@return string[]
function M.describe(cell, column)
  local day = column.day
  local who = column.id ~= day.date and column.title or nil
  local time = text.join(' ', text.day(day), cell and cell.clock)
  if cell and cell.date ~= day.date then
    time = ('%s %s (hours of %s)'):format(cell.date, cell.clock, text.day(day))
  end
  local title = text.join(', ', time, who)
  local lines = {}
  for _, appointment in ipairs(cell and Model.appointments(cell) or {}) do
    local name = text.appointment(appointment):gsub('^%a+ ' .. vim.pesc(cell.date) .. ' ', '')
    table.insert(lines, (appointment.own and '● ' or '○ ') .. name)
  end
  if not cell or not cell.free then
    local none = column.member and 'not free' or 'cannot be booked'
    local reason = cell and cell.is_taken and 'taken' or day.reason or none
    table.insert(lines, 1, text.join(', ', title, #lines == 0 and reason or nil))
  else
    local names, count = free_names(column, cell)
    local state = cell.free.state == 'unconfirmed' and 'perhaps free' or count > 1 and count .. ' free' or 'free'
    table.insert(lines, 1, text.join(', ', title, text.join(': ', state, names)))
  end
  if #lines > 2 then lines[1] = lines[1] .. '  (o opens the appointments)' end
  return lines
end

return M
