--- The command `:NovaBlend`.
local task = require('novablend.task')

local M = {}

local resources = { 'appointments', 'salons' }

---@param message string
local function report(message) vim.notify('NovaBlend: ' .. message, vim.log.levels.ERROR) end

---@type table<string, fun(argument: string?)> each runs in a task
local subcommands = {
  salons = function() require('novablend.salons').show() end,
  week = function(salon) require('novablend.week').open(salon) end,
  book = function(salon) require('novablend.booking').ask(salon) end,
  appointments = function(salon) require('novablend.appointments').show(salon) end,
  watch = function(resource)
    if not resource or vim.tbl_contains(resources, resource) then return require('novablend.watch').show(resource) end
    report('watch one of ' .. table.concat(resources, ', '))
  end,
  restart = function() require('novablend.program').stop() end,
}

--- What can follow a subcommand.
---@param name string
---@return string[]
local function arguments(name)
  if name == 'watch' then return resources end
  if name ~= 'week' and name ~= 'book' and name ~= 'appointments' then return {} end
  local salons = require('novablend.salons')
  -- Completion must not wait for a response. So the first completion finds nothing, and loads the
  -- names.
  if #salons.names == 0 then task.run(salons.load_names) end
  return salons.names
end

---@param words string[]
function M.run(words)
  local run = subcommands[words[1]]
  if not run then
    local names = table.concat(M.complete('', ':NovaBlend '), ', ')
    return report('use one of ' .. names)
  end
  local argument = table.concat(words, ' ', 2)
  task.run(run, argument ~= '' and argument or nil)
end

---@param lead string the word before the cursor
---@param line string the command line
---@return string[]
function M.complete(lead, line)
  local name, rest = line:match('^%s*%S+%s+(%S+)%s+(.*)$')
  local candidates = name and arguments(name) or vim.tbl_keys(subcommands)
  local typed = (name and rest or lead):lower()
  local found = {}
  for _, candidate in ipairs(candidates) do
    -- A name may have several words, of which the last one is replaced.
    if candidate:lower():sub(1, #typed) == typed then
      table.insert(found, candidate:sub(#typed - #lead + 1))
    end
  end
  table.sort(found)
  return found
end

return M
