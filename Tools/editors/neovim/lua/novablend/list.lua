--- A window with a list that is loaded again after each change.
local highlights = require('novablend.highlights')
local problems = require('novablend.problem')
local program = require('novablend.program')
local task = require('novablend.task')
local text = require('novablend.text')
local ui = require('novablend.ui')

local M = {}

---@class novablend.Row
---@field id? string identifies the row after it was loaded again
---@field cells string[]
---@field group? string a highlight group without its prefix
---@field item any

---@class novablend.Loaded
---@field rows novablend.Row[]
---@field notes string[] what to know about the list, such as its age
---@field empty? string what to show if there are no rows
---@field whole? integer[] the columns that are narrowed last

---@class novablend.List
---@field kind 'salons'|'appointments'
---@field salon_id? string if the list is about one salon
---@field title string
---@field resources string[] the list is loaded again after their changes
---@field actions novablend.Action[] whose functions get the item of the row under the cursor
---@field load fun(): novablend.Loaded?, novablend.Problem? runs in a task

--- The lines above the rows: the title, the keys, and notes.
local header_lines = 3
local greatest_height = 14
local least_column = 4
local gap = 2

local buffer_options = { buftype = 'nofile', bufhidden = 'wipe', swapfile = false, modifiable = false }
--- Rows are cut to the width of the window. What is wrapped are sentences.
local window_options = {
  wrap = true, linebreak = true, breakindent = false, number = false, relativenumber = false, cursorline = true,
  list = false, spell = false, signcolumn = 'no', foldcolumn = '0', foldenable = false, colorcolumn = '',
  conceallevel = 0, cursorbind = false, scrollbind = false, diff = false,
}

--- Opens a window at the bottom, in place of one with the same buffer, and returns the buffer.
---@param name string
---@return integer
function M.open_window(name)
  -- The week that the command was typed in would cover the window.
  if vim.bo.filetype == 'novablend-week' then vim.cmd('close') end
  local old = ui.find_buffer(name)
  if old then vim.api.nvim_buf_delete(old, { force = true }) end
  vim.cmd(('botright %dnew'):format(math.max(1, math.min(greatest_height, vim.o.lines - 6))))
  local buffer = vim.api.nvim_get_current_buf()
  for option, value in pairs(buffer_options) do vim.bo[buffer][option] = value end
  ui.set_options(0, window_options)
  return buffer
end

--- Narrows the widest of some columns until all columns fit. Returns the space that is still missing.
---@param widths integer[]
---@param may_narrow fun(column: integer): boolean
---@param missing integer
---@return integer
local function narrow(widths, may_narrow, missing)
  local columns = vim.tbl_filter(may_narrow, vim.tbl_keys(widths))
  table.sort(columns, function(one, other) return widths[one] > widths[other] end)
  while missing > 0 and columns[1] and widths[columns[1]] > least_column do
    -- The widest ones become as wide as the next one, or as narrow as necessary.
    local count = 1
    while columns[count + 1] and widths[columns[count + 1]] == widths[columns[1]] do count = count + 1 end
    local next_width = math.max(least_column, widths[columns[count + 1]] or least_column)
    local by = math.min(widths[columns[1]] - next_width, math.ceil(missing / count))
    for index = 1, count do widths[columns[index]] = widths[columns[index]] - by end
    missing = missing - by * count
  end
  return missing
end

--- The widths of columns that fit in a window.
---@param loaded novablend.Loaded
---@param width integer of the window
---@return integer[]
local function column_widths(loaded, width)
  local widths = {}
  for _, row in ipairs(loaded.rows) do
    -- A row with one cell is a sentence.
    for column, cell in ipairs(row.cells[2] and row.cells or {}) do
      widths[column] = math.max(widths[column] or 0, vim.fn.strdisplaywidth((cell:gsub('%c', ' '))))
    end
  end
  local missing = -width - gap
  for _, each in ipairs(widths) do missing = missing + each + gap end
  local whole = loaded.whole or {}
  missing = narrow(widths, function(column) return not vim.tbl_contains(whole, column) end, missing)
  narrow(widths, function() return true end, missing)
  return widths
end

