--- A window with a list that is loaded again after each change.
local highlights = require('novablend.highlights')
local problems = require('novablend.problem')
local program = require('novablend.program')
local task = require('novablend.task')
local text = require('novablend.text')

local M = {}

---@class novablend.Row
---@field id? string identifies the row after it was loaded again
---@field cells string[]
---@field group? string a highlight group without its prefix
---@field item any

---@class novablend.Loaded
---@field rows novablend.Row[]
---@field notes string[] what to know about the list, such as its age
---@field empty string what to show if there are no rows

---@class novablend.Action
---@field key string
---@field label string
---@field run fun(item: any) runs in a task

---@class novablend.List
---@field name string
---@field resources string[] the list is loaded again after their changes
---@field actions novablend.Action[]
---@field load fun(): novablend.Loaded?, novablend.Problem? runs in a task

local header_lines = 2

local buffer_options = { buftype = 'nofile', bufhidden = 'wipe', swapfile = false, modifiable = false }
local window_options = { wrap = false, number = false, relativenumber = false, cursorline = true }

--- Opens a window at the bottom, in place of one with the same name, and returns its buffer.
---@param name string
---@return integer
function M.open_window(name)
  name = 'novablend://' .. name
  local old = vim.fn.bufnr('^' .. name .. '$')
  if old ~= -1 then vim.api.nvim_buf_delete(old, { force = true }) end
  vim.cmd('botright 14new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(buffer, name)
  for option, value in pairs(buffer_options) do vim.bo[buffer][option] = value end
  for option, value in pairs(window_options) do vim.wo[option] = value end
  return buffer
end

---@param rows novablend.Row[]
local function widths(rows)
  local result = {}
  for _, row in ipairs(rows) do
    -- A row with one cell is a sentence.
    for column, cell in ipairs(row.cells[2] and row.cells or {}) do
      result[column] = math.max(result[column] or 0, vim.fn.strdisplaywidth(cell))
    end
  end
  return result
end

--- Sets the lines and highlights of a buffer.
---@param buffer integer
---@param lines { [1]: string, [2]: string? }[] texts and highlight groups
function M.set_lines(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.tbl_map(function(line) return line[1] end, lines))
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(buffer, highlights.namespace, 0, -1)
  for index, line in ipairs(lines) do
    if line[2] then highlights.add(buffer, index - 1, 0, #line[1], line[2]) end
  end
end

---@param list novablend.List
---@param loaded novablend.Loaded?
---@param problem novablend.Problem?
local function lines_of(list, loaded, problem)
  local keys = vim.tbl_map(function(action) return action.key .. ' ' .. action.label end, list.actions)
  local lines = { { table.concat(keys, '  ') .. '  R reload  q close', 'Key' } }
  if not loaded then
    table.insert(lines, { problems.text(problem), 'Error' })
    return lines
  end
  table.insert(lines, { table.concat(loaded.notes, ' '), 'Warning' })
  local columns = widths(loaded.rows)
  for _, row in ipairs(loaded.rows) do
    local cells = {}
    for column, cell in ipairs(row.cells) do
      cells[column] = row.cells[2] and text.fit(cell, columns[column]) or cell
    end
    table.insert(lines, { (table.concat(cells, '  '):gsub('%s+$', '')), row.group })
  end
  if #loaded.rows == 0 then table.insert(lines, { loaded.empty, 'Dim' }) end
  return lines
end

--- Puts the cursor on the row with this id, if there is one.
local function move_to(rows, id, window)
  for index, row in ipairs(rows) do
    if id and row.id == id then return vim.api.nvim_win_set_cursor(window, { index + header_lines, 0 }) end
  end
end

--- Shows a list until its window is closed.
---@param list novablend.List
function M.show(list)
  local buffer = M.open_window(list.name)
  local rows, loads = {}, 0
  local function current()
    local window = vim.fn.bufwinid(buffer)
    return window ~= -1 and rows[vim.fn.line('.', window) - header_lines] or nil
  end

  local function load()
    loads = loads + 1
    local number = loads
    local loaded, problem = list.load()
    if number ~= loads or not vim.api.nvim_buf_is_valid(buffer) then return end
    local row = current()
    rows = loaded and loaded.rows or {}
    M.set_lines(buffer, lines_of(list, loaded, problem))
    local window = vim.fn.bufwinid(buffer)
    if window == -1 then return end
    if row then move_to(rows, row.id, window) elseif rows[1] then move_to(rows, rows[1].id, window) end
  end
  local function reload() task.run(load) end

  local function map(key, run) vim.keymap.set('n', key, run, { buffer = buffer, nowait = true }) end
  for _, action in ipairs(list.actions) do
    map(action.key, function()
      local row = current()
      task.run(action.run, row and row.item)
    end)
  end
  map('R', reload)
  map('q', '<Cmd>bwipeout<CR>')
  local ends = vim.tbl_map(function(name) return program.follow(name, reload) end, list.resources)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = function()
      for _, finish in ipairs(ends) do finish() end
    end,
  })
  reload()
end

return M
