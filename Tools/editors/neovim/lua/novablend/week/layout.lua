--- The sizes of a week and a day.
local M = { clock_width = 6, least_width = 7 }

local greatest_width = 18
--- The columns of a day are few, and can be wider.
local greatest_day_width = 26
local most_days = 7
local greatest_frame = 78
local border = 2

local function space() return vim.o.columns - border - M.clock_width end

--- How many columns fit on the screen.
---@return integer
function M.column_count() return math.max(1, math.floor(space() / M.least_width)) end

--- How many days fit on the screen.
---@return integer
function M.day_count() return math.min(most_days, M.column_count()) end

--- The width of a cell.
---@param columns integer
---@return integer
function M.cell_width(columns)
  local greatest = columns < most_days and greatest_day_width or greatest_width
  return math.max(M.least_width, math.min(greatest, math.floor(space() / math.max(1, columns))))
end

--- The width of a frame around columns, with room for the text below them.
---@param columns integer
---@param cell_width integer
---@return integer
function M.frame_width(columns, cell_width)
  return math.max(M.clock_width + columns * cell_width, math.min(greatest_frame, vim.o.columns - border))
end

return M
