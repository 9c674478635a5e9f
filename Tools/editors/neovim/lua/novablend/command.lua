--- The command `:NovaBlend`.
local task = require('novablend.task')
local text = require('novablend.text')
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

---@param typed string
---@param lead string
---@return string[]
local function complete_salon(typed, lead)
  local salons = require('novablend.salons')
  -- Completion must not wait for a response. So the first completion finds nothing, and loads the salons.
  if #salons.known == 0 then task.run(salons.load_known) end
  local count, found = {}, {}
  for _, salon in ipairs(salons.known) do count[salon.name] = (count[salon.name] or 0) + 1 end
  for _, salon in ipairs(salons.known) do
    local name = count[salon.name] > 1 and text.place(salon) or salon.name
    table.insert(found, salon_completion(salon, typed, lead, name))
  end
  return found
end

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
    found = complete_salon(typed, lead)
  end
  table.sort(found)
  return found
end

return M
