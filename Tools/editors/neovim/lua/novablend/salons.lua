--- The list of salons.
local list = require('novablend.list')
local program = require('novablend.program')
local text = require('novablend.text')

local M = {}

--- The salons of the last list, for the completion of commands.
---@type novablend.Salon[]
M.known = {}

---@return novablend.Salon[]?
---@return novablend.Problem?
---@return novablend.Provenance?
local function load()
  local fields = { 'name', 'location', 'hours', 'phone' }
  local result, problem = program.call('salons/list', { fields = fields })
  if not result then return nil, problem end
  M.known = result.salons
  return result.salons, nil, result.provenance
end

local is_loading = false

--- Loads the salons for the completion of commands. A problem is reported by the command itself.
function M.load_known()
  if is_loading then return end
  is_loading = true
  load()
  is_loading = false
end

---@param salon novablend.Salon
local function row(salon)
  local cells = { salon.name, salon.location or '', salon.phone or '', salon.hours or '' }
  return { id = salon.id, cells = cells, item = salon }
end

--- An action on the salon under the cursor.
local function action(name, key, run)
  return { name = name, keys = { key }, label = name, run = function(salon) if salon then run(salon.id) end end }
end

--- Shows the salons in a window.
function M.show()
  list.show({
    kind = 'salons',
    title = 'Salons',
    resources = { 'salons' },
    actions = {
      action('week', '<CR>', function(id) require('novablend.week').open(id) end),
      action('book', 'b', function(id) require('novablend.booking').ask(id) end),
      action('appointments', 'a', function(id) require('novablend.appointments').show(id) end),
    },
    load = function()
      local salons, problem, provenance = load()
      if not salons then return nil, problem end
      return { rows = vim.tbl_map(row, salons), notes = { text.source(provenance) }, empty = 'no salons' }
    end,
  })
end

return M
