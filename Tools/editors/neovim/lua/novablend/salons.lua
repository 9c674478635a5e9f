--- The list of salons.
local list = require('novablend.list')
local program = require('novablend.program')
local task = require('novablend.task')
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
local function load_known()
  if is_loading then return end
  is_loading = true
  load()
  is_loading = false
end

--- The position of a typed text in another one, at the beginning of a word, without regard to case and accents.
---@param candidate string
---@param typed string
---@return integer? the bytes before it
local function find(candidate, typed)
  -- An equivalence class matches a letter with any accent.
  local letters = vim.fn.escape(typed, '\\'):gsub('%a', '\\[[=%0=]]')
  local position = vim.fn.match(candidate, '\\c\\V' .. (typed:find('^[%w\128-\255]') and '\\<' or '') .. letters)
  return position >= 0 and position or nil
end

--- What replaces the last word of a typed text that is a part of a salon's name or place.
---@param salon novablend.Salon
---@param typed string
---@param lead string the last word
---@param name string that names no other salon
---@return string?
local function salon_completion(salon, typed, lead, name)
  local full = text.place(salon)
  local position = find(full, typed)
  if not position then return nil end
  if typed == lead then return name end
  -- Only the last word is replaced. The words before it stay, and so must what comes after them.
  local rest = (position == 0 and name or full):sub(position + 1)
  return vim.fn.strcharpart(rest, vim.fn.strchars(typed) - vim.fn.strchars(lead))
end

--- Completes a part of a salon's name or place.
---@param lead string the last word of the typed text
---@param typed string
---@return string[]
function M.complete(lead, typed)
  -- Completion must not wait for a response. So the first completion finds nothing, and loads the salons.
  if #M.known == 0 then task.run(load_known) end
  local count, found = {}, {}
  for _, salon in ipairs(M.known) do count[salon.name] = (count[salon.name] or 0) + 1 end
  for _, salon in ipairs(M.known) do
    local name = count[salon.name] > 1 and text.place(salon) or salon.name
    table.insert(found, salon_completion(salon, typed, lead, name))
  end
  return found
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
