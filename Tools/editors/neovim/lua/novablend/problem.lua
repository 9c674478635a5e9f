--- Why a call failed, and what to do.

---@class novablend.Problem
---@field message string what is wrong, for a person
---@field advice? string what to do in the editor
---@field name string the error's name in docs/Errors.md, or missing, ended, unanswered, unstable, or outdated
---@field data table the members of the error

local config = require('novablend.config')
local ui = require('novablend.ui')

local M = {}

--- What to do in the editor, by the names of errors.
local advice = {
  bookingInDoubt = 'Press r in :NovaBlend appointments to find out. Do not book it again.',
  connectivity = ':checkhealth novablend shows what is wrong.',
  unavailable = 'Try again later; :checkhealth novablend shows what is wrong.',
  notConfigured = 'Write "base-url = URL" to ~/.config/novablend/config, or set the option arguments; '
    .. 'then :NovaBlend restart.',
  notAuthenticated = 'Configure a valid token (token-file or token-command); then :NovaBlend restart.',
  notAllowed = 'Use credentials with more rights; then :NovaBlend restart.',
  readOnly = 'Start the program without read-only; then :NovaBlend restart.',
  slotUnavailable = 'Choose a different time.',
  versionConflict = 'Check the appointment, and try again.',
  zoneUnknown = 'Install tzdata.',
  cacheRetrieval = 'Run "novablend cache validate", which deletes unreadable data.',
}

--- The problem of a call whose method or parameters the program does not know.
---@param what string
---@return novablend.Problem
local function outdated(what)
  return {
    name = 'outdated',
    message = ('this version of %s has no %s'):format(config.options.program, what),
    advice = 'Update the program, and repeat the command: no restart is needed.',
    data = {},
  }
end

--- The names that the program does not know: of parameters, or of members in a parameter.
---@param data { unknown: string[], parameter: string }
---@param method string
---@return string
local function unknown_names(data, method)
  local names = table.concat(data.unknown, ', ')
  if vim.tbl_contains(data.unknown, data.parameter) then return ('parameter %s of %s'):format(names, method) end
  return ('member %s in the parameter %s of %s'):format(names, data.parameter, method)
end

--- The problem that the error of a response describes.
---@param err { code: integer, message: string, data: table? }
---@param method string
---@return novablend.Problem
function M.of(err, method)
  local data = type(err.data) == 'table' and err.data or {}
  if err.code == -32601 then return outdated('method ' .. method) end
  if data.unknown then return outdated(unknown_names(data, method)) end
  local name = data.name or tostring(err.code)
  return { name = name, message = data.reason or err.message, advice = advice[name], data = data }
end

---@return novablend.Problem
function M.missing()
  return {
    name = 'missing',
    message = ('the program "%s" was not found'):format(config.options.program),
    advice = 'Install it, or set its path with require("novablend").setup({ program = PATH }); '
      .. 'then repeat the command.',
    data = {},
  }
end

--- The last lines of the standard error of the program, after a colon.
---@param errors string[]
local function last_words(errors)
  local reason = vim.trim(table.concat(errors, ' '))
  return reason ~= '' and ': ' .. reason or ''
end

--- The problem of a call for which the program was not started, because it keeps ending.
---@param count integer
---@param seconds integer
---@param errors string[] the last lines of its standard error
---@return novablend.Problem
function M.keeps_ending(count, seconds, errors)
  local message = 'the program was started %d times within %d s, and ended each time'
  return {
    name = 'unstable',
    message = message:format(count, seconds) .. last_words(errors),
    advice = 'Repeat the command later, or :NovaBlend restart; :checkhealth novablend shows what is wrong.',
    data = {},
  }
end

--- The problem of a call to which the program did not respond before it ended.
---@param code integer
---@param errors string[] the last lines of its standard error
---@return novablend.Problem
function M.ended(code, errors)
  return {
    name = 'ended',
    message = ('the program ended (exit code %d)'):format(code) .. last_words(errors),
    advice = 'Repeat the command to start it again; :checkhealth novablend shows what is wrong.',
    data = {},
  }
end

--- The problem of a call to which the program did not respond in time.
---@return novablend.Problem
function M.unanswered()
  return {
    name = 'unanswered',
    message = ('the program did not answer within %g s'):format(config.options.timeout),
    advice = 'Repeat the command, or press R; :checkhealth novablend shows what is wrong.',
    data = {},
  }
end

--- Whether the change may have been made although the call failed.
---@param problem novablend.Problem
function M.is_in_doubt(problem)
  local name = problem.name
  if name == 'ended' or name == 'unanswered' or name == 'bookingInDoubt' then return true end
  local is_interrupted = name == 'inputEnded' or name == '-32800' or name == '-32603'
  return is_interrupted and problem.data.retryable ~= true
end

--- The problem in one text for a person.
---@param problem novablend.Problem
---@return string
function M.text(problem)
  local message = problem.message:gsub('^%l', string.upper)
  if not message:find('[.?!]$') then message = message .. '.' end
  return problem.advice and message .. ' ' .. problem.advice or message
end

---@param problem novablend.Problem
function M.show(problem) ui.notify(M.text(problem), vim.log.levels.ERROR) end

return M
