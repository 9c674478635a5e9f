--- The floating windows of a week: a frame with the heading and the status, and in it the grid, which scrolls.
local Model = require('novablend.week.model')
local cells = require('novablend.week.cells')
local grid = require('novablend.week.grid')
local highlights = require('novablend.highlights')
local layout = require('novablend.week.layout')
local list = require('novablend.list')
local text = require('novablend.text')
local ui = require('novablend.ui')

---@class novablend.View
---@field frame { buffer: integer, window: integer }
---@field grid { buffer: integer, window: integer }
---@field width integer of a cell
---@field offsets integer[][] the first byte of each cell, by row and column
---@field shown novablend.Shown
local View = {}
View.__index = View

---@class novablend.Shown
---@field title string
---@field subtitle string[] parts of the lines below the title
---@field grid? novablend.Grid
---@field status { [1]: string, [2]: string }[] texts and highlight groups
---@field keys string[]
---@field focus? string the column to which the cursor goes, if its own column is not shown any more

local detail_height = 2
--- The priority of a highlight that covers the others, whose default is 4096.
local above_others = 5000
local selection = vim.api.nvim_create_namespace('novablend.selection')

local function open_window(is_frame, options)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].modifiable = false
  local window = vim.api.nvim_open_win(buffer, not is_frame, vim.tbl_extend('error', {
    relative = 'editor', style = 'minimal', focusable = not is_frame,
    border = is_frame and 'rounded' or 'none', zindex = is_frame and 40 or 41,
  }, options))
  ui.set_options(window, { winhighlight = 'NormalFloat:Normal,FloatBorder:NovaBlendDim', wrap = false })
  return { buffer = buffer, window = window }
end

---@return novablend.View
function View.open()
  local size = { row = 0, col = 0, width = 1, height = 1 }
  return setmetatable({
    frame = open_window(true, size),
    grid = open_window(false, size),
    width = layout.least_width,
    offsets = {},
    shown = { title = '', subtitle = {}, status = {}, keys = {} },
  }, View)
end

---@return boolean
function View:is_open() return vim.api.nvim_win_is_valid(self.grid.window) end

function View:close()
  for _, each in ipairs({ self.grid, self.frame }) do
    if vim.api.nvim_win_is_valid(each.window) then vim.api.nvim_win_close(each.window, true) end
  end
end

