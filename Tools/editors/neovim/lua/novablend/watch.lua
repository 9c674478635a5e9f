--- A window to which each change of appointments or salons is added as it comes.
local list = require('novablend.list')
local problems = require('novablend.problem')
local program = require('novablend.program')
local task = require('novablend.task')
local text = require('novablend.text')
local ui = require('novablend.ui')

local M = {}

--- The elements of a list by their ids; nil if it could not be loaded.
---@param resource string
local function load(resource)
  local status = resource == 'appointments' and 'all' or nil
  local result, problem = program.call(resource .. '/list', { status = status })
  if not result then return nil, problem end
  local note = text.source(result.provenance)
  if result.provenance.source == 'none' then return nil, nil, note end
  local elements = {}
  for _, element in ipairs(result[resource]) do
    if element.id then elements[element.id] = element end
  end
  return elements, nil, note
end

--- What has happened to an element; nil if nothing has.
local function verb(old, new)
  if not new then return 'deleted' end
  if not old then return new.start and 'booked' or 'new' end
  if vim.deep_equal(old, new) then return nil end
  return new.status == 'cancelled' and old.status ~= 'cancelled' and 'cancelled' or 'changed'
end

---@param happened string
---@param what string?
local function line(happened, what) return text.join('  ', os.date('%H:%M:%S'), text.fit(happened, 9), what) end

---@param old table<string, table>
---@param new table<string, table>
---@return string[]
local function differences(old, new)
  local lines = {}
  for id, element in pairs(vim.tbl_extend('keep', new, old)) do
    local happened = verb(old[id], new[id])
    local name = element.start and text.appointment(element)
      or text.join(', ', element.name, element.location)
    if happened then table.insert(lines, line(happened, name)) end
  end
  table.sort(lines)
  return lines
end

--- The line that says that the server stopped answering, or answers again.
---@param change novablend.Change
local function outage(change)
  if change.offline then return line('offline', change.reason) end
  return line('online', 'the server answers again')
end

--- Adds lines to a buffer, and moves the cursor of a window that shows its end.
local function append(buffer, lines)
  local count = vim.api.nvim_buf_line_count(buffer)
  vim.bo[buffer].modifiable = true
  local texts = vim.tbl_map(function(each) return (each:gsub('\n', ' ')) end, lines)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, texts)
  vim.bo[buffer].modifiable = false
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 and vim.api.nvim_win_get_cursor(window)[1] == count then
    vim.api.nvim_win_set_cursor(window, { count + #lines, 0 })
  end
end

--- Shows changes until the window is closed.
---@param resource? string appointments (by default) or salons
function M.show(resource)
  resource = resource or 'appointments'
  local name = 'novablend://watch/' .. resource
  local buffer = list.open_window(name)
  local known
  local loads, log = 0, {}
  local function add(lines)
    vim.list_extend(log, lines)
    append(buffer, lines)
  end
  local function update(change)
    if change and change.offline ~= nil then add({ outage(change) }) end
    if change and change.offline then return end
    loads = loads + 1
    local number = loads
    task.run(function()
      local elements, problem, note = load(resource)
      if number ~= loads or not vim.api.nvim_buf_is_valid(buffer) then return end
      local lines = problem and { problems.text(problem) } or { not change and note or nil }
      if elements and known then vim.list_extend(lines, differences(known, elements)) end
      if elements and not known then
        table.insert(lines, line('watching', ('%d %s'):format(vim.tbl_count(elements), resource)))
      end
      known = elements or known
      add(lines)
    end)
  end
  local actions = {
    { name = 'help', keys = { '?' }, label = 'help', run = function() ui.help(':NovaBlend-watch') end },
    { name = 'close', keys = { 'q' }, label = 'close', run = function() vim.cmd('bwipeout') end },
  }
  local function show_log()
    local keys = table.concat(ui.labels(buffer, 'watch', actions), '  ')
    list.set_lines(buffer, { { ('Changes of %s  %s'):format(resource, keys), 'Key' } })
    append(buffer, log)
  end
  ui.prepare(buffer, 'watch', name, actions, function(action) action.run() end, function()
    show_log()
    update()
  end)
  show_log()
  local finish = program.follow(resource, update)
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = buffer, callback = finish })
  add({ line('loading') })
  update()
end

return M
