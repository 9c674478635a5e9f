---@class novablend.Options
---@field program? string the program, by default the `novablend` in PATH
---@field arguments? string[] options of `novablend serve`, such as { '--profile', 'work' }
---@field phone? string the phone number that a booking offers first
---@field timeout? number seconds after which the program is taken not to answer a call any more

local M = {}

---@type novablend.Options
M.options = { program = 'novablend', arguments = {}, phone = '', timeout = 60 }

---@param options novablend.Options
function M.set(options)
  for name, value in pairs(options) do
    local known = M.options[name]
    if known == nil then error('novablend: there is no option ' .. tostring(name), 0) end
    if type(value) ~= type(known) then
      error(('novablend: the option %s must be a %s'):format(name, type(known)), 0)
    end
  end
  M.options = vim.tbl_extend('force', M.options, options)
end

--- The command line of the program for one of its commands.
---@param name string
---@return string[]
function M.command(name)
  return vim.list_extend({ M.options.program, name }, M.options.arguments)
end

return M
