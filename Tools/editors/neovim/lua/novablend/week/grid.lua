--- The lines of the grid, with a row for each start time.
local Model = require('novablend.week.model')
local cells = require('novablend.week.cells')
local layout = require('novablend.week.layout')
local text = require('novablend.text')

local M = {}

--- The names of the columns above the grid.
---@param model? novablend.Grid
---@param width integer
---@return string
function M.titles(model, width)
  local names = { (' '):rep(layout.clock_width) }
  for _, column in ipairs(model and model.columns or {}) do
    local title = column.title
    -- A narrow column has the weekday, and the month and the day, or only the day.
    if column.id == column.day.date then title = title:sub(1, 4) .. column.day.date:sub(width < 12 and 9 or 6) end
    table.insert(names, ' ' .. text.fit(title, width - 1))
  end
  return table.concat(names)
end

--- Whether no time of a column is shown.
local function is_empty(model, column)
  for _, clock in ipairs(model.clocks) do
    if Model.cell(model, column, clock) then return false end
  end
  return true
end

--- The parts of a row { text, highlight group }, for each column.
local function row_parts(model, row, width)
  return vim.tbl_map(function(column)
    if row == 1 and is_empty(model, column) then return { { column.day.hours and ' –' or ' closed', 'Dim' } } end
    return cells.parts(model, column, Model.cell(model, column, model.clocks[row]), width)
  end, model.columns)
end

--- The lines of the grid.
---@param model? novablend.Grid
---@param width integer of a cell
---@return { [1]: string, [2]: string? }[] lines with highlight groups
---@return any[][] marks { line, first, last, highlight group }
---@return integer[][] offsets the first byte of each cell, by row and column
function M.lines(model, width)
  local lines, marks, offsets = {}, {}, {}
  for row, clock in ipairs(model and model.clocks or {}) do
    local label = Model.label(clock)
    local line = text.fit(label, layout.clock_width)
    table.insert(marks, { row - 1, 0, #label, 'Dim' })
    offsets[row] = {}
    for column, parts in ipairs(row_parts(model, row, width)) do
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
  if model and #lines == 0 then lines = { { (' '):rep(layout.clock_width) .. ' no times', 'Dim' } } end
  return lines, marks, offsets
end

return M
