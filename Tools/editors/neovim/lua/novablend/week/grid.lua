--- The lines of the grid: a row for each start time, and a column for each day.
local cells = require('novablend.week.cells')
local layout = require('novablend.week.layout')
local text = require('novablend.text')

local M = {}

--- The names of the days above the grid.
---@param week? novablend.Week
---@param width integer
---@return string
function M.day_names(week, width)
  local names = { (' '):rep(layout.clock_width) }
  for _, day in ipairs(week and week.days or {}) do
    local name = ('%s %s'):format((day.weekday or ''):sub(1, 3), day.date:sub(width < 12 and 9 or 6))
    table.insert(names, ' ' .. text.fit(name, width - 1))
  end
  return table.concat(names)
end

--- Whether no time of a day is shown.
local function is_empty(week, day)
  for _, clock in ipairs(week.clocks) do
    if week.cells[day.date .. 'T' .. clock] then return false end
  end
  return true
end

--- The parts of a row { text, highlight group }, for each day.
local function row_parts(week, row, width)
  return vim.tbl_map(function(day)
    if row == 1 and is_empty(week, day) then return { { day.hours and ' –' or ' closed', 'Dim' } } end
    return cells.parts(week, week.cells[day.date .. 'T' .. week.clocks[row]], width)
  end, week.days)
end

--- The lines of the grid.
---@param week? novablend.Week
---@param width integer of a cell
---@return { [1]: string, [2]: string? }[] lines with highlight groups
---@return any[][] marks { line, first, last, highlight group }
---@return integer[][] offsets the first byte of each cell, by row and day
function M.lines(week, width)
  local lines, marks, offsets = {}, {}, {}
  for row, clock in ipairs(week and week.clocks or {}) do
    local line = clock .. ' '
    table.insert(marks, { row - 1, 0, #clock, 'Dim' })
    offsets[row] = {}
    for column, parts in ipairs(row_parts(week, row, width)) do
      local cell = ''
      offsets[row][column] = #line
      for _, part in ipairs(parts) do
        local first = #line + #cell
        cell = cell .. part[1]
        if part[2] then table.insert(marks, { row - 1, first, #line + #cell, part[2] }) end
      end
      line = line .. text.fit(cell, width)
    end
    table.insert(lines, { line })
  end
  if week and #lines == 0 then lines = { { (' '):rep(layout.clock_width) .. ' no times', 'Dim' } } end
  return lines, marks, offsets
end

return M
