--- An editor with a screen, in a terminal of the editor that runs the test: keys are typed, and the screen is read.
local support = require('support')

local M = {}

---@class novablend.Terminal
---@field job integer
---@field buffer integer
---@field rows integer
local Terminal = {}
Terminal.__index = Terminal

--- The configuration of a user with the plugin.
---@param lines string[] further lines
---@return string path
local function write_configuration(lines)
  local path = support.directory .. '/init.lua'
  local plugin = vim.api.nvim_get_runtime_file('plugin/novablend.lua', false)[1]
  local options = require('novablend.config').options
  vim.fn.writefile(vim.list_extend({
    ('vim.opt.runtimepath:prepend(%q)'):format(vim.fn.fnamemodify(plugin, ':h:h')),
    ('local options = vim.json.decode(%q)'):format(vim.json.encode(options)),
    -- Its answers are in the state of this editor, and its files in its own folder.
    "require('novablend').setup(options)",
  }, lines), path)
  return path
end

--- Starts an editor that is connected as the plugin of this editor is.
---@param options? { columns: integer?, rows: integer?, configuration: string[]?, arguments: string[]? }
---@return novablend.Terminal
function M.open(options)
  options = options or {}
  local rows = options.rows or 30
  vim.o.laststatus, vim.o.columns, vim.o.lines = 0, options.columns or 100, rows + 1
  vim.cmd('enew')
  local command = { vim.v.progpath, '--clean', '-n', '-u', write_configuration(options.configuration or {}) }
  local environment = { TERM = 'xterm-256color', COLORTERM = 'truecolor', XDG_DATA_HOME = support.directory .. '/data' }
  local job = vim.fn.termopen(vim.list_extend(command, options.arguments or {}), { env = environment })
  return setmetatable({ job = job, buffer = vim.api.nvim_get_current_buf(), rows = rows }, Terminal)
end

--- The lines of the screen.
---@return string
function Terminal:screen()
  local lines = vim.api.nvim_buf_get_lines(self.buffer, 0, -1, false)
  return table.concat(vim.list_slice(lines, math.max(1, #lines - self.rows + 1)), '\n')
end

--- Waits until the screen fulfills a condition.
---@param what string
---@param condition fun(screen: string): any
function Terminal:wait(what, condition)
  local succeeded = pcall(support.wait, what, function() return condition(self:screen()) end)
  if not succeeded then error(('this did not happen: %s\n%s'):format(what, self:screen()), 2) end
end

--- Waits until the screen shows a text.
---@param text string
function Terminal:wait_for(text)
  self:wait(('the screen shows "%s"'):format(text), function(screen) return screen:find(text, 1, true) end)
end

--- Waits until the screen does not show a text any more.
---@param text string
function Terminal:wait_without(text)
  self:wait(('the screen does not show "%s"'):format(text), function(screen)
    return not screen:find(text, 1, true)
  end)
end

--- What a terminal sends for keys.
local codes = { ['<CR>'] = '\r', ['<Esc>'] = '\27', ['<C-C>'] = '\3', ['<Tab>'] = '\t', ['<C-U>'] = '\21' }

--- Types keys, such as `:quit<CR>`.
---@param keys string
function Terminal:type(keys)
  vim.fn.chansend(self.job, (keys:gsub('<[^<>]+>', codes)))
end

--- Runs a command, and waits until it shows a text.
---@param command string
---@param text string
function Terminal:run(command, text)
  self:type((':%s<CR>'):format(command))
  self:wait_for(text)
end

--- The value of an expression in the editor.
---@param expression string
---@return string
function Terminal:evaluate(expression)
  local path = support.directory .. '/value'
  vim.fn.delete(path)
  local write = ':call writefile([string(%s)], "%s.new") | call rename("%s.new", "%s")<CR>'
  self:type(write:format(expression, path, path, path))
  self:wait(expression .. ' is evaluated', function() return vim.fn.filereadable(path) == 1 end)
  return vim.fn.readfile(path)[1]
end

return M