--- The lines of the frame below the grid.
---@param width integer
function View:footer(width)
  local lines = { { ('─'):rep(width), 'Dim' } }
  local cell, column = self:selected()
  local details = column and cells.describe(cell, column) or {}
  for index = 1, detail_height do
    local others = index == detail_height and #details - index or 0
    local suffix = others > 0 and (' and %d more'):format(others) or ''
    table.insert(lines, { text.fit(details[index] or '', width - #suffix) .. suffix })
  end
  for _, status in ipairs(self.shown.status) do
    for _, line in ipairs(text.wrap(vim.split(status[1], ' '), ' ', width)) do
      table.insert(lines, { line, status[2] })
    end
  end
  for _, line in ipairs(text.wrap(self.shown.keys, '  ', width)) do table.insert(lines, { line, 'Key' }) end
  return lines
end

--- The row and the column of the cursor, from 1.
function View:position()
  local row = vim.api.nvim_win_get_cursor(self.grid.window)[1]
  local column = vim.api.nvim_win_call(self.grid.window, function() return vim.fn.virtcol('.') end)
  local columns = self.shown.grid and #self.shown.grid.columns or 1
  return row, math.max(1, math.min(columns, math.floor((column - 1 - layout.clock_width) / self.width) + 1))
end

--- The cell and the column of the cursor.
---@return novablend.Cell?
---@return novablend.Column?
function View:selected()
  local model = self.shown.grid
  if not model or not self:is_open() then return nil, nil end
  local row, number = self:position()
  local column = model.columns[number]
  return Model.cell(model, column, model.clocks[row] or ''), column
end

--- Draws the frame, and places both windows in the middle of the screen.
function View:draw_frame()
  local columns = self.shown.grid and #self.shown.grid.columns or layout.day_count()
  local width = layout.frame_width(columns, self.width)
  local lines = { { text.fit(self.shown.title, width), 'Title' } }
  for _, line in ipairs(text.wrap(self.shown.subtitle, '  ', width)) do table.insert(lines, { line, 'Dim' }) end
  table.insert(lines, { grid.titles(self.shown.grid, self.width), 'Title' })
  local header, footer = #lines, self:footer(width)
  local space = vim.o.lines - vim.o.cmdheight - 2 - header - #footer
  local height = math.max(1, math.min(vim.api.nvim_buf_line_count(self.grid.buffer), space))
  for _ = 1, height do table.insert(lines, { '' }) end
  list.set_lines(self.frame.buffer, vim.list_extend(lines, footer))
  local row = math.max(0, math.floor((vim.o.lines - vim.o.cmdheight - #lines - 2) / 2))
  local column = math.max(0, math.floor((vim.o.columns - width - 2) / 2))
  local function place(each, options)
    vim.api.nvim_win_set_config(each.window, vim.tbl_extend('error', { relative = 'editor', width = width }, options))
  end
  place(self.frame, { row = row, col = column, height = #lines })
  place(self.grid, { row = row + 1 + header, col = column + 1, height = height })
  -- A window that has become taller shows more of the lines above, and no empty ones below the last.
  vim.api.nvim_win_call(self.grid.window, function()
    local top = math.max(1, vim.fn.line('$') - height + 1)
    if vim.fn.line('w0') > top then vim.fn.winrestview({ topline = top }) end
  end)
end

--- Highlights the cell of the cursor, and describes it in the frame.
function View:show_selection()
  if not self:is_open() then return end
  vim.api.nvim_buf_clear_namespace(self.grid.buffer, selection, 0, -1)
  local row, column = self:position()
  local first = (self.offsets[row] or {})[column]
  if first then
    local line = vim.api.nvim_buf_get_lines(self.grid.buffer, row - 1, row, true)[1]
    local last = self.offsets[row][column + 1] or #line
    vim.api.nvim_buf_set_extmark(self.grid.buffer, selection, row - 1, first, {
      end_col = last, hl_group = 'NovaBlendCursor', priority = above_others,
    })
  end
  self:draw_frame()
end

--- Moves the cursor to a cell.
---@param row integer
---@param column integer
function View:select(row, column)
  local first = (self.offsets[row] or {})[column]
  if first then vim.api.nvim_win_set_cursor(self.grid.window, { row, first }) end
end

--- Moves the cursor to the column on the left or on the right. Returns whether there is one.
---@param by integer
---@return boolean
function View:move_column(by)
  local row, column = self:position()
  if not (self.offsets[row] or {})[column + by] then return false end
  self:select(row, column + by)
  return true
end

--- Moves the cursor to the best of the cells for which a function returns a rank above 0.
---@param rank fun(column: novablend.Column, clock: string, cell: novablend.Cell?): number
function View:select_best(rank)
  local model, best, greatest = self.shown.grid, nil, 0
  for number, column in ipairs(model and model.columns or {}) do
    for row, clock in ipairs(model.clocks) do
      local value = rank(column, clock, Model.cell(model, column, clock))
      if value > greatest then best, greatest = { row, number }, value end
    end
  end
  if best then self:select(best[1], best[2]) end
end

--- Moves the cursor to the cell at which it was, or to its time in the column of the focus, or to the first free time.
---@param id? string of the column
---@param clock? string
function View:restore(id, clock)
  local has_focus = self.shown.focus ~= nil
  self:select_best(function(column, each, cell)
    local is_free = cell and cell.free
    if each == clock and column.id == id then return 4 end
    if has_focus and each == clock and column.id == self.shown.focus then return 3 end
    if has_focus and each == clock and is_free then return 2 end
    return is_free and 1 or 0
  end)
end

---@param shown novablend.Shown
function View:render(shown)
  if not self:is_open() then return end
  local row = self:position()
  local old, _, column = self.shown.grid, self:selected()
  self.shown, self.width = shown, layout.cell_width(shown.grid and #shown.grid.columns or layout.day_count())
  local lines, marks
  lines, marks, self.offsets = grid.lines(shown.grid, self.width)
  list.set_lines(self.grid.buffer, lines)
  for _, mark in ipairs(marks) do highlights.add(self.grid.buffer, unpack(mark)) end
  self:restore(column and column.id, old and old.clocks[row])
  self:show_selection()
end

return View