--- Sets the lines and highlights of a buffer.
---@param buffer integer
---@param lines { [1]: string, [2]: string? }[] texts and highlight groups
function M.set_lines(buffer, lines)
  vim.bo[buffer].modifiable = true
  local texts = vim.tbl_map(function(line) return (line[1]:gsub('\n', ' ')) end, lines)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, texts)
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(buffer, highlights.namespace, 0, -1)
  for index, line in ipairs(lines) do
    if line[2] then highlights.add(buffer, index - 1, 0, #line[1], line[2]) end
  end
end

--- The lines of the rows.
---@param loaded novablend.Loaded
---@param width integer
local function row_lines(loaded, width)
  local lines = {}
  local columns = column_widths(loaded, width)
  for _, row in ipairs(loaded.rows) do
    local cells = {}
    for column, cell in ipairs(row.cells) do
      cells[column] = row.cells[2] and text.fit(cell, columns[column]) or cell
    end
    table.insert(lines, { (table.concat(cells, (' '):rep(gap)):gsub('%s+$', '')), row.group })
  end
  if #loaded.rows == 0 and loaded.empty then table.insert(lines, { loaded.empty, 'Dim' }) end
  return lines
end

--- Puts the cursor on the row with this id, if there is one.
local function move_to(rows, id, window)
  for index, row in ipairs(rows) do
    if id and row.id == id then return vim.api.nvim_win_set_cursor(window, { index + header_lines, 0 }) end
  end
end

---@class novablend.ListWindow
---@field list novablend.List
---@field buffer integer
---@field actions novablend.Action[]
---@field rows novablend.Row[]
---@field loaded? novablend.Loaded
---@field problem? novablend.Problem
---@field loads integer
---@field is_loading boolean
local Window = {}
Window.__index = Window

--- The row under the cursor.
function Window:current()
  local window = vim.fn.bufwinid(self.buffer)
  return window ~= -1 and self.rows[vim.fn.line('.', window) - header_lines] or nil
end

function Window:render()
  if not vim.api.nvim_buf_is_valid(self.buffer) then return end
  local window, row = vim.fn.bufwinid(self.buffer), self:current()
  local keys = table.concat(ui.labels(self.buffer, self.list.kind, self.actions), '  ')
  local loaded = self.loaded or { rows = {}, notes = {} }
  local note = table.concat(loaded.notes, ' ')
  local lines = {
    { self.list.title .. (self.is_loading and '  Loading…' or ''), 'Title' },
    { keys, 'Key' },
    self.problem and { problems.text(self.problem), 'Error' } or { note, 'Warning' },
  }
  self.rows = loaded.rows
  local width = window ~= -1 and vim.api.nvim_win_get_width(window) or vim.o.columns
  M.set_lines(self.buffer, vim.list_extend(lines, row_lines(loaded, width)))
  if window == -1 then return end
  row = row or self.rows[1]
  if row then move_to(self.rows, row.id, window) end
end

--- Loads the list. Until it is there, the earlier one is shown.
function Window:load()
  self.loads, self.is_loading = self.loads + 1, true
  local number = self.loads
  self:render()
  local loaded, problem = self.list.load()
  if number ~= self.loads then return end
  self.loaded, self.problem, self.is_loading = loaded, problem, false
  self:render()
end

--- Shows a list until its window is closed.
---@param list novablend.List
function M.show(list)
  local name = ('novablend://%s%s'):format(list.kind, list.salon_id and '/' .. list.salon_id or '')
  local buffer = M.open_window(name)
  local self = setmetatable({ list = list, buffer = buffer, rows = {}, loads = 0, is_loading = false }, Window)
  local function reload() task.run(self.load, self) end
  self.actions = vim.list_extend(vim.list_extend({}, list.actions), {
    { name = 'reload', keys = { 'R' }, label = 'reload', run = reload },
    { name = 'help', keys = { '?' }, label = 'help', run = function() ui.help('novablend-lists') end },
    { name = 'close', keys = { 'q' }, label = 'close', run = function() vim.cmd('bwipeout') end },
  })
  ui.prepare(buffer, list.kind, name, self.actions, function(action)
    local row = self:current()
    task.run(action.run, row and row.item)
  end, reload)
  local ends = vim.tbl_map(function(resource) return program.follow(resource, reload) end, list.resources)
  local group = vim.api.nvim_create_augroup('NovaBlendList' .. buffer, {})
  local resized = vim.fn.exists('##WinResized') == 1 and { 'VimResized', 'WinResized' } or 'VimResized'
  vim.api.nvim_create_autocmd(resized, { group = group, callback = function() self:render() end })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = function()
      for _, finish in ipairs(ends) do finish() end
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
  reload()
end

return M
