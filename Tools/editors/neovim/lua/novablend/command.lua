--- The command `:NovaBlend`.
local task = require('novablend.task')
local ui = require('novablend.ui')

local M = {}

local resources = { 'appointments', 'salons' }

---@param message string
local function report(message) ui.notify(message, vim.log.levels.ERROR) end

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
  restart = function()
    require('novablend.program').stop()
    ui.notify('the program is started again when it is needed')
  end,
}

--- The words that begin with a typed one.
---@param words string[]
---@param typed string
local function complete_word(words, typed)
  return vim.tbl_filter(function(word) return vim.startswith(word, typed:lower()) end, words)
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
  local name, typed = line:match('^%s*%S+%s+(%S+)%s+(.*)$')
  local found = {}
  if not name then
    found = complete_word(vim.tbl_keys(subcommands), lead)
  elseif name == 'watch' then
    found = complete_word(resources, typed)
  elseif name == 'week' or name == 'book' or name == 'appointments' then
    found = require('novablend.salons').complete(lead, typed)
  end
  table.sort(found)
  return found
end

return M
