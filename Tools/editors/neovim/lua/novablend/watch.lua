--- A window to which each change of appointments or salons is added as it comes.
local list = require('novablend.list')
local problems = require('novablend.problem')
local program = require('novablend.program')
local salons = require('novablend.salons')
local task = require('novablend.task')
local text = require('novablend.text')

local M = {}

--- The elements of a list by their ids. After a notification, the cache is current.
---@param resource string
---@param change? table
local function load(resource, change)
  local params = { policy = change and 'cacheOnly' or nil }
  if resource == 'appointments' then params.status = 'all' end
  local result, problem = program.call(resource .. '/list', params)
  if not result then return nil, problem end
  local elements = {}
  for _, element in ipairs(result[resource]) do
    if element.id then elements[element.id] = element end
  end
  return elements, nil, text.source(result.provenance)
end

--- What has happened to an element; nil if nothing has.
local function verb(old, new)
  if not new then return 'deleted' end
  if not old then return new.appointmentTime and 'booked' or 'new' end
  if vim.deep_equal(old, new) then return nil end
  return new.status == 'cancelled' and old.status ~= 'cancelled' and 'cancelled' or 'changed'
end

---@param old table<string, table>
---@param new table<string, table>
---@param names table<string, string> of salons
---@return string[]
local function differences(old, new, names)
  local lines = {}
  for id, element in pairs(vim.tbl_extend('keep', new, old)) do
    local happened = verb(old[id], new[id])
    local name = element.appointmentTime and text.appointment(element, names[element.salonId])
      or text.join(', ', element.name, element.location)
    local time = os.date('%H:%M:%S') --[[@as string]]
    if happened then table.insert(lines, text.join('  ', time, text.fit(happened, 9), name)) end
  end
  table.sort(lines)
  return lines
end

--- Adds lines to a buffer, and moves the cursor of a window that shows its end.
local function append(buffer, lines)
  local count = vim.api.nvim_buf_line_count(buffer)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, lines)
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
  local buffer = list.open_window('watch')
  local known, names
  local loads = 0
  list.set_lines(buffer, { { ('Changes of %s  q close'):format(resource), 'Key' } })
  local function update(change)
    loads = loads + 1
    local number = loads
    task.run(function()
      names = names or salons.names_by_id()
      local elements, problem, note = load(resource, change)
      if number ~= loads or not vim.api.nvim_buf_is_valid(buffer) then return end
      local lines = problem and { problems.text(problem) } or { not change and note or nil }
      if elements and known then vim.list_extend(lines, differences(known, elements, names)) end
      if elements and not known then
        table.insert(lines, ('%s  watching %d %s'):format(os.date('%H:%M:%S'), vim.tbl_count(elements), resource))
      end
      known = elements or known
      append(buffer, lines)
    end)
  end
  vim.keymap.set('n', 'q', '<Cmd>bwipeout<CR>', { buffer = buffer, nowait = true })
  local finish = program.follow(resource, update)
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = buffer, callback = finish })
  update()
end

return M
