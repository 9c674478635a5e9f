--- The sizes of a week.
local text = require('novablend.text')

local M = { clock_width = 6, least_width = 7 }

local greatest_width = 18
local border = 2

--- How many days fit on the screen.
---@return integer
function M.day_count()
  local space = vim.o.columns - border - M.clock_width
  return math.max(1, math.min(7, math.floor(space / M.least_width)))
end

--- The width of a cell.
---@return integer
function M.cell_width()
  local space = vim.o.columns - border - M.clock_width
  return math.max(M.least_width, math.min(greatest_width, math.floor(space / M.day_count())))
end

--- Joins words to lines of at most a width.
---@param words string[]
---@param separator string
---@param width integer
---@return string[]
function M.wrap(words, separator, width)
  local lines, current = {}, ''
  for _, word in ipairs(words) do
    local longer = text.join(separator, current, word)
    if current ~= '' and vim.fn.strdisplaywidth(longer) > width then
      table.insert(lines, current)
      longer = word
    end
    current = longer
  end
  table.insert(lines, current)
  return lines
end

return M
