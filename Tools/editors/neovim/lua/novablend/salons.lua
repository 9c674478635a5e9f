--- The list of salons.
local list = require('novablend.list')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

--- The names of the salons in the last list, for the completion of commands.
---@type string[]
M.names = {}

---@return novablend.Salon[]?
---@return novablend.Problem?
---@return novablend.Provenance?
local function load()
  local fields = { 'name', 'location', 'hours', 'phone' }
  local result, problem = program.call('salons/list', { fields = fields })
  if not result then return nil, problem end
  M.names = vim.tbl_map(function(salon) return salon.name end, result.salons)
  return result.salons, nil, result.provenance
end

local is_loading_names = false

--- Loads the names, for the completion of commands. A problem is reported by the command itself.
function M.load_names()
  if is_loading_names then return end
  is_loading_names = true
  load()
  is_loading_names = false
end

---@param salon novablend.Salon
local function row(salon)
  local cells = { salon.name, salon.location or '', salon.phone or '', salon.hours or '' }
  return { id = salon.id, cells = cells, item = salon }
end

--- A key that does something with the salon under the cursor.
local function action(key, label, run)
  return { key = key, label = label, run = function(salon) if salon then run(salon.id) end end }
end

--- Shows the salons in a window.
function M.show()
  list.show({
    name = 'salons',
    resources = { 'salons' },
    actions = {
      action('<CR>', 'week', function(id) require('novablend.week').open(id) end),
      action('b', 'book', function(id) require('novablend.booking').ask(id) end),
      action('a', 'appointments', function(id) require('novablend.appointments').show(id) end),
    },
    load = function()
      local salons, problem, provenance = load()
      if not salons then return nil, problem end
      return { rows = vim.tbl_map(row, salons), notes = { text.source(provenance) }, empty = 'no salons' }
    end,
  })
end

return M
